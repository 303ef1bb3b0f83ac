"""Passwords and keys that are given to a command: curl -u, docker login -p, … | chpasswd."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora.types import Span
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.secret_values import is_drawn, is_literal_secret, is_stand_in, is_template

__all__ = ["find_in_commands"]

_COMMAND = expression(
    r"""(?<![\w-])(?:
        (?:curl|wget|https?|xh)\b[^\n]{0,300}?[ \t](?:-u|--user|-a|--auth)[ \t=]{0,3}["']?[^\s:"'/]{1,100}:
      | (?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&\[]{0,200}?[ \t]-p(?!ort|ath|rint|assword|roto|lugin)
      | sshpass[ \t]{1,3}-p[ \t]{0,3}
      | redis-cli\b[^\n]{0,200}?[ \t]-a[ \t]{1,3}
      | (?:docker|podman|nerdctl|az|acr|oc|cf|helm[ \t]registry|skopeo|buildah|oras)[ \t]{1,3}login\b[^\n|;&]{0,200}?
        [ \t]-p[ \t]{1,3}
      | (?:ldap(?:search|modify|add|delete|passwd|whoami|compare))\b[^\n|;&]{0,200}?[ \t]-w[ \t]{1,3}
      | (?:smbclient|rpcclient|smbmap|winexe|smbget)\b[^\n|;&]{0,200}?[ \t]-U[ \t]{0,3}["']?[^\s%"']{1,100}%
      | sqlcmd\b[^\n|;&]{0,200}?[ \t]-P[ \t]{0,3}
      | mongo(?:sh|dump|restore|export|import)\b[^\n|;&]{0,200}?[ \t]-p[ \t]{1,3}
      | htpasswd[ \t]{1,3}-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}[ \t]{1,3}\S{1,200}[ \t]{1,3}\S{1,100}[ \t]{1,3}
      | (?:keytool|jarsigner|apksigner)\b[^\n|;&]{0,300}?[ \t]-{1,2}
        (?:(?:src|dest)?(?:store|key)pass|ks-pass)[ \t=]{1,3}(?:pass:)?
      | (?:un)?zip\b[^\n|;&]{0,160}?[ \t]-P[ \t]{1,3}
      | (?:7za?|7zr|(?:un)?rar)[ \t][^\n|;&]{0,160}?[ \t]-h?p
      | openssl[ \t][^\n|;&]{0,200}?[ \t](?:-pass(?:in|out)?[ \t]{1,3}["']?pass:|-k[ \t]{1,3})
      | ssh-keygen\b[^\n|;&]{0,160}?[ \t]-[NP][ \t]{1,3}
    )["']?(?!-)([^\s"'`<>]{4,200})""",
    re.VERBOSE,
)
_NET_USE = expression(
    r"""(?i)(?<![\w-])net[ \t]{1,3}use\b[^\n/]{0,200}?(?:
        [ \t]\\\\[^\s/]{1,200}[ \t]{1,3}(?P<before>[^\s"'`<>/]{4,100})[ \t]{1,3}/user:
      | /user:[^\s"'/]{1,100}[ \t]{1,3}(?P<after>[^\s"'`<>/]{4,100})
    )""",
    re.VERBOSE,
)
_SQLPLUS = expression(r"""(?i)(?<![\w-])sqlplus[ \t][^\n/@]{0,80}?[\w$#]{1,60}/([^\s"'`<>@/]{3,100})(?=@\w)""")
_NET_USER = any_case(
    r"""(?<![\w-])net[ \t]{1,3}user[ \t]{1,3}[^\s/*"']{1,60}[ \t]{1,3}["']?([^\s"'`<>/*]{4,100})"""
    r"""(?=["']?[ \t]{1,3}/|["']?[ \t]{0,3}(?:\r?\n|$))"""
)
_ECHOED = expression(
    r"""(?<![\w-])(?:echo|printf)[ \t]{1,3}(?:-\w[ \t]{1,3})?["']?([^\s"'`|<>]{4,150})["']?[ \t]{0,3}\|[^\n|]{0,160}?"""
    r"(?:--password-stdin|(?<!\w)chpasswd|sudo[ \t]{1,3}-S|passwd[ \t]{1,3}--stdin)"
)
_OF_REDIS = expression(r"""(?<![\w.-])(?:requirepass|masterauth)[ \t]{1,4}["']?([^\s"'`<>]{4,200})""")
_LOGIN = expression(
    r"(?<![\w-])(?:wandb|cargo|vercel|netlify)[ \t]{1,3}login[ \t]{1,3}(?:--?[\w-]{1,20}[ \t]{1,3})?([\w-]{24,200})"
)
_OF_COMMANDS = (
    (" -", _COMMAND),
    ("\t-", _COMMAND),
    ("/user:", _NET_USE),
    ("net user", _NET_USER),
    ("sqlplus", _SQLPLUS),
    ("echo", _ECHOED),
    ("printf", _ECHOED),
)


def find_in_commands(text: str) -> Iterator[tuple[str, Span]]:
    """Each that stands where a command expects one, with its kind."""
    low = text.lower()
    searched = [pattern for needle, pattern in _OF_COMMANDS if needle in low]
    for match in (found for pattern in searched for found in pattern.finditer(text)):
        group = match.lastgroup or 1
        start, end = match.span(group)
        if match[0].endswith("chpasswd"):
            start = text.find(":", start, end) + 1  # whose it is stands before it
        said = text[start:end]
        if start and len(said) >= 4 and not is_template(said) and not is_stand_in(said):
            yield "password", (start, end)
    if "requirepass" in low or "masterauth" in low:
        for match in _OF_REDIS.finditer(text):
            if is_literal_secret("password", match[1]):
                yield "password", match.span(1)
    if "login" in low and any(name in low for name in ("wandb", "cargo", "vercel", "netlify")):
        yield from (("key", match.span(1)) for match in _LOGIN.finditer(text) if is_drawn(match[1]))
