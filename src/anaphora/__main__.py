"""`python -m anaphora` is the command `anaphora`."""

from anaphora.interfaces.cli import main

if __name__ == "__main__":
    main()
