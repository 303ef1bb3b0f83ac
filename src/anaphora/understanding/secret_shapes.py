"""Secrets that have a shape of their own: keys of known services, tokens, private keys, card numbers, URLs."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Iterator

from anaphora.types import Span
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.secret_commands import find_in_commands
from anaphora.understanding.secret_tokens import find_tokens
from anaphora.understanding.secret_values import is_drawn, is_stand_in, is_template

__all__ = ["find_shaped"]

_BEARER = expression(r"(?i)(?<![a-z0-9])bearer[ \t]{1,5}((?=[A-Za-z_\-.=+/~]{0,200}\d)[\w\-.=+/~]{20,})")
_HEADER = any_case(
    r"""(?:authorization|x-jfrog-art-api)["'`\\]{0,3}[ \t]{0,5}[:=,][ \t]{0,5}["'`\\]{0,3}"""
    r"""(?:([a-z][\w-]{0,30})[ \t]{1,5}(?:token=|key=)?["'\\]{0,2})?([^\s"'`<>\[\]{}$*,;]{6,2000})"""
)
_SCHEMES = frozenset(["basic", "bearer", "token", "apikey", "digest", "bot", "key"])
_ID = any_case(r"[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}")
_BASIC = expression(r"(?i)(?<![a-z0-9])basic[ \t]{1,5}([A-Za-z0-9+/]{8,2000}={0,2})")
_IN_URL = expression(
    r"""[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s:/@?#\[\]"'`<>]{0,100}+:"""
    r"""([^\s@"'`<>]{1,300}+(?:@[^\s@"'`<>?#&=,]{0,200}[^\s@"'`<>?#&=,/](?=@)){0,3})@(?=[\w.\[-])"""
)
_USER_OF_URL = expression(r"[a-zA-Z][a-zA-Z0-9+.-]{1,20}://([\w.~%-]{20,300}+)@(?=[\w.\[-])")
_IN_QUERY = any_case(r"[?&](?:key|auth|sig|signature|code|appid|x-(?:amz|goog)-signature)=([\w%+/=.~-]{20,2000})")
_WORD_THEN_NUMBER = expression(r"[A-Za-z_.-]*\d{0,4}")
_PORT = expression(r"\d{1,5}[/?#]")
_COOKIE = expression(
    r"""(?i)(?<![\w.-])(?:(?:JSESSIONID|PHPSESSID|ASPSESSIONID[A-Z]{0,12}|ASP\.NET_SessionId|connect\.sid|laravel_session|
    ci_session)=([\w%.~+/-]{10,4000}+) | (?:sessionid|session_id|_session_id)=([\w%.~+/-]{16,4000}+))""",
    re.VERBOSE,
)
_COOKIES = expression(r"""(?i)(?<![\w-])(?:set-)?cookie["']?[ \t]{0,3}:[ \t]{0,3}["']?([^\n"'`]{8,4000})""")
_OF_SESSION = expression(
    r"(?i)(?<![\w.-])[\w.-]{0,30}?(?:sess|(?<![a-z])sid|auth|token|jwt|remember)[\w.-]{0,30}=([^\s;,]{8,4000}+)"
)
_PUTTY_KEY = expression(
    r"PuTTY-User-Key-File-\d{1,2}:[^\n]{0,100}\n(?:[^\n]{0,200}\n){1,60}?Private-Lines:[ ]?\d{1,3}\s{1,3}"
    r"(?:[A-Za-z0-9+/=]{1,100}+(?:\s{1,3}|$)){1,200}+(?:Private-MAC:[ ]?[0-9a-f]{8,128})?"
)
_PRIVATE_KEY = expression(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"((?:[^-]|-(?!----)){0,60000}+)(-----END [A-Z0-9 ]{1,40}-----)?"
)
_KEY_LINES = expression(
    r"""(?:(?:\s|\\[nr]|["'+,\\]){1,12}[A-Z][A-Za-z-]{1,20}:[ ][^\n]{0,100}){0,5}"""  # Proc-Type, DEK-Info, Version
    r"""(?:(?:\s|\\[nr]|["'+,\\]){1,12}(?:[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/]{1,15}={1,2}))+"""
)
_KEY_IN_QUOTES = expression(  # "> MIIE…", "# MIIE…", "12  MIIE…": as it stands in a mail, a comment, a listing
    r"""[^\n]{0,10}\n(?:(?=[\s\S])[ \t]{0,12}(?:(?:[>\#|*;+-]|//|\d{1,5}[:|.)]?)[ \t]{0,12}){0,3}"""
    r"""(?:[A-Z][A-Za-z-]{1,20}:[ ][^\n]{0,100}|[A-Za-z0-9+/=]{1,200})?[ \t]{0,4}(?:\r?\n|\Z))++"""
)
_WHOLE_LINE = expression(r"[A-Za-z0-9+/=]{40,}")
_COUNTED = (
    r"(?:order|tracking|invoice|snowflake|tweet|message|booking|shipment|parcel|serial|reference|request|trace|user"
    r"|post|channel|phone|fax)"
)
_OF_ANOTHER_NUMBER = any_case(  # by chance, one in ten of them could be a card's
    rf"(?:{_COUNTED}[ _-]?(?:numbers?|no\.?|nr\.?|ids?|#)"
    r"|(?<![a-z])(?:order|phone|fax|hotline|imei|iccid|snowflake|(?<!card )(?<!card_)ids?))"
    r"""["'`\\]{0,3}[ \t]{0,3}(?:is|was)?[ \t]{0,3}[:=#]?[ \t]{0,3}["'`]?$"""
)
_FOUR_DIGITS = expression(r"\d\d\d\d", re.ASCII)
_CARD = expression(
    r"(?<![\w.])(?<!\d-)(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}([ -])\d{6}\2\d{4,5})"
    r"(?!\w|[.-]\d)",
    re.ASCII,
)
_ISSUERS = expression(
    r"""4(?:\d{12}|\d{15}|\d{18}) | 5[1-5]\d{14} | 2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12} | 3[47]\d{13}
      | 3(?:0[0-5]|[68]\d)\d{11} | 35(?:2[89]|[3-8]\d)\d{12} | 6(?:011|4[4-9]\d|5\d\d|2\d\d)\d{12,15}""",
    re.VERBOSE,
)


