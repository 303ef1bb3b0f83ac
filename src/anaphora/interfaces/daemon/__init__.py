"""A small resident process with the networks loaded: hooks ask it over a socket that only their user can reach."""
