"""Installing into assistants: their settings are added to and taken out of again, and nothing else in them moves."""
