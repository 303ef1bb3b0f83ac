"""Secrets that a sentence tells, at some distance from their name: "the password for the wifi is …", "use … as the
password"."""

from __future__ import annotations

from collections.abc import Iterator

from anaphora.types import Span
from anaphora.understanding.patterns import expression
from anaphora.understanding.secret_names import QUOTED, UNQUOTED, is_unlike_a_word, looks_like_secret

__all__ = ["find_told"]

_GAP = r"[ \t]{1,3}"
_NAMES = (
    r"(?<![A-Za-z0-9_])(?:(?P<password>pass(?:word|wd|wort|phrase|code)|pwd|pw)|"
    r"(?P<key>(?:api|access|secret|auth)[ -]key)|(?P<token>(?:access|auth|api|bearer)[ -]token))"
)
_OF_WHAT = (  # "for the wifi", "on prod", "(case sensitive)"
    rf"(?:{_GAP}\([^()\n]{{1,40}}\)|"
    rf"{_GAP}(?:for|of|on|to|in|at){_GAP}(?:[\w.@'’/-]{{1,40}}+{_GAP}){{0,4}}?[\w.@'’/-]{{1,40}}+)"
)
_IS = rf"(?:{_GAP}(?:is|was)(?:{_GAP}(?:now|still))?(?:[ \t]{{0,3}}:)?|[ \t]{{0,3}}[:：=])[ \t]{{1,5}}"
_APART = expression(rf"(?i){_NAMES}{_OF_WHAT}{_IS}")
_WHOSE = r"(?:the|my|your|our|its|a|her|his|their)"
_PASSWORD = rf"(?:[\w-]{{1,20}}{_GAP}){{0,2}}?(?:password|passphrase|passcode)"
_ENDS = r"(?![\w-]|[ \t](?!for|of|on|in|and|when|to|please|here|there|now|everywhere)\w)"  # "the password *hash*"
_AS = expression(
    rf"""(?i)(?<![a-z])(?:use|using|try|enter|type|set|with|choose|chose|"
    rf"take){_GAP}["'`]?(?P<x>[^\s"'`\[]{{6,100}})["'`]?"""
    rf"{_GAP}as{_GAP}(?:{_WHOSE}{_GAP})?{_PASSWORD}{_ENDS}"
)
_IS_IT = expression(
    rf"""(?i)(?:(?<=[\s"'`(\[])|^)(?P<x>[^\s"'`(\[]{{6,100}})["'`]?{_GAP}is{_GAP}{_WHOSE}{_GAP}{_PASSWORD}{_ENDS}"""
)
# What many people choose. Words that say how a password is, "weak" or "secret", are none of them.
_CHOSEN = (
    r"(?:letmein|qwert[yz]\w{0,10}|asdf(?:gh?)?\w{0,10}|zxcvbn\w{0,6}|iloveyou|trustno1|open-?sesame|passw0rd|"
    r"correct-?horse(?:-?battery(?:-?staple)?)?)"
)
_CHOSEN_BY_ONE = (
    r"(?:sunshine|princess|monkey|dragon|football|baseball|superman|batman|swordfish|shadow|welcome|starwars|"
    r"pokemon|charlie|michael|jennifer|ninja|mustang|toor|admin|root|abc)"
)
_WEAK = expression(rf"""(?i){_NAMES}(?:{_OF_WHAT})?{_IS}["'`]?(?P<x>{_CHOSEN})(?![\w(-]|\.\w)""")
_WEAK_OWN = expression(
    rf"(?i)(?<![a-z])(?:my|our|his|her|their){_GAP}(?:[\w-]{{1,20}}{_GAP}){{0,2}}?(?P<password>password|passphrase|pw)"
    rf"""(?:{_OF_WHAT})?{_IS}["'`]?(?P<x>{_CHOSEN_BY_ONE})["'`]?(?=[ \t]{{0,3}}(?:[.!,;)\n]|$))"""
)
_IN_FULL = ("password", "passphrase", "passcode")
_TELLING = (
    *(*_IN_FULL, "passwd", "passwort", "pwd", "pw ", "pw:", "pw="),
    *(
        f"{of}{joint}{what}"
        for of in ("api", "access", "secret", "auth")
        for what in ("key", "token")
        for joint in " -"
    ),
    *("bearer token", "bearer-token"),
)


def find_told(text: str) -> Iterator[tuple[str, Span]]:
    """Each secret of which a sentence tells what it is for."""
    low = text.lower()
    if any(name in low for name in _TELLING):
        yield from _apart(text)
        for pattern in (_WEAK, _WEAK_OWN):
            yield from (("password", match.span("x")) for match in pattern.finditer(text) if match["password"])
    if any(name in low for name in _IN_FULL):
        for pattern in (_AS, _IS_IT):
            for match in pattern.finditer(text):
                if is_unlike_a_word("password", match["x"], strictly=True):
                    yield "password", match.span("x")


def _apart(text: str) -> Iterator[tuple[str, Span]]:
    for name in _APART.finditer(text):
        kind = next(kind for kind in ("password", "key", "token") if name[kind])
        if (quoted := QUOTED.match(text, name.end())) and looks_like_secret(kind, quoted[quoted.lastgroup or 0]):
            yield kind, quoted.span(quoted.lastgroup or 0)
        elif bare := UNQUOTED.match(text, name.end()):
            value = bare[0].rstrip(".,:;!?")
            if is_unlike_a_word(kind, value) and not text.startswith(("(", "["), bare.end()):
                yield kind, (bare.start(), bare.start() + len(value))
