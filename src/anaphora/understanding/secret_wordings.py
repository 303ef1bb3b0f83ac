"""Secrets that a sentence tells, at some distance from their name: "the password for the wifi is …", "use … as the
password"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora.types import Span
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.secret_names import QUOTED, UNQUOTED, looks_like_secret
from anaphora.understanding.secret_values import is_unlike_a_word

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
_BECOMES = (  # beside "is" and "was", after which anything may stand
    rf"(?:['’]s|{_GAP}(?:is|was){_GAP}(?:still|now|currently)|{_GAP}(?:should|will|shall){_GAP}(?:now{_GAP})?be|"
    rf"{_GAP}(?:(?:is|was|has{_GAP}been){_GAP}(?:now{_GAP})?)?(?:set|changed|reset){_GAP}to|{_GAP}(?:remains|stays))"
    r"(?:[ \t]{0,3}:)?[ \t]{1,5}"
)
_TOLD = any_case(rf"{_NAMES}(?:{_OF_WHAT})?{_BECOMES}")
_ABROAD = any_case(
    r"(?<![^\W_])(?:mot de passe|contrase[ñn]a|passwort|kennwort|wachtwoord|senha|has[łl]o|heslo|parola|пароль|"
    r"密码|密碼|パスワード|비밀번호)(?:[ \t]{1,3}[^\W\d_]{1,12}){0,3}?[ \t]{0,3}"
    r"(?:ist|est|es|é|is|jest|je|는|은|は|是|:|：|=|-|—)"
    r"""[ \t]{0,5}["'`«]?(?P<x>[!#-&(-_a-~]{6,100})"""
)
_NAMES_ABROAD = (
    *("mot de passe", "contrase", "passwort", "kennwort", "wachtwoord", "senha", "hasło", "haslo", "heslo", "parola"),
    *("пароль", "密码", "密碼", "パスワード", "비밀번호"),
)
_ENDS = r"(?![\w-]|[ \t](?!for|of|on|in|and|when|to|please|here|there|now|everywhere)\w)"  # "the password *hash*"
_OF_A_LOGIN = r"(?:login|logins|credentials?|creds|zugangsdaten)"
_LOGIN = any_case(
    rf"(?<![a-z]){_OF_A_LOGIN}(?:{_GAP}(?:is|are)[ \t]{{0,3}}:?|[ \t]{{0,3}}[:=])[ \t]{{1,3}}"
    r"[`\"']?[\w.@+-]{2,60}+[ \t]{0,3}[/:|][ \t]{0,3}(?P<x>[^\s,;\"'`]{6,100})",
    needles="login|credential|creds|zugangsdaten",
    dear=True,
)
_IS_LOGIN = any_case(
    rf"(?<![^\s\"'`(])[\w.@+-]{{2,60}}[ ]?[/:][ ]?(?P<x>[^\s,;\"'`/:]{{6,100}})[\"'`]?{_GAP}(?:is|are){_GAP}"
    rf"(?:the|my|our|your){_GAP}(?:[a-z-]{{1,20}}{_GAP})?{_OF_A_LOGIN}{_ENDS}",
    needles="login|credential|creds|zugangsdaten",
    dear=True,
)
_SEED = any_case(
    r"(?<![a-z])(?:(?:seed|recovery|mnemonic|backup)[ ](?:phrase|words)|mnemonic)(?:[ ](?:is|are))?"
    r"[ \t]{0,3}[:=]?[ \t]{0,3}"
    r"""["'`]?(?P<x>(?:[a-z]{3,8}[ ]){11,23}[a-z]{3,8})(?![a-z])"""
)
_WHOSE = r"(?:the|my|your|our|its|a|her|his|their)"
_PASSWORD = rf"(?:[\w-]{{1,20}}{_GAP}){{0,2}}?(?:password|passphrase|passcode)"
_AS = expression(
    rf"""(?i)(?<![a-z])(?:use|using|try|enter|type|set|with|choose|chose|take){_GAP}["'`]?(?P<x>[^\s"'`\[]{{6,100}})["'`]?"""
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
_NAMES_OF_SEEDS = (
    *("seed phrase", "recovery phrase", "backup phrase", "mnemonic"),
    *("seed words", "recovery words", "backup words"),
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
    yield from _abroad(text, low)
    yield from _logins(text, low)
    if any(name in low for name in _TELLING):
        yield from _apart(text, _APART)
        yield from _apart(text, _TOLD)
        for pattern in (_WEAK, _WEAK_OWN):
            yield from (("password", match.span("x")) for match in pattern.finditer(text) if match["password"])
    if any(name in low for name in _IN_FULL):
        for pattern in (_AS, _IS_IT):
            for match in pattern.finditer(text):
                if is_unlike_a_word("password", match["x"], strictly=True):
                    yield "password", match.span("x")


def _abroad(text: str, low: str) -> Iterator[tuple[str, Span]]:
    if any(name in low for name in _NAMES_ABROAD):
        yield from _unlike_words(text, _ABROAD)


def _logins(text: str, low: str) -> Iterator[tuple[str, Span]]:
    """login: ann / …"""
    if "login" in low or "cred" in low or "zugang" in low:
        yield from _unlike_words(text, _LOGIN, strictly=False)
        yield from _unlike_words(text, _IS_LOGIN)
    if any(name in low for name in _NAMES_OF_SEEDS):
        yield from (("seed phrase", match.span("x")) for match in _SEED.finditer(text))


def _unlike_words(text: str, pattern: re.Pattern[str], *, strictly: bool = True) -> Iterator[tuple[str, Span]]:
    for match in pattern.finditer(text):
        value = match["x"].rstrip(".,:;!?")
        if is_unlike_a_word("password", value, strictly=strictly) and "(" not in value:
            yield "password", (match.start("x"), match.start("x") + len(value))


def _apart(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, Span]]:
    for name in pattern.finditer(text):
        kind = next(kind for kind in ("password", "key", "token") if name[kind])
        if (quoted := QUOTED.match(text, name.end())) and looks_like_secret(kind, quoted[quoted.lastgroup or 0]):
            yield kind, quoted.span(quoted.lastgroup or 0)
        elif bare := UNQUOTED.match(text, name.end()):
            value = bare[0].rstrip(".,:;!?")
            if is_unlike_a_word(kind, value, strictly=pattern is _TOLD) and not text.startswith(("(", "["), bare.end()):
                yield kind, (bare.start(), bare.start() + len(value))
