"""The sides of a memory, one file each; `engine.memory` puts them together."""
