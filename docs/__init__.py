"""The documentation; the parts of it that the program itself can tell are generated."""
