"""What a value looks like: a secret, or a word, a name, a blank that stands where one could."""

from __future__ import annotations

import re

from anaphora.function_words import FUNCTION_WORDS, word_set
from anaphora.understanding.patterns import any_case, expression

__all__ = [
    "is_chosen",
    "is_drawn",
    "is_literal_secret",
    "is_loose_secret",
    "is_shell_secret",
    "is_stand_in",
    "is_template",
    "is_unlike_a_word",
]

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
    r"\.(?:pem|key|json|ya?ml|txt|env|pyi?|[jt]sx?|vue|go|rs|java|kt|cs|cpp|md|html?|css|sh|toml|ini|cfg|conf|php|rb|sql"
    r"|log|crt|csv|xml|properties)$",
    re.IGNORECASE,
)
_PATH_OF_NAMES = expression(r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+$")
_KNOWN_WITH_NUMBER = expression(
    r"""(?:u?int|i|u|f|float|utf|utf-|sha|sha-|md|base|aes|aes-|rsa|rsa-|hs|rs|es|ps|ed|x|bcrypt|argon|pbkdf|scrypt|crc
        |oauth|http|uuid|uuidv|v|char|varchar|string|bytes|byte|iso|iso-|ipv|ec|p|web|php|python|node|vue|log|gpt-?|jsr)
        [-_]?\d{1,4}(?:[-_]?\w{0,5})?$
      | (?:min|max)?\d{1,4}[-_]?(?:char|caract|zeichen|byte|bit|digit|letter|minute|min|hour|day
        |week|sec|time|x|st|nd|rd|th|ms|[km]b?|h|d|s)[a-z]{0,5}$""",
    re.VERBOSE | re.IGNORECASE,
)
_WORDS_OF_CODE = frozenset(
    {"true", "false", "none", "null", "nil", "undefined", "string", "str", "text", "bytes", "object", "any", "unknown"}
    | {"required", "optional", "password", "passwd", "secret", "token", "empty", "hidden", "masked", "redacted"}
    | {"changeme", "change_me", "placeholder", "example", "default", "prompt", "stdin", "input", "1password"}
)
_PARAMETER = expression(r"[A-Za-z]+(?:_[A-Za-z]+)*=\d{1,4}$")  # min_length=8
_NUMBERED = expression(r"(?:pass|password|passwd|pwd|pw|token|secret|key)[_-]?\d{1,2}$", re.IGNORECASE)
_WORD_AND_NUMBER = expression(r"(?=[A-Za-z_:/-]{4})[A-Za-z]+(?:[_:/-][A-Za-z]+){0,6}[_:/-]?\d{1,4}|[A-Z]{1,8}-\d{1,8}")
_NAME_WITH_DIGIT = expression(r"[A-Za-z]*[a-z]\d|[A-Z]+\d{1,2}")
_DRAWN = 20  # characters of what nobody wrote by hand
_BLANKS = expression(
    r"(?i)(?:^|[^a-z])(?:your|my|the|some|insert|enter|replace|placeholder|example|changeme|dummy)(?:$|[^a-z])"
)
_OF_BLANKS = any_case("your|change|replace|insert|enter|example|here|name|generate")
_PIECES = expression(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_DIGIT, _LETTER, _BLANK = expression(r"\d"), expression(r"[^\W\d_]"), expression(r"\s")
_MARK = expression(r"[!@#$%^&?~]")

_STAND_IN = any_case(
    r"(?:(?:my|your|the|some|db|user|example|test|new|old)[-_]?)?"
    r"(?:pass(?:word|wd|wort|phrase)?|pwd|pw|token|(?:api[-_]?)?key|pat|credentials?)(?:[-_]?(?:here|\d{1,2}))?|(?:token|key)[-_]?\d{1,4}"
)
_TEMPLATE = expression(r"\$[({]|\$\w+$|%[sd(]|[{\[<]|\*+$|\.{3}|…|(?i:x{3,}$)|[\d:.]+$")
_RULES = expression(r"[a-z_]+(?:[:=][\w.]+)?(?:[|,][a-z_]+(?:[:=][\w.,]+)?)+")  # required|min:8
_PLAIN_PIECES = expression(r"(?:[A-Za-z]+|\d+)(?:[-_. ](?:[A-Za-z]+|\d+))*")
_PUBLISHED = expression(
    r"pk_(?:test|live)_|pk\.eyJ|AAAA[BCE]|sha\d{1,3}[:-]"
)  # meant to be seen, or the print of a thing
_OF_MACHINES = expression(r"[A-Za-z0-9+/_=.~%-]{16,4000}")
_OF_A_PATH = expression(r"[a-z]{3,40}[/.]|.{0,200}\.(?:png|jpe?g|gif|svg|webp|pdf|zip|tar|gz|mp[34]|parquet|lock|map)$")
_ID = any_case(r"[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}")
_RUNS = expression(r"[A-Za-z0-9]+")

# What stands where a password could and is none: a label, what is wrong with it, how it is kept, its type.
_OF_LABELS = any_case(
    r"pass|pwd|kennwort|contrase|senha|wachtwoord|adgang|salasana|heslo|parola|clave|secret|token|cred"
)
_SAID_OF_ONE = word_set(
    "alphanumeric always any argon asc ask auto bar basic baz bcrypt bearer blank bool boolean bytes change changed "
    "char check clear cleartext config confirm confirmation current custom danger default demo desc disabled done "
    "dummy email empty enabled encrypt encrypted env environment error example expired external eye fail failed "
    "failure false field file foo forgot forgotten generated github google green hash hashed hasher hidden hide icon "
    "incorrect info input integer interactive invalid key keychain keyring label ldap local lock locked login long "
    "magic managed mandatory manual masked medium mismatch missing name native never new nil none normal null "
    "nullable number oauth off old omitted optional passed phone plain plaintext presence primary prompt protected "
    "qux random red redacted removed required reset rotate rotated same saml sample scrypt secondary sent short show "
    "skip stdin string strong success test testing tests text todo true type undefined unknown unlock unset update "
    "updated user username valid value varchar vault visible warning weak wrong yellow"
)
_OF_SENTENCES = FUNCTION_WORDS | word_set(
    "again blank change changed character characters choose confirm current das dein der die digit digits empty "
    "encrypted enter est field forgot forgotten hashed here hide ihr incorrect input invalid ist las least length les "
    "letter letters long match matches max maximum min minimum mismatch missing most must new number numbers old "
    "optional please repeat required reset see short show stored strong type use used using value votre weak wrong"
)
_REFERENCE = expression(r"[A-Za-z_$][\w$-]*(?:[./:#@][\w$-]+)+|[a-z]+(?:[A-Z][a-z]+)+")


def is_literal_secret(kind: str, value: str) -> bool:
    """In quotes: what stands there is meant, but it may be a label or a name."""
    if _BLANK.search(value):
        long = [word for word in value.split() if len(word) >= 8 and is_mixed(word)]
        return any(is_literal_secret(kind, word) for word in long)
    digits = _DIGIT.search(value) is not None
    if kind == "password":
        strange = len(value) >= 4 and (digits or _has_mark_inside(value, at_end=len(value) >= 8))
    else:
        strange = len(value) >= 8 and digits and not is_name(value) and not is_label(kind, value)
    return strange and not is_word(value) and (is_mixed(value) or not _PATH_OF_NAMES.match(value))


def is_shell_secret(kind: str, value: str) -> bool:
    """NAME=value, as a shell or a settings file has it: nothing but the value can stand there."""
    letters, digits = bool(_LETTER.search(value)), bool(_DIGIT.search(value))
    mixed_case = value.isalpha() and value not in (value.lower(), value.upper())
    strange = len(value) >= 4 if kind == "password" else len(value) >= 8 and letters and (digits or mixed_case)
    of_letters = kind == "secret" and len(value) >= 14 and value.isalpha() and not _OF_BLANKS.search(value)
    return (
        (strange or of_letters)
        and not _is_to_fill_in(value)
        and (not is_word(value) or (kind == "password" and value == "secret"))
    )


def is_chosen(value: str, *, in_setting: bool = False) -> bool:
    """Whether a text in the place of a password is one that somebody chose, though it is made of letters alone or of
    several words. A label, a type, a name of code, a sentence about the password is none. In a setting, where no label
    stands, it may hold such a word."""
    if not (4 <= len(value) <= 64 and value.isascii() and value.isprintable()) or value.isupper():
        return False
    labelled = _OF_LABELS.fullmatch(value) if in_setting else _OF_LABELS.search(value)
    if is_word(value) or labelled or is_stand_in(value):
        return False
    words = value.lower().split()
    if len(words) == 1:
        return value.lower().strip(".!?:") not in _SAID_OF_ONE and not _REFERENCE.fullmatch(value)
    told = value[0].isupper() or value.endswith((".", "?", ":")) or not _OF_SENTENCES.isdisjoint(words)
    return len(words) <= 6 and not told


def is_drawn(value: str, at_least: int = 20) -> bool:
    """Whether a machine drew it, letters and digits mixed: no name, path or id, nothing meant to be seen."""
    value = value.removeprefix("base64:")
    if len(value) < at_least or not _OF_MACHINES.fullmatch(value) or _ID.fullmatch(value) or _PUBLISHED.match(value):
        return False
    longest = max(_RUNS.findall(value), key=len, default="")
    worded = longest.rstrip("0123456789")
    if not _DIGIT.search(worded) or is_name(worded):
        return False  # words, and a number behind them
    return len(longest) >= 12 and is_mixed(longest) and not is_word(value) and not _OF_A_PATH.match(value)


def is_stand_in(value: str) -> bool:
    """Whether a word stands where a password or a token will: user:password, YOUR_TOKEN_1."""
    return _STAND_IN.fullmatch(value) is not None or _is_to_fill_in(value)


def is_template(value: str) -> bool:
    """Whether it begins as what is filled in before it is used: a variable, a blank, stars."""
    return _TEMPLATE.match(value) is not None


def _is_to_fill_in(value: str) -> bool:
    if not _BLANKS.search(value):
        return False
    bare = value.rstrip("0123456789-_")
    return not _DIGIT.search(bare) or is_name(value) or _PLAIN_PIECES.fullmatch(value) is not None


def is_loose_secret(kind: str, value: str, *, spaced: bool) -> bool:
    """Without quotes: it may be a word of a sentence, or a name in code."""
    letters, digits = bool(_LETTER.search(value)), bool(_DIGIT.search(value))
    if kind != "password":
        strange = (len(value) >= 6 and letters and digits and not is_name(value) and not is_label(kind, value)) or (
            len(value) >= 16 and value.isdigit()
        )
    elif letters:
        strange = len(value) >= 4 and (digits or _has_mark_inside(value))
        strange = strange and not (spaced and "_" in value and is_name(value))
    else:
        strange = len(value) >= 6 and digits and (value.isdigit() or _has_mark_inside(value))
    drawn = len(value) >= _DRAWN and is_mixed(value)  # "s." and a token is no path
    named_alike = _NUMBERED.match(value) or _PARAMETER.match(value)
    return strange and not is_word(value) and not named_alike and (drawn or not _PATH_OF_NAMES.match(value))


def is_unlike_a_word(kind: str, value: str, *, strictly: bool = False) -> bool:
    """Whether a value is plainly one, where little but its place says that it is given to a name. Strictly, a name of
    code with a number, such as hash1, is not."""
    if kind != "password":
        return len(value) >= 12 and is_mixed(value)
    letters, digits = bool(_LETTER.search(value)), bool(_DIGIT.search(value))
    plain = len(value) >= 7 and letters and digits and not any(c in "_-./:=+|" for c in value)
    return plain and not is_word(value) and not (strictly and _NAME_WITH_DIGIT.fullmatch(value))


def is_word(value: str) -> bool:
    """A word of code, a blank to fill in, a variable, a path, an address: nothing that is secret itself."""
    bare = value.strip("\"'!?.,:;|")
    return (
        bare.lower() in _WORDS_OF_CODE
        or _FILE.search(value) is not None
        or _STANDS_IN.match(value) is not None
        or _BLANK_INSIDE.search(value) is not None
        or _PLACE.match(value) is not None
        or _KNOWN_WITH_NUMBER.match(bare) is not None
        or _RULES.fullmatch(value) is not None
    )


def is_name(value: str) -> bool:
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


def is_label(kind: str, value: str) -> bool:
    """Whether a token or a key is one of a list or a table, a word and its number: hello123, user:1234."""
    return kind in ("token", "key") and _WORD_AND_NUMBER.fullmatch(value) is not None


def is_mixed(value: str) -> bool:
    """Letters and digits, and no name."""
    return bool(_DIGIT.search(value) and _LETTER.search(value)) and not is_name(value)


def _has_mark_inside(value: str, *, at_end: bool = False) -> bool:
    return _MARK.search(value, 1, len(value) if at_end else len(value) - 1) is not None
