"""Secrets whose name stands in a field of its own, or nowhere: {"name": "DB_PASSWORD", "value": …}, auth=("ann", …)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora.types import Span
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.secret_names import QUOTED, kind_of_value
from anaphora.understanding.secret_values import is_chosen, is_literal_secret, is_stand_in

__all__ = ["find_paired"]

_SIGN = r"""["'\\]{0,3}[ \t]{0,4}[:=][ \t]{0,4}"""
_QUOTES = r"""["'\\]{0,3}"""
_TYPE = rf"{_QUOTES}(?:type|enabled|sensitive|secure){_SIGN}{_QUOTES}\w{{1,20}}{_QUOTES},?\s{{1,40}}"
_PAIR = any_case(
    rf"(?<![\w-])(?:name|key|id|var|variable){_SIGN}{_QUOTES}(?P<name>[\w.-]{{2,60}}+){_QUOTES}[ \t]{{0,10}}"
    rf"""(?:(?:,|\r?\n|(?<=["'] ))\s{{0,40}}(?:{_TYPE})?{_QUOTES}(?:default_?)?val(?:ue)?{_SIGN}|(?P<tag>>))"""
)
_TELLING = ("pass", "pw", "key", "token", "secret", "credential", "auth")
_REST = expression(r"""([^\s"'`,;(){}\[\]<>\\]{4,200})(?=[ \t]{0,20}(?:\r?\n|$|[,}]))""")
_TEXT = expression(r"([^<>\n]{4,200})</")
_WORD = r"""["']([^"'\n]{4,100})["']"""
_USER = r"""["'][^"'\n]{1,100}["'][ \t]{0,3},\s{0,20}"""
_OF_BASIC = any_case(rf"(?<![a-z])(?:auth[ \t]?=[ \t]?|http(?:basic|digest)auth|(?:set_?)?basic_?auth)\({_USER}{_WORD}")
# where the second of two texts, or the third of three, is a password
_GIVEN_IN_ORDER = (
    *((needle, _OF_BASIC) for needle in ("auth(", "auth=(", "auth = (")),
    (
        "identified",
        any_case(rf"(?<![a-z])identified[ \t]{{1,3}}(?:with[ \t]{{1,3}}\w{{1,40}}[ \t]{{1,3}})?by[ \t]{{1,3}}{_WORD}"),
    ),
    (
        "password",
        any_case(rf"(?:create|alter)[ \t]{{1,3}}(?:user|role)[ \t][^;'\n]{{1,100}}?[ \t]password[ \t]{{1,3}}{_WORD}"),
    ),
    ("securestring", any_case(rf"convertto-securestring[ \t]{{1,3}}(?:-string[ \t]{{1,3}})?{_WORD}")),
    (
        "connect",
        any_case(rf"(?<![a-z])(?:my|mysql|mysqli|pymysql|mysqldb)[._]connect\(\s{{0,20}}{_USER}{_USER}{_WORD}"),
    ),
    ("sequelize", any_case(rf"(?<![a-z])sequelize\(\s{{0,20}}{_USER}{_USER}{_WORD}")),
    ("pdo", any_case(rf"(?<![a-z])pdo\(\s{{0,20}}(?:\$\w{{1,40}}[ ]?,\s{{0,20}}|{_USER}){_USER}{_WORD}")),
    ("smtp", any_case(rf"(?<![a-z])(?:smtp|imap|ftp)\w{{0,10}}\.login\(\s{{0,20}}{_USER}{_WORD}")),
)
_LIKELY_IN_ORDER = (  # where it may be a word of a test as well
    (".login(", any_case(rf"\.login\(\s{{0,20}}{_USER}{_WORD}")),
    ("jwt.", any_case(rf"(?<![a-z])jwt\.(?:sign|encode|verify|decode)\([^()\n]{{1,80}}?,[ \t]{{0,3}}{_WORD}")),
)
_OF_TWILIO = expression(r"""["']AC[a-f0-9]{32}["'],\s{0,20}["']([a-f0-9]{32})["']""")


def find_paired(text: str) -> Iterator[tuple[str, Span]]:
    """Each of them, with its kind."""
    low = text.lower()
    if ("val" in low or "</" in low) and any(name in low for name in _TELLING):
        for pair in _PAIR.finditer(text):
            value = _value(text, pair)
            if value is not None and (kind := kind_of_value(pair["name"], value[0])):
                yield kind, value[1]
    for needle, pattern in _GIVEN_IN_ORDER:
        if needle in low:
            yield from (("password", one.span(1)) for one in pattern.finditer(text) if _is_password(one[1]))
    for needle, pattern in _LIKELY_IN_ORDER:
        if needle in low:
            for one in pattern.finditer(text):
                if is_literal_secret("password", one[1]) and not is_stand_in(one[1]):
                    yield "password", one.span(1)
    if "'AC" in text or '"AC' in text:
        yield from (("token", one.span(1)) for one in _OF_TWILIO.finditer(text))


def _value(text: str, pair: re.Match[str]) -> tuple[str, Span] | None:
    if quoted := QUOTED.match(text, pair.end()):
        inside = quoted.lastgroup or "double"
        return quoted[inside], quoted.span(inside)
    found = (_TEXT if pair["tag"] else _REST).match(text, pair.end())
    return (found[1], found.span(1)) if found is not None else None


def _is_password(value: str) -> bool:
    return not is_stand_in(value) and (is_literal_secret("password", value) or is_chosen(value))
