"""Secrets that have no shape of their own and are known by the name they are given to: DB_PASSWORD=…, "token": "…"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora.types import Span
from anaphora.understanding.patterns import expression

__all__ = ["QUOTED", "UNQUOTED", "find_named", "is_unlike_a_word", "kind_of_name", "looks_like_secret"]

_WORDS = r"""(?P<password>(?:pass(?:word|wd|wort|phrase|code)|(?:(?<![a-zA-Z])|(?-i:(?<=[a-z])(?=P)))(?:pass|pwd|pw)))s?
  | (?P<key>(?:api|access|secret|private|encryption|signing|master|auth|account|service|deploy|license|shared|session)
        [ _-]?(?:access[_-]?)?key(?:[_-]?base)?)
  | (?P<token>token)
  | (?P<secret>secret|credential)s?"""
_ENDING = r"(?:[_-]?(?:base|value|prod|production|dev|development|staging|test|live|old|new|current|\d{1,2}))?"
_BEGINNING = r"(?=[acdelmpst][aceihnopruw])"  # of each of the words: most places are ruled out by it
_NAME = expression(rf"{_BEGINNING}(?:{_WORDS}){_ENDING}(?![A-Za-z0-9])", re.VERBOSE | re.IGNORECASE)

# How a value is given to a name: what closes the name, then the sign. A type may stand between: token: str = "…".
_GIVEN = expression(
    r"""[\\"'`\]]{0,4}[?]?(?:\[\d{0,4}\])?
    (?: [ \t]{1,4}(?:is|was|(?P<to>to))(?:[ \t]{0,4}[:=]|(?=[ \t]))
      | [ \t]{0,4}:[ \t]{0,4}[A-Za-z_&*][A-Za-z_.|&' \[\]]{0,40}?[ \t]{0,4}=(?=[ \t]{0,4}[bfru]{0,2}["'`])
      | (?P<arrow>[ \t]{0,10}(?:->|→|[ \t][-–—](?=[ \t])))
      | (?P<equals>[ \t]{0,10}(?::=|=>|=(?![=~>])))
      | (?P<colon>[ \t]{0,10}(?::(?![:=])|：))
      | (?P<comma>[ \t]{0,4},(?=[ \t]{0,4}[\\]{0,3}["']))
      | (?P<tag>>)
      | (?P<bare>(?=[ \t]))
    )[ \t]{0,20}""",
    re.VERBOSE,
)
_SETTING = expression(r"(?i)(?<![a-z])(?:re)?(?:set|chang|updat|make)")  # the password *to* something
QUOTED = expression(
    r"""[bfru]{0,2}(?:
        [\\]{1,3}"(?P<escaped>[^"\\\n]{1,4000})[\\]{1,3}"
      | "(?!"")(?P<double>(?:[^"\\\n]|\\.){1,4000})"
      | '(?!'')(?P<single>(?:[^'\\\n]|\\.){1,4000})'
      | `(?P<back>[^`\n]{1,4000})`
    )""",
    re.VERBOSE,
)
_RUN = expression(r"""[^\s"'`]*""")
UNQUOTED = expression(r"""[^\s"'`,;(){}\[\]<>\\]{1,200}""")
_UNQUOTED_IN_SHELL = expression(r"""(?:(?!\[redacted:)[^\s"'`;\\]){1,200}""")
_NEXT_PARAMETER = expression(r"&(?=&|[\w.-]{1,40}=)")

_STANDS_IN = expression(
    r"""\$[({]|\$\w+$|%[sd({]|[{<\[]|\*+$|\.{3}|…|x{3,}$|[&*@!#%][A-Za-z_]{1,40}$""",
    re.IGNORECASE,
)
_BLANK_INSIDE = expression(r"\{[\w.: ]{0,40}\}|<[\w -]{1,40}>")
_PLACE = expression(
    r"[a-z][a-z0-9+.-]{0,30}://|\.{0,2}/(?![a-z0-9+/]{39}=*$)|~|[a-z]:\\|[\w.+-]{1,80}@[\w-]{1,80}\.[a-z.]{2,20}$",
    re.IGNORECASE,
)
_FILE = expression(
    r"\.(?:pem|key|json|ya?ml|txt|env|pyi?|[jt]sx?|vue|go|rs|java|kt|cs|cpp|md|html?|css|sh|toml|ini|cfg|conf|php|rb|"
    r"sql"
    r"|log|crt|csv|xml|properties)$",
    re.IGNORECASE,
)
_PATH_OF_NAMES = expression(r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+$")
_KNOWN_WITH_NUMBER = expression(
    r"""(?:u?int|i|u|f|float|utf|utf-|sha|sha-|md|base|aes|aes-|rsa|rsa-|hs|rs|es|ps|ed|x|bcrypt|argon|pbkdf|scrypt|crc
        |oauth|http|uuid|uuidv|v|char|varchar|string|bytes|byte|iso|iso-|ipv|ec|p|web|php|python|node|vue|log|gpt-?|jsr)
        [-_]?\d{1,4}(?:[-_]?\w{0,5})?$
      | \d{1,4}[-_]?(?:char|byte|bit|digit|letter|minute|min|hour|day|week|sec|time|x|st|nd|rd|th|ms|[km]b?|h|d|s)
        [a-z]{0,5}$""",
    re.VERBOSE | re.IGNORECASE,
)
_WORDS_OF_CODE = frozenset(
    {"true", "false", "none", "null", "nil", "undefined", "string", "str", "text", "bytes", "object", "any", "unknown"}
    | {"required", "optional", "password", "passwd", "secret", "token", "empty", "hidden", "masked", "redacted"}
    | {"changeme", "change_me", "placeholder", "example", "default", "prompt", "stdin", "input", "1password"}
)
_TOLD_OF_A_SETTING = frozenset(
    ["mandatory", "needed", "unset", "missing", "yes", "no", "boolean", "number", "integer", "encrypted", "sensitive"]
)
_OF_AN_ERROR = expression(r"(?:^|_)(?:ERR|ERROR|INVALID|WRONG|BAD|INCORRECT|WEAK|FORGOT|RESET|CHANGE|MISSING)_")
_REST_OF_LINE = expression(r"""([^\s"'`,;(){}\[\]<>\\$]{4,200})(?=[ \t]{0,20}(?:\r?\n|$)|[ \t]{1,20}#)""")
_OPERATION = expression(r"[ \t]{1,4}(?:[-+*/%|&]{1,2}|[<>!=]=|and|or|if)[ \t]")
_PARAMETER = expression(r"[A-Za-z]+(?:_[A-Za-z]+)*=\d{1,4}$")  # min_length=8
_NUMBERED = expression(r"(?:pass|password|passwd|pwd|pw|token|secret|key)[_-]?\d{1,2}$", re.IGNORECASE)
_WORD_AND_NUMBER = expression(r"(?=[A-Za-z_:/-]{4})[A-Za-z]+(?:[_:/-][A-Za-z]+){0,6}[_:/-]?\d{1,4}")
_NAME_WITH_DIGIT = expression(r"[A-Za-z]*[a-z]\d|[A-Z]+\d{1,2}")
_DRAWN = 20  # characters of what nobody wrote by hand
_BLANKS = expression(
    r"(?i)(?:^|[^a-z])(?:your|my|the|some|insert|enter|replace|placeholder|example|changeme|dummy)(?:$|[^a-z])"
)
_PIECES = expression(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_DIGIT, _LETTER, _BLANK = expression(r"\d"), expression(r"[^\W\d_]"), expression(r"\s")
_MARK = expression(r"[!@#$%^&?~]")
_TELLING = ("pass", "pw", "key", "token", "secret", "credential")  # one of them is in every name
_READ = 200  # characters of a value by which it is judged
_BEFORE = 60  # characters of a name that stand before its telling word
_KINDS = {"password": "password", "key": "key", "token": "token", "secret": "secret"}


def find_named(text: str) -> Iterator[tuple[str, Span]]:
    """Each value that is given to a name of a secret and does look like one, with its kind."""
    low = text.lower()
    if not any(word in low for word in _TELLING):
        return
    end = 0
    for name in _NAME.finditer(text):
        given = _GIVEN.match(text, name.end())
        if given is None or given.end() < end or _is_in_mark(text, name.start()):
            continue
        span = _value(text, name, given)
        if span is not None:
            end = span[1]
            yield _KINDS[name.lastgroup or "secret"], span


def kind_of_name(name: str) -> str | None:
    """What kind of secret a field of this name holds, if any."""
    found = [match for match in _NAME.finditer(name) if match.end() == len(name)]
    return _KINDS[found[-1].lastgroup or "secret"] if found else None


def looks_like_secret(kind: str, value: str) -> bool:
    """Whether the value of a field of this kind is the secret itself, and no word that stands in for it."""
    return _is_literal_secret(kind, value)


def _value(text: str, name: re.Match[str], given: re.Match[str]) -> Span | None:
    kind = _KINDS[name.lastgroup or "secret"]
    start = _start_of_name(text, name.start())
    before = text[start - 1 : start] if start else ""
    quoted = QUOTED.match(text, given.end())
    if given["tag"]:
        return _tagged(text, given.end(), kind) if before in ("<", ":") else None
    if given["comma"] and text[max(0, start - 2) : start] not in ("('", '("'):
        return None
    if given["to"] and not _SETTING.search(text, max(0, start - _BEFORE), start):
        return None
    if quoted is not None:
        inside = quoted.lastgroup or "double"
        return quoted.span(inside) if _is_literal_secret(kind, quoted[inside]) else None
    if given["bare"] is not None and not text.startswith("-", start):  # "log in with password hunter2"
        span = _unquoted(text, given.end(), kind, in_shell=False, spaced=True)
        return span if span is not None and is_unlike_a_word(kind, text[slice(*span)]) else None
    if given["arrow"]:  # what something is made of, or goes to, stands there as well
        span = _unquoted(text, given.end(), kind, in_shell=False, spaced=True)
        return span if span is not None and is_unlike_a_word(kind, text[slice(*span)], strictly=True) else None
    if given["colon"] and (span := _in_settings(text, text[start : name.end()], kind, given.end())):
        return span
    in_shell = given["equals"] == "=" and text[given.end() - 1] == "=" and text[start : name.end()].isupper()
    return _unquoted(text, given.end(), kind, in_shell=in_shell, spaced=(given["equals"] or "")[:1] == " ")


def _is_in_mark(text: str, at: int) -> bool:
    """Whether it stands in "[redacted: password]", which is no name."""
    mark = text.rfind("[redacted: ", max(0, at - _BEFORE), at)
    return mark >= 0 and text.find("]", mark, at) < 0


def _start_of_name(text: str, at: int) -> int:
    """Where the whole name begins of which a word stands at `at`: DB_PASSWORD, --db-password."""
    first = max(0, at - _BEFORE)
    while at > first and (text[at - 1].isalnum() or text[at - 1] in "_-"):
        at -= 1
    return at


def _tagged(text: str, at: int, kind: str) -> Span | None:
    """<password>…</password>"""
    end = text.find("</", at, at + 200)
    return (at, end) if end > at and _is_literal_secret(kind, text[at:end]) else None


def _unquoted(text: str, at: int, kind: str, *, in_shell: bool, spaced: bool) -> Span | None:
    found = (_UNQUOTED_IN_SHELL if in_shell else UNQUOTED).match(text, at)
    if found is None:
        return None
    value = _NEXT_PARAMETER.split(found[0])[0].rstrip(".,:;)")
    if not in_shell and (text[at + len(value) : at + len(value) + 1] in ("(", "[") or _is_reckoned(text, at, value)):
        return None  # a call, an index, a sum
    shown = _is_shell_secret(kind, value) if in_shell else _is_loose_secret(kind, value, spaced=spaced)
    if not shown:
        return None
    if len(value) < _READ:
        return at, at + len(value)
    rest = _RUN.match(text, at)  # only its beginning was read
    return (at, rest.end()) if rest is not None else None


def _is_reckoned(text: str, at: int, value: str) -> bool:
    """Whether a name of code stands there with which something is done: width2 + 3."""
    return value.isidentifier() and _OPERATION.match(text, at + len(value)) is not None


def _in_settings(text: str, name: str, kind: str, at: int) -> Span | None:
    """MYSQL_ROOT_PASSWORD: toor, alone on the rest of its line: a settings file has it so."""
    value = _REST_OF_LINE.match(text, at) if kind == "password" and name.isupper() and "_" in name else None
    if value is None or _OF_AN_ERROR.search(name):
        return None
    return value.span(1) if _is_shell_secret(kind, value[1]) and value[1].lower() not in _TOLD_OF_A_SETTING else None


def _is_literal_secret(kind: str, value: str) -> bool:
    """In quotes: what stands there is meant, but it may be a label or a name."""
    if _BLANK.search(value):
        long = [word for word in value.split() if len(word) >= 8 and _is_mixed(word)]
        return any(_is_literal_secret(kind, word) for word in long)
    digits = _DIGIT.search(value) is not None
    if kind == "password":
        strange = len(value) >= 4 and (digits or _has_mark_inside(value, at_end=len(value) >= 8))
    else:
        strange = len(value) >= 8 and digits and not _is_name(value) and not _is_label(kind, value)
    return strange and not _is_word(value) and (_is_mixed(value) or not _PATH_OF_NAMES.match(value))


def _is_shell_secret(kind: str, value: str) -> bool:
    """NAME=value, as a shell or a settings file has it: nothing but the value can stand there."""
    letters, digits = bool(_LETTER.search(value)), bool(_DIGIT.search(value))
    mixed_case = value.isalpha() and value not in (value.lower(), value.upper())
    strange = len(value) >= 4 if kind == "password" else len(value) >= 8 and letters and (digits or mixed_case)
    to_fill_in = _BLANKS.search(value) and (not digits or _is_name(value))
    return strange and not to_fill_in and (not _is_word(value) or (kind == "password" and value == "secret"))


def _is_loose_secret(kind: str, value: str, *, spaced: bool) -> bool:
    """Without quotes: it may be a word of a sentence, or a name in code."""
    letters, digits = bool(_LETTER.search(value)), bool(_DIGIT.search(value))
    if kind != "password":
        strange = (len(value) >= 6 and letters and digits and not _is_name(value) and not _is_label(kind, value)) or (
            len(value) >= 16 and value.isdigit()
        )
    elif letters:
        strange = len(value) >= 4 and (digits or _has_mark_inside(value))
        strange = strange and not (spaced and "_" in value and _is_name(value))
    else:
        strange = len(value) >= 6 and digits and (value.isdigit() or _has_mark_inside(value))
    drawn = len(value) >= _DRAWN and _is_mixed(value)  # "s." and a token is no path
    named_alike = _NUMBERED.match(value) or _PARAMETER.match(value)
    return strange and not _is_word(value) and not named_alike and (drawn or not _PATH_OF_NAMES.match(value))


def is_unlike_a_word(kind: str, value: str, *, strictly: bool = False) -> bool:
    """Whether a value is plainly one, where little but its place says that it is given to a name. Strictly, a name of
    code with a number, such as hash1, is not."""
    if kind != "password":
        return len(value) >= 12 and _is_mixed(value)
    letters, digits = bool(_LETTER.search(value)), bool(_DIGIT.search(value))
    plain = len(value) >= 7 and letters and digits and not any(c in "_-./:=+|" for c in value)
    return plain and not _is_word(value) and not (strictly and _NAME_WITH_DIGIT.fullmatch(value))


def _is_word(value: str) -> bool:
    """A word of code, a blank to fill in, a variable, a path, an address: nothing that is secret itself."""
    bare = value.strip("\"'!?.,:;|")
    return (
        bare.lower() in _WORDS_OF_CODE
        or _FILE.search(value) is not None
        or _STANDS_IN.match(value) is not None
        or _BLANK_INSIDE.search(value) is not None
        or _PLACE.match(value) is not None
        or _KNOWN_WITH_NUMBER.match(bare) is not None
    )


def _is_name(value: str) -> bool:
    """Whether it reads like a name that somebody gave, such as user_token_v2, and not like one that was drawn."""
    if not re.fullmatch(r"[\w.$:/|+?!-]+", value):
        return False
    pieces = _PIECES.findall(value)
    letters = [piece for piece in pieces if piece.isalpha()]
    digits = [piece for piece in pieces if piece.isdigit()]
    if not letters or len(digits) > 2 or any(len(piece) > 2 for piece in digits):
        return False
    scattered = len(value) >= 20 and 3 * sum(len(piece) <= 2 for piece in letters) > len(letters)
    return not scattered and sum(map(len, letters)) >= 3 * len(letters) - 2


def _is_label(kind: str, value: str) -> bool:
    """Whether a token or a key is one of a list or a table, a word and its number: hello123, user:1234."""
    return kind in ("token", "key") and _WORD_AND_NUMBER.fullmatch(value) is not None


def _is_mixed(value: str) -> bool:
    """Letters and digits, and no name."""
    return bool(_DIGIT.search(value) and _LETTER.search(value)) and not _is_name(value)


def _has_mark_inside(value: str, *, at_end: bool = False) -> bool:
    return _MARK.search(value, 1, len(value) if at_end else len(value) - 1) is not None
