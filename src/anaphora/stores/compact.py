# ruff: noqa: E501 - the dictionary is data
"""What was understood of a message, at rest: JSON, squeezed with a dictionary of what such JSON mostly says.

It is several times as long as the message itself, and nine tenths of it are the same words each time. What a message was
written out to is mostly the message and something put in: that, and where, is what is kept.
"""

from __future__ import annotations

import re
import zlib
from binascii import a2b_base64, b2a_base64

__all__ = ["as_bytes", "as_text", "restored", "shortened", "squeezed", "unsqueezed"]

_SHORT = 100  # bytes that are kept as they are
_MARK = b"2"  # which dictionary new ones are squeezed with: plain JSON begins with a brace
_EDIT = "\1"  # a text that begins with this says how it comes about: how much of the other's beginning and end it has
_EDITED = re.compile("\1([0-9]+),([0-9]+),")

# Part of the file format: never to be changed. What is most common stands last. Another one gets another mark.
_FIRST = (
    b'"metadata":{"source":"redactions":[{"kind":"api-key","reply_to":"m-"resumes":"conversation_id":"route":'
    b'"context_ref":"references":[{"mention":"that","span":["mention":"the button"mention":"it","span":[5,7],'
    b'"referent":"","message_id":"m-","confidence":0.6,"candidates":["],"why":"\'\' is what was talked about most, '
    b'last in the last message"}],"signals":[{"kind":"constraint","text":"kind":"fact","text":"kind":"preference",'
    b'"kind":"closing","kind":"error","kind":"remember","kind":"goal","text":"kind":"decision","text":"","because":"'
    b'"kind":"person","span":["kind":"technology","span":["kind":"function","span":["kind":"file","span":['
    b'"role":"excluded"},{"role":"made"},{"text":"{"intents":[{"name":"CLOSE","confidence":0.9},{"name":"RESUME",'
    b'"confidence":{"name":"CORRECT","confidence":{"name":"TEST","confidence":{"name":"PLAN","confidence":{"name":"ASK",'
    b'"confidence":{"name":"EXECUTE","confidence":0.95}],"entities":[{"text":"","kind":"concept","span":[1],'
    b'"role":"subject"},{"text":"","kind":"concept","span":["role":"oblique"},{"text":"","kind":"concept","span":[2],'
    b'"role":"attribute"}],"boundary":{"decision":"new","best_guess":"new","confidence":1.0,"reason":"It is the first '
    b'message here."},"boundary":{"decision":"same","best_guess":"same","confidence":0.99,"reason":"Only seconds have '
    b"passed; 'it' points back. it begins like a continuation; it speaks of something known (though it names ''). "
    b'","factors":[{"name":"gap","weight":-4.11,"says":"only seconds have passed"},{"name":"overlap","weight":-5.44,'
    b'"says":"\'\' is what this is about"},{"name":"reference","weight":-0.4,"says":"it speaks of something known"},'
    b'{"name":"form","weight":1.43,"says":"it names \'\'"},"says":"it says something of its own"}]},"importance":0.7}'
)
# What the reader made common: its factors, how it words a reason, where a reference was found.
_SECOND = _FIRST + (
    b'"state","weight":2.4,"says":"the last conversation was ended"},{"name":"closing","weight":-3.5,"says":"it closes '
    b'what was open"the reply just before"}]what user said just before"not sure enough to put in: '
    b'"why":"the second of three in the reply just before"decision":"ask","best_guess":"new"It reads like '
    b"something of its own; it reads like going on; It has the form of a new request; minutes have passed; it shares few "
    b"words with what was said' and ' and more came up before (though it reads like something of its own; (though it "
    b'shares no words with what was said)."says":"it begins like a continuation""says":"it has the form of a new request"'
    b'"says":"it shares few words with what was said""says":"it shares no words with what was said""says":"it reads like '
    b'something of its own"minutes have passed"only a minute has passed","factors":[{"name":"gap","weight":-2.48,"says":'
    b'"only seconds have passed"},{"name":"overlap","weight":-1.25,"says":"\'\' and \'\' and more came up before"},{"name":'
    b'"reading","weight":-2.05,"says":"it reads like going on"},{"name":"form","weight":0.25,"says":"it has the form of a '
    b'follow-up"}]},"kind":"technology","span":[1],"role":"object"},{"text":"","kind":"concept","span":[2],"role":"object"},'
    b'"references":[{"mention":"the","span":[1],"referent":"","message_id":"m-","confidence":0.85,"candidates":["",""],'
    b'"why":"\'\' is in what me said 2 messages back"}],"context_ref":"","confidence":0.97}],"entities":[{"text":"'
)
_DICTIONARIES = {b"1": _FIRST, b"2": _SECOND}


def squeezed(text: str) -> bytes:
    """The JSON of an object, shorter where that is worth it."""
    plain = text.encode()
    if len(plain) <= _SHORT:
        return plain
    press = zlib.compressobj(level=9, wbits=-zlib.MAX_WBITS, zdict=_DICTIONARIES[_MARK])
    return _MARK + press.compress(plain) + press.flush()


def unsqueezed(data: bytes) -> str:
    """What was squeezed; a ValueError if this is neither that nor plain."""
    dictionary = _DICTIONARIES.get(data[:1])
    if dictionary is None:
        return data.decode()
    press = zlib.decompressobj(wbits=-zlib.MAX_WBITS, zdict=dictionary)
    try:
        return press.decompress(data[len(_MARK) :]).decode()
    except zlib.error as error:
        raise ValueError(f"it cannot be unpacked: {error}") from error


def as_text(data: bytes) -> str:
    """What was squeezed, in letters: so it was stored by schema 1, so it goes into checksums."""
    mark = data[:1]
    if mark not in _DICTIONARIES:
        return data.decode(errors="backslashreplace")
    return mark.decode() + b2a_base64(data[1:], newline=False).decode()


def as_bytes(text: str) -> bytes:
    """The other way; what is in neither form is left as it is."""
    mark = text[:1].encode()
    try:
        return mark + a2b_base64(text[1:], strict_mode=True) if mark in _DICTIONARIES else text.encode()
    except ValueError:
        return text.encode()


def shortened(text: str, of: str) -> str:
    """A text by what it has in common with another, where that is shorter."""
    begin = _alike(text, of)
    end = _alike(text[begin:][::-1], of[begin:][::-1])
    edit = f"{_EDIT}{begin},{end},{text[begin : len(text) - end]}"
    return edit if len(edit) < len(text) or text.startswith(_EDIT) else text


def restored(text: str | None, of: str) -> str | None:
    """The text that was shortened."""
    if not text or text[0] != _EDIT:
        return text
    edit = _EDITED.match(text)
    if edit is None:  # it was never shortened
        return text
    return of[: int(edit[1])] + text[edit.end() :] + of[len(of) - int(edit[2]) :]


def _alike(one: str, two: str) -> int:
    """How many characters two texts have in common from their beginning."""
    same, most = 0, min(len(one), len(two))
    while same < most:
        middle = (same + most + 1) // 2
        if one[same:middle] == two[same:middle]:
            same = middle
        else:
            most = middle - 1
    return same