def find_shaped(text: str) -> Iterator[tuple[str, Span]]:
    """Each secret that its shape gives away, with its kind; those of the same place may overlap."""
    if "PRIVATE KEY" in text:
        yield from _private_keys(text)
    if "PuTTY-User-Key-File" in text:
        yield from (("private key", match.span()) for match in _PUTTY_KEY.finditer(text))
    yield from find_tokens(text)
    yield from _headers(text)
    if "://" in text:
        yield from _urls(text)
    if "=" in text and ("?" in text or "&" in text):
        yield from (("key in a url", match.span(1)) for match in _IN_QUERY.finditer(text) if is_drawn(match[1]))
    yield from find_in_commands(text)
    yield from _cookies(text)
    if _FOUR_DIGITS.search(text):
        yield from _cards(text)


def _cookies(text: str) -> Iterator[tuple[str, Span]]:
    """What holds a session open: by the name that a server gives it, or any in a header that speaks of one."""
    low = text.lower()
    if "sess" in low or "connect.sid" in low:
        for match in _COOKIE.finditer(text):
            group = match.lastindex or 1
            if _is_drawn(match[group]):
                yield "session cookie", match.span(group)
    if "cookie" in low:
        for header in _COOKIES.finditer(text):
            for match in _OF_SESSION.finditer(text, *header.span(1)):
                if _is_drawn(match[1]):
                    yield "session cookie", match.span(1)


def _is_drawn(value: str) -> bool:
    """Letters and digits, and neither a word with a number behind it nor a blank to fill in."""
    return _WORD_THEN_NUMBER.fullmatch(value) is None and not is_template(value) and any(map(str.isdigit, value))


def _private_keys(text: str) -> Iterator[tuple[str, Span]]:
    """From the first line to the last. One that is cut off goes as far as its lines do; one that is only spoken of has
    none."""
    for match in _PRIVATE_KEY.finditer(text):
        end = _end_of_key(text, match.start(1))
        if end:
            yield "private key", (match.start(), match.end() if match[2] else end)


def _end_of_key(text: str, at: int) -> int | None:
    """Where the lines of a key end that begin here, if there are any."""
    lines = _KEY_LINES.match(text, at)
    if lines is not None:
        return lines.end()
    quoted = _KEY_IN_QUOTES.match(text, at)
    ends = [line.end() for line in _WHOLE_LINE.finditer(quoted[0])] if quoted is not None else []
    return at + ends[-1] if ends else None


def _headers(text: str) -> Iterator[tuple[str, Span]]:
    low = text.lower()
    if "bearer" in low:
        yield from (("bearer token", m.span(1)) for m in _BEARER.finditer(text) if not is_stand_in(m[1]))
    if "basic" in low:
        yield from (("basic credentials", m.span(1)) for m in _BASIC.finditer(text) if _is_user_and_password(m[1]))
    if "authorization" in low or "x-jfrog" in low:
        for match in _HEADER.finditer(text):
            scheme = (match[1] or "").lower()
            if _opens(scheme, match[2]):
                yield f"{scheme} credentials" if scheme in _SCHEMES else "credentials", match.span(2)


def _opens(scheme: str, value: str) -> bool:
    """Whether what a header of this scheme holds is what it asks for, and no word that stands for it."""
    if is_stand_in(value):
        return False
    if scheme not in _SCHEMES:
        return "(" not in value and (is_drawn(value, 16) or (bool(scheme) and _ID.fullmatch(value) is not None))
    if any(c.isdigit() for c in value) or (scheme == "basic" and _is_user_and_password(value)):
        return True
    return len(value) >= 20 and value.isalpha() and "token" not in value.lower() and "your" not in value.lower()


def _is_user_and_password(code: str) -> bool:
    try:
        said = b64decode(code.rstrip("=") + "=" * (-len(code.rstrip("=")) % 4), validate=True)
    except (NotBase64, ValueError):
        return False
    return b":" in said and all(byte >= 32 for byte in said)


def _urls(text: str) -> Iterator[tuple[str, Span]]:
    for match in _IN_URL.finditer(text):
        if not _PORT.match(match[1]) and not is_template(match[1]) and not is_stand_in(match[1]):
            yield "password in a url", match.span(1)
    yield from (("token in a url", match.span(1)) for match in _USER_OF_URL.finditer(text) if is_drawn(match[1]))


def _cards(text: str) -> Iterator[tuple[str, Span]]:
    for match in _CARD.finditer(text):
        digits = match[0].replace(" ", "").replace("-", "")
        known = _ISSUERS.fullmatch(digits) and len(set(digits)) > 1 and _luhn([int(digit) for digit in digits])
        if known and not _OF_ANOTHER_NUMBER.search(text, max(0, match.start() - 40), match.start()):
            yield "card number", match.span()


def _luhn(digits: list[int]) -> bool:
    doubled = [sum(divmod(2 * d, 10)) for d in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
