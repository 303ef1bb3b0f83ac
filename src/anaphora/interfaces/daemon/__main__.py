"""`python -m anaphora.interfaces.daemon`: what a hook starts."""

from __future__ import annotations

from anaphora.interfaces.daemon.server import run

if __name__ == "__main__":
    run()
