"""Models that run on this machine: for now, the token counters."""
