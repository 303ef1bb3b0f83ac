"""Secrets that have no shape of their own and are known by the name they are given to: DB_PASSWORD=…, "token": "…"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora.types import Span
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.secret_values import (
    is_chosen,
    is_drawn,
    is_literal_secret,
    is_loose_secret,
    is_shell_secret,
    is_unlike_a_word,
)

__all__ = ["QUOTED", "UNQUOTED", "find_named", "kind_of_value", "looks_like_secret"]

_WORDS = r"""(?P<password>(?:pass(?:word|wd|wort|phrase|code)|(?:(?<![a-zA-Z])|(?-i:(?<=[a-z])(?=P)))(?:pass|pwd|pw)))s?
  | (?P<key>(?:api|access|secret|private|encryption|signing|master|auth|account|service|deploy|license|shared|session)
        [ _-]?(?:access[_-]?)?key(?:[_-]?base)?)
  | (?P<token>token)
  | (?P<secret>secret|credential)s?
  | (?P<drawn>(?:(?<=[a-z0-9][ _-])|(?-i:(?<=[a-z0-9])(?=K)))key(?:-data)?|(?<![a-z0-9-])auth)"""
_ENDING = r"(?:[_-]?(?:base|value|prod|production|dev|development|staging|test|live|old|new|current|\d{1,2}))?"
_BEGINNING = r"(?=[acdeklmpst][aceihnopruw])"  # of each of the words: most places are ruled out by it
_NAME = expression(rf"{_BEGINNING}(?:{_WORDS}){_ENDING}(?![A-Za-z0-9])", re.VERBOSE | re.IGNORECASE)

# What stands before "key" where the key is that of a thing: it finds the thing, opens nothing, or everyone may see it.
_OF_A_THING = expression(
    r"""(?: (?:cache|primary|public|publish\w{0,10}|pub|partition|sort|foreign|translation|idempoten\w{1,6}|object|anon
          |site|s3|redis|kafka|message|msg|row|record|document|doc|item|group|hash|range|index|unique|composite|lookup
          |dedup\w{0,10}|query|job|build|content|file|issue|routing|list|dict|json|i18n|locale|lang|surrogate
          |natural|business|entity|node|event|host|ssh|gpg|pgp|apt|repo|verif\w{1,10}|data|aria|react|bucket|blob|image
          |asset|media|upload|photo|snapshot|backup|artifact|chunk|digest|checksum|commit|order|product|user|tenant
          |parent|child|input|output|layer|step|stage|test|search|sha\d{0,3}|md5|etag|restore|registry|value)s?[ _-]?
      | (?:^|[^a-z])(?:the|an?|this|that|each|every|same|no|any|which|what|by|of|for|as|and|or|in|on|with|wrong|right
          |first|second|third|last|next|new|old|one|two|per|its|is|to|press|hit|arrow|tab|enter|shift|long|short)[ ]
      )$ | public""",
    re.VERBOSE | re.IGNORECASE,
)
# How a value is given to a name: what closes the name, then the sign. A type may stand between: token: str = "…".
_GIVEN = expression(
    r"""(?:[\\"'`\]]{0,4}[?]?(?:\[\d{0,4}\])?|\*{1,3}|__(?=[ \t]{0,4}[:=]))
    (?: (?P<line>[ \t]{0,4}[:：]?[*_]{0,3}[ \t]{0,4}(?:\r?\n[ \t]{0,8}){1,2}(?:```\w{0,12}\r?\n)?)
      | [ \t]{0,10}(?P<cell>\|)
      | [ \t]{1,4}(?:is|was|(?P<to>to))(?:[ \t]{0,4}[:=]|(?=[ \t]))
      | [ \t]{0,4}:[ \t]{0,4}[A-Za-z_&*][A-Za-z_.|&' \[\]]{0,40}?[ \t]{0,4}=(?=[ \t]{0,4}[bfru]{0,2}["'`])
      | (?P<arrow>[ \t]{0,10}(?:->|→|[ \t][-–—](?=[ \t])))
      | (?P<equals>[ \t]{0,10}(?::=|=>|=(?![=~>])))
      | (?P<colon>[ \t]{0,10}(?::(?![:=])|：)(?:\*{1,3}|__)?)
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
_UNQUOTED_LONG = expression(r"""[^\s"'`,;(){}\[\]<>\\]{20,300}""")
_ALTERNATIVE = expression(r"[ \t]{0,4}\|(?!\|)")  # one of a type: "plain" | "hashed"
_COLON = expression(r"[:：]")
_NEXT_PARAMETER = expression(r"&(?=&|[\w.-]{1,40}=)")

_TOLD_OF_A_SETTING = frozenset(
    ["mandatory", "needed", "unset", "missing", "yes", "no", "boolean", "number", "integer", "encrypted", "sensitive"]
)
_OF_AN_ERROR = expression(r"(?:^|_)(?:ERR|ERROR|INVALID|WRONG|BAD|INCORRECT|WEAK|FORGOT|RESET|CHANGE|MISSING)_")
_REST_OF_LINE = expression(r"""([^\s"'`,;(){}\[\]<>\\$]{4,200})(?=[ \t]{0,20}(?:\r?\n|$)|[ \t]{1,20}#)""")
_OPERATION = expression(r"[ \t]{1,4}(?:[-+*/%|&]{1,2}|[<>!=]=|and|or|if)[ \t]")
_ALONE = expression(r"[`*]{0,3}([^\s|`]{6,300}?)[`*]{0,3}[ \t]{0,10}(?=\r?\n|\||$)")  # on its line, in its cell
_CHOSEN = expression(r"""([A-Za-z][A-Za-z!@#$%^*_-]{3,60})(?=[\s&;"'`,)]|$)""")
_BEFORE_A_SETTING = any_case(
    r"(?:(?:--set(?:-string)?|--from-literal|-e|--env|-D)[ \t=]{0,3}[\w.-]{0,60}\.?|[?&;]|--[\w-]{0,40}"
    r"|(?:^|\n)[ \t]{0,8}(?:spring|quarkus|micronaut|server|management|hibernate|javax|jakarta|ssl|kafka|database"
    r"|datasource|db|jdbc|mail|redis|rabbitmq|ldap|eureka)\.[\w.-]{0,60})$"
)
_OF_MESSAGES = any_case(
    r"forgot|reset|show|hide|invalid|wrong|incorrect|weak|label|hint|err|msg|message|placeholder|title|text|help|require"
    r"|missing|mismatch|toggle|type|short|strength|i18n|translat|valid"
)
_OF_A_LOGIN = any_case(r"(?<![a-z])(?:user|username|login|host|email|database|smtp|db)(?![a-z])")
_TELLING = (  # one of them is in every name
    *("pass", "pw", "key", "token", "secret", "credential"),
    *("auth=", "auth:", 'auth":', "auth':", "auth ="),
)
_READ = 200  # characters of a value by which it is judged
_BEFORE = 60  # characters of a name that stand before its telling word
_NEAR = 120  # characters within which a user or a host stands beside a "pass"
_KINDS = {"password": "password", "key": "key", "token": "token", "secret": "secret", "drawn": "key"}


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


def kind_of_value(name: str, value: str) -> str | None:
    """What kind of secret a value is that a field of this name holds, if it is one and no word that stands for it."""
    found = [match for match in _NAME.finditer(name) if match.end() == len(name)]
    if not found:
        return None
    kind = found[-1].lastgroup or "secret"
    return _KINDS[kind] if _is_meant(name, found[-1], kind, value) else None


def looks_like_secret(kind: str, value: str) -> bool:
    """Whether the value of a field of this kind is the secret itself, and no word that stands in for it."""
    return is_literal_secret(kind, value)


def _is_meant(text: str, name: re.Match[str], kind: str, value: str) -> bool:
    """Whether a value that is written as such is a secret, given to this name."""
    if kind == "drawn":
        return is_drawn(value) and not _is_of_a_thing(text, name)
    return is_literal_secret(kind, value) or (kind == "password" and _is_chosen_for(text, name, value))


def _is_of_a_thing(text: str, name: re.Match[str]) -> bool:
    before = text[_start_of_name(text, max(0, name.start() - 1)) : name.start()]
    return _OF_A_THING.search(before) is not None


def _is_chosen_for(text: str, name: re.Match[str], value: str) -> bool:
    """Whether letters alone, or several words, are the password: not where messages and labels are kept by name, and
    only beside a user or a host where the name is no more than "pass"."""
    start = _start_of_name(text, name.start())
    if name[0].lower() in ("pass", "pw") and start == name.start():
        near = _just_before(text, start, _NEAR), text[name.end() : name.end() + _NEAR].partition("[")[0]
        if not any(_OF_A_LOGIN.search(part) for part in near):
            return False
    line = max(start - 24, text.rfind("\n", 0, start) + 1, text.rfind(" ", 0, start) + 1)
    return is_chosen(value) and not _OF_MESSAGES.search(text, line, name.start())


def _value(text: str, name: re.Match[str], given: re.Match[str]) -> Span | None:
    kind = name.lastgroup or "secret"
    start = _start_of_name(text, name.start())
    if given["tag"]:
        return _tagged(text, given.end(), name) if text[start - 1 : start] in ("<", ":") and start else None
    if given["comma"] and text[max(0, start - 2) : start] not in ("('", '("'):
        return None
    if given["to"] and not _SETTING.search(_just_before(text, start, _BEFORE)):
        return None
    if _is_in_arn(text, start):
        return None
    if given["line"] or given["cell"]:
        return _alone(text, name, given, start)
    if quoted := QUOTED.match(text, given.end()):
        return _quoted(text, name, given, quoted)
    if kind == "drawn":
        return _drawn(text, name, given, start)
    if given["bare"] is not None and not text.startswith("-", start):  # "log in with password hunter2"
        span = _unquoted(text, given.end(), kind, in_shell=False, spaced=True)
        return span if span is not None and is_unlike_a_word(kind, text[slice(*span)]) else None
    if given["arrow"]:  # what something is made of, or goes to, stands there as well
        span = _unquoted(text, given.end(), kind, in_shell=False, spaced=True)
        return span if span is not None and is_unlike_a_word(kind, text[slice(*span)], strictly=True) else None
    return _set(text, name, given, start)


def _set(text: str, name: re.Match[str], given: re.Match[str], start: int) -> Span | None:
    """NAME=value, name: value, and what is said of one: "is value"."""
    kind = name.lastgroup or "secret"
    whole = text[start : name.end()]
    if given["colon"] and (span := _in_settings(text, whole, kind, given.end())):
        return span
    close = given["equals"] == "=" and text[given.end() - 1] == "="
    if close and kind == "password" and (chosen := _CHOSEN.match(text, given.end())):
        settings = _BEFORE_A_SETTING.search(
            text[max(0, start - _BEFORE - 20) : start] + whole[: len(whole) - len(name[0])]
        )
        if settings is not None and is_chosen(chosen[1], in_setting=True):
            return chosen.span(1)
    in_shell = close and whole.isupper()
    return _unquoted(text, given.end(), kind, in_shell=in_shell, spaced=(given["equals"] or "")[:1] == " ")


def _quoted(text: str, name: re.Match[str], given: re.Match[str], quoted: re.Match[str]) -> Span | None:
    kind = name.lastgroup or "secret"
    inside = quoted.lastgroup or "double"
    value, span = quoted[inside], quoted.span(inside)
    assigned = given["comma"] is None and given["bare"] is None and any(sign in given[0] for sign in ":=：")
    if kind == "drawn" or (assigned and inside != "back" and not _ALTERNATIVE.match(text, quoted.end())):
        upper = kind == "secret" and text[_start_of_name(text, name.start()) : name.end()].isupper()
        known = _is_meant(text, name, kind, value) or (upper and is_shell_secret(kind, value))
        return span if known else None
    of_words = given["comma"] is None and given["bare"] is None and len(value.split()) > 2  # is "tiny red fox"
    return span if is_literal_secret(kind, value) or (of_words and _is_meant(text, name, kind, value)) else None


def _drawn(text: str, name: re.Match[str], given: re.Match[str], start: int) -> Span | None:
    """What is given to any other key: nothing but what a machine drew."""
    if given["bare"] is not None and not text.startswith("-", start):
        return None
    value = _UNQUOTED_LONG.match(text, given.end())
    if value is None or _is_of_a_thing(text, name):
        return None
    said = _NEXT_PARAMETER.split(value[0])[0].rstrip(".,:;)")
    if not is_drawn(said):
        return None
    rest = _RUN.match(text, value.start()) if len(said) >= _READ else None  # only its beginning was read
    return value.start(), rest.end() if rest is not None else value.start() + len(said)


def _alone(text: str, name: re.Match[str], given: re.Match[str], start: int) -> Span | None:
    """Under its name, or beside it in a table: on its own, and plainly no word."""
    kind = name.lastgroup or "secret"
    line = _just_before(text, start, _BEFORE).rpartition("\n")[2].strip("#*>_` \t")
    if (given["cell"] and not line.endswith("|")) or (given["line"] and line and not _COLON.search(given[0])):
        return None
    value = _ALONE.match(text, given.end())
    if value is None:
        return None
    if kind == "drawn":
        return value.span(1) if is_drawn(value[1]) and not _is_of_a_thing(text, name) else None
    return value.span(1) if is_unlike_a_word(kind, value[1], strictly=True) else None


def _is_in_arn(text: str, at: int) -> bool:
    """Whether it is a part of the name of a resource: arn:aws:secretsmanager:…:secret:prod/db."""
    before = text[max(0, at - 2 * _BEFORE) : at]
    begun = before.rfind("arn:")
    return begun >= 0 and not any(map(str.isspace, before[begun:]))


def _is_in_mark(text: str, at: int) -> bool:
    """Whether it stands in "[redacted: password]", which is no name."""
    mark = text.rfind("[redacted: ", max(0, at - _BEFORE), at)
    return mark >= 0 and text.find("]", mark, at) < 0


def _just_before(text: str, at: int, most: int) -> str:
    """What stands before a place, back to a bracket: a mark is shorter than what it stands for."""
    return text[max(0, at - most) : at].rpartition("]")[2].rpartition("[")[2]


def _start_of_name(text: str, at: int) -> int:
    """Where the whole name begins of which a word stands at `at`: DB_PASSWORD, --db-password."""
    first = max(0, at - _BEFORE)
    while at > first and (text[at - 1].isalnum() or text[at - 1] in "_-"):
        at -= 1
    return at


def _tagged(text: str, at: int, name: re.Match[str]) -> Span | None:
    """<password>…</password>"""
    end = text.find("</", at, at + 200)
    return (at, end) if end > at and _is_meant(text, name, name.lastgroup or "secret", text[at:end]) else None


def _unquoted(text: str, at: int, kind: str, *, in_shell: bool, spaced: bool) -> Span | None:
    found = (_UNQUOTED_IN_SHELL if in_shell else UNQUOTED).match(text, at)
    if found is None:
        return None
    value = _NEXT_PARAMETER.split(found[0])[0].rstrip(".,:;)")
    if not in_shell and (text[at + len(value) : at + len(value) + 1] in ("(", "[") or _is_reckoned(text, at, value)):
        return None  # a call, an index, a sum
    shown = is_shell_secret(kind, value) if in_shell else is_loose_secret(kind, value, spaced=spaced)
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
    return value.span(1) if is_shell_secret(kind, value[1]) and value[1].lower() not in _TOLD_OF_A_SETTING else None
