"""What reaches stdout and stderr as plain text: lines, JSON, and remembered text that cannot steer a terminal."""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import suppress
from typing import Any, TextIO

__all__ = ["lose", "one_line", "tolerate", "visible", "write_json", "write_line", "write_text"]

# Control characters steer a terminal; the invisible marks of direction make a line read as something else.
_DIRECTION = {0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)}
_HIDDEN = [c for c in (*range(0x20), *range(0x7F, 0xA0), *sorted(_DIRECTION)) if c not in (0x09, 0x0A)]


def _picture(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)  # Unicode has a picture for each of these: ␛ for ESC
    return "␡" if code == 0x7F else f"<U+{code:04X}>"


_HALVES = dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}")  # halves of a character cannot be printed
_VISIBLE = {code: _picture(code) for code in _HIDDEN} | _HALVES
_ESCAPED = {code: f"\\u{code:04x}" for code in _HIDDEN if code >= 0x20}  # JSON escapes the lower ones itself


def visible(text: str) -> str:
    """The text with its control characters made visible; line breaks and tabs stay."""
    return text.replace("\r\n", "\n").translate(_VISIBLE)


def one_line(text: str, most: int | None = None) -> str:
    """The visible text on one line, cut to `most` characters."""
    line = visible(" ".join(text.split()))
    return line if most is None or len(line) <= most else line[: most - 1].rstrip() + "…"


def write_line(text: str, *, err: bool = False) -> None:
    """One line, whatever the text holds."""
    (sys.stderr if err else sys.stdout).write(one_line(text) + "\n")


def write_text(text: str) -> None:
    """A text of many lines, as it is but for what could steer the terminal."""
    sys.stdout.write(visible(text) + "\n")


def write_json(value: Any) -> None:
    """The value as JSON, and nothing else, on stdout."""
    from anaphora.codec import to_plain

    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    text = json.dumps(to_plain(value), ensure_ascii=encoding != "utf8", indent=2)
    sys.stdout.write(text.translate(_ESCAPED) + "\n")


def lose(stream: TextIO) -> None:
    """Send what the stream still holds nowhere, so that the end of the process does not stumble over it once more."""
    with suppress(OSError):  # a stream of no file has nothing to stumble over
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def tolerate(*streams: TextIO | None) -> None:
    """Let a stream show a character that its encoding lacks as "?", rather than fail half way through a view."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
