"""What Anaphora costs, measured on this machine; figures, never asserts."""
