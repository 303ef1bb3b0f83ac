"""A slash command as it was typed: its name, its words with quotes taken off, its flags. It knows no command.

Free text stays as it was typed: an apostrophe is no quotation mark, and a flag that the command does not know is a word
like any other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from anaphora.errors import InputError
from anaphora.understanding.patterns import expression

__all__ = ["Arguments", "arguments_of", "head_of"]

_HEAD = expression(r"\s*/([A-Za-z][\w-]*)(?:\s+(.*))?\s*", re.DOTALL)
_QUOTED = r'"(?:[^"\\]|\\.)*"(?=\s|$)' + "|" + r"'(?:[^'\\]|\\.)*'(?=\s|$)"
_FLAG = rf"--(?P<name>[A-Za-z][\w-]*)(?:=(?P<value>{_QUOTED}|\S*))?(?=\s|$)"
_TOKEN = expression(rf"(?P<flag>{_FLAG})|(?P<quoted>{_QUOTED})|\S+")
_ESCAPED = expression(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Arguments:
    """`text` is everything but the flags, as it was typed; `words` are its parts, each whole where it was quoted."""

    text: str = ""
    words: tuple[str, ...] = ()
    quoted: tuple[bool, ...] = ()
    flags: Mapping[str, str] = field(default_factory=dict)

    def __contains__(self, flag: str) -> bool:
        return flag in self.flags


def head_of(line: str) -> tuple[str, str] | None:
    """The name of the command, in lower case with underscores, and the rest; None where the line is no command."""
    found = _HEAD.fullmatch(line)
    return (found[1].lower().replace("-", "_"), (found[2] or "").strip()) if found else None


def arguments_of(rest: str, flags: Mapping[str, bool], *, free: bool) -> Arguments:
    """`flags` are those that the command knows, and whether each takes a value. Where text is not `free`, an unknown
    flag is an error. What follows `--` holds no flags."""
    words: list[str] = []
    quoted: list[bool] = []
    kept: list[str] = []  # the text without its flags, with the blanks between
    given: dict[str, str] = {}
    place, plain = 0, False
    while found := _TOKEN.search(rest, place):
        blank, place = rest[place : found.start()], found.end()
        name = (found["name"] or "").lower()
        if not plain and found[0] == "--":
            plain = True
        elif not plain and name in flags:
            value, place = _value(found, name, rest, takes=flags[name])
            given[name] = value
        elif not plain and name and not free:
            raise InputError(f"Unknown flag --{name}.", remedy=_known(flags))
        else:
            words.append(_bare(found[0]) if found["quoted"] else found[0])
            quoted.append(bool(found["quoted"]))
            kept.append((blank if kept else "") + found[0])
    text = words[0] if quoted == [True] else "".join(kept)
    return Arguments(text, tuple(words), tuple(quoted), given)


def _value(found: re.Match[str], name: str, rest: str, *, takes: bool) -> tuple[str, int]:
    """What a flag was given, after "=" or as the next word, and where to read on."""
    value, place = found["value"], found.end()
    if not takes:
        if value is not None:
            raise InputError(f"--{name} takes no value.", remedy=f"Write --{name} alone.")
        return "", place
    if value is None:
        after = _TOKEN.search(rest, place)
        if after is None or after["flag"]:
            raise InputError(f"--{name} needs a value.", remedy=f'Write --{name}="like this".')
        value, place = after[0], after.end()
    if not _bare(value).strip():
        raise InputError(f"--{name} needs a value.", remedy=f'Write --{name}="like this".')
    return _bare(value), place


def _bare(word: str) -> str:
    """Without its quotation marks, if it has them on both ends."""
    if len(word) >= 2 and word[0] == word[-1] and word[0] in "\"'":
        return _ESCAPED.sub(r"\1", word[1:-1])
    return word


def _known(flags: Mapping[str, bool]) -> str:
    return f"Known: {', '.join(f'--{name}' for name in flags)}."
