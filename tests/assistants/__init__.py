"""The real assistants, end to end, against a model server that says what a test tells it to.

`make test-assistants` installs them into .assistants and runs these tests; they are no part of `make test`."""
