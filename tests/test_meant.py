"""What is kept of a message in which words point back: what they surely mean, and else what was said."""

from __future__ import annotations

import pytest

from anaphora.types import Reference, Signal
from anaphora.understanding.meant import find_meant

# what was said, what it points to and how sure that is, the message written out, what is kept
KEPT = [
    ("Let's drop it", "it", "Redis", 0.9, "Let's drop Redis", Signal("decision", "drop Redis")),
    ("Let's drop it", "it", "Redis", 0.6, "Let's drop Redis", Signal("decision", "drop it")),
    (
        "I already pushed it",
        "it",
        "git reset --soft HEAD~1",
        0.98,
        "I already pushed git reset --soft HEAD~1",
        Signal("completion", "I already pushed it"),
    ),
    (
        "Don't use it on mobile",
        "it",
        "login form",
        0.98,
        "Don't use the login form (email and password) on mobile",
        Signal("constraint", "Don't use the login form on mobile"),
    ),
    (
        "I don't want that (yet)",
        "that",
        "async driver",
        0.9,
        "I don't want the async driver (database) (yet)",
        Signal("preference", "doesn't want the async driver (yet)"),
    ),
    (
        "It says permission denied",
        "It",
        "bash script",
        0.96,
        "The bash script (folders) says permission denied",
        Signal("error", "It says permission denied"),
    ),
]


@pytest.mark.parametrize(("text", "mention", "referent", "sure", "expanded", "kept"), KEPT)
def test_what_is_kept_is_as_it_was_said_unless_it_is_sure_what_was_meant(
    text: str, mention: str, referent: str, sure: float, expanded: str, kept: Signal
) -> None:
    at = text.index(mention)
    reference = Reference(mention, (at, at + len(mention)), referent, "m1", sure)
    assert find_meant(text, expanded, [reference], [], "me") == (kept,)
