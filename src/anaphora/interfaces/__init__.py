"""The ways in from outside: each a thin edge over the engine, with no logic of its own."""
