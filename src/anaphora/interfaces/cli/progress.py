"""Signs of life on stderr while something takes its time, where someone is there to see them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from anaphora.interfaces.cli.output import one_line

__all__ = ["bar", "working"]


@contextmanager
def working(what: str) -> Iterator[None]:
    """A spinner with a word on what is done."""
    if not sys.stderr.isatty():
        yield
        return
    from anaphora.interfaces.cli import render

    with render.console(stderr=True).status(render.plain(one_line(what))):
        yield


@contextmanager
def bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """What is to be told how much is done, and of how much."""
    if not sys.stderr.isatty():
        yield lambda _done, _of: None
        return
    from rich.progress import Progress

    from anaphora.interfaces.cli import render

    with Progress(console=render.console(stderr=True), transient=True) as shown:
        task = shown.add_task(what, total=None)
        yield lambda done, of: shown.update(task, completed=done, total=of)
