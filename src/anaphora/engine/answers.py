"""Understanding the answer to a question: a letter, a number, or the user's own words.

An answer says nothing else: all its words are words that answers are made of, or those of an option. What says which
("the second one", "something else", "the button") outweighs what only moves on ("continue", "start over"), and that
outweighs a yes or no: "no, it is the same" means the same. Once a reply came since the question, "drop it" and "still
the same" are said of the reply, and only what cannot be is an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from anaphora.types import Conversation, Option, Question
from anaphora.understanding.links import placed, surely_named
from anaphora.understanding.patterns import any_case, expression

__all__ = ["Answer", "Since", "chosen", "is_bare_choice", "named_elsewhere", "passes_on", "with_more"]

_LONGEST = 14  # words: who says more says something else


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_YES = _set("y yes yep yeah yup ya yea aye sure right correct exactly indeed absolutely definitely certainly course")
_NO = _set("n no nope nah na naw")
_NOT = _set("not isn't isnt doesn't doesnt don't dont aren't wasn't nothing never neither none")
_SAME = _set(
    "same belongs belong part related connected relates before previous old current existing earlier continuation "
    "unchanged"
)
_NEW = _set("new else different another other separate unrelated fresh anew afresh elsewhere")
_MOVING = _set("go going goes continue continues continuing carry keep proceed resume stay stick still back return")
_STARTING = _set("start starting begin beginning scratch switch switching change forget leave drop")
_PLACES = {"first": 0, "1st": 0, "former": 0, "second": 1, "2nd": 1, "latter": 1}
_NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4"}
_THINGS = _set(
    "one ones thing things stuff topic topics subject conversation chat thread discussion task question matter issue "
    "request idea context story"
)
_FILLING = _THINGS | _set(
    "ok okay well so um umm uh hm hmm oh ah hey sorry actually please pls just maybe probably rather then and but for "
    "thanks thank thx i i'd i'm i'll would say saying talking asking choose choosing pick picking take taking prefer "
    "want wanted like mean meant think guess believe suppose vote answer choice option number letter it it's its is "
    "was are were be this that that's thats these those them they they're there here we we're we've our my your "
    "what where the a an of to with in on at about from as by do does did has have had having let let's lets us should "
    "very whole wholly completely totally entirely quite brand all really fully clearly obviously now instead too also "
    "though something anything ahead along up left off were said talked discussed doing started entirely altogether "
    "together case again way above move moving over"
)
_MAKING = _set("make create open treat call")  # something new, and nothing else
_LETTERED = _set("option answer choose pick take letter choice please go is it's")
_WORDS = _FILLING | _YES | _NO | _NOT | _SAME | _NEW | _MOVING | _STARTING | frozenset(_PLACES)
_AWAY = expression(r"nothing to do with|no connection|off topic|move on|moving on|not at all|not really")
_ASKS = expression(r"(?:what|where|who|how|why|which|is|are|do|does|did|can|could|would|will|should)\b")
_AS_BEFORE = expression(r"(?:what|where|one|thing) (?:we|i|you) ")
_SO = expression(r"(?:think|guess|suppose|believe) so")
_APART = expression(r"\s*(?:[,;:!()…]|\.(?=\s|$)|\s[-–—/=]\s|[–—])\s*")
_WORD = expression(r"[\w#./'-]+")

_IT_IS = r"(?:(?:it|that|this)(?:'s| is) )?(?:(?:completely|totally|entirely|very|quite|brand) )?"
_TALK = r"(?:topic|subject|conversation|chat|thread|discussion)"
_AGREES = expression(r"(?:yes|yep|yeah|yup|sure|right|correct|exactly|no|nope|nah)\b[\s,.!;:–—-]*")
_GOES_ON = expression(r"(?:please )?(?:go on|carry on|keep going|continue)(?: with (?:it|that))?(?: please)?")
_SURELY_NEW = expression(
    rf"{_IT_IS}(?:something (?:(?:completely|totally|entirely|very|quite) )?(?:new|else|different|unrelated|separate)"
    rf"(?: entirely)?|(?:an? |the )?(?:new|another|different|separate|other|unrelated) {_TALK}|"
    rf"(?:an? )?(?:different|separate|unrelated) (?:thing|task|question|matter)|"
    rf"an? new (?:one|thing|task|question)|new|separate|unrelated|not related)|"
    rf"(?:open|start|begin|make|treat)(?: it| this| that)?(?: as)? (?:an? )?new (?:one|{_TALK})|"
    r"neither(?: of (?:them|those|these|the two))?|none of (?:them|those|these|the above)"
)
_SURELY_SAME = expression(
    rf"same|{_IT_IS}(?:still )?(?:all )?the same {_TALK}|same {_TALK}|"
    r"(?:go on|continue|carry on) (?:with )?(?:what|where) we (?:had|were|left off)|"
    r"(?:it|that|this) (?:belongs to|is part of|goes with) (?:it|that)"
)
_TOWARDS = (
    r"(?:(?:please )?(?:go(?:ing)? on|carry(?:ing)? on|keep going|continu(?:e|ing)|stay(?:ing)?|stick(?:ing)?) with |"
    r"(?:(?:it|that|this)(?:'s| is| belongs| goes) )?(?:still )?(?:about |for |to |part of |with |on )?|"
    r"i mean(?:t)? |i was talking about )(?:the |my |our |that )?"
)
_ELSEWHERE = any_case(
    r"(?:(?:no|nope|neither|none(?: of (?:these|those|them))?)[\s,.:;–—-]+)?"
    r"(?:(?:go )?back to |(?:go on|continue) with |i mean(?:t)? |"
    r"(?:(?:it|that|this)(?:'s| is| belongs| goes) )?(?:about |for |to |part of |with )?)"
    r"(?P<name>#\d{1,3}|[^\n.,;:!?]{2,60}?)(?: one| again)?[.! ]*"
)
_LEADING = any_case(
    r"\W{0,3}(?:(?:option |answer )?(?P<key>[a-d])(?:[.):;]|,(?! ?[a-d]\b)|\s[–—-])|(?P<neither>neither)[,.;:])"
    r"\s+(?P<rest>\S.*)"
)
_CLAUSE = expression(r"\s*[,.;:!–—]\s+")
_OF_ITS_OWN = 2  # words from which the rest of an answer is a message
_GO_ON_WITH = ("go", "on", "with")

Decision = Literal["same", "new"]
Found = tuple[int, Option]  # how much it says, and what
Since = Literal["nothing", "reply", "reply long ago"]  # what came after the question


class Answer(NamedTuple):
    """The option that was meant, and whether the text says more than that."""

    option: Option
    more: bool = False


def chosen(text: str, question: Question, since: Since = "nothing") -> Option | None:
    """The option that was meant, or None where the text is no answer but something else to say."""
    plain = _plain(text)
    if not plain or plain.endswith("?") or "\n" in text.strip() or len(plain.split()) > _LONGEST:
        return None
    for option in question.options:
        if plain.strip(".!") == option.text.lower():
            return option
    if since != "nothing":
        words = [word.strip("'-./#") for word in _WORD.findall(plain)]
        key = _key([word for word in words if word], question)
        return key or (_clearly(plain, question) if since == "reply" else None)
    found: list[Found] = []
    for part in _APART.split(plain):
        words = [word.strip("'-./#") for word in _WORD.findall(part)]
        more = list(_meant(part, [word for word in words if word], question))
        if words and not more and not set(words) <= _FILLING:
            return None
        found += more
    most = max((weight for weight, _ in found), default=0)
    options = {option for weight, option in found if weight == most}
    return options.pop() if len(options) == 1 else None


def with_more(text: str, question: Question) -> Answer | None:
    """An answer that something else is said behind: "A. and also make it red", "neither, it should be red". None where
    the text does not begin with one."""
    agreed = _AGREES.match(_plain(text))
    if agreed is not None:  # "no, that's separate, a general question"
        head, _, rest = _CLAUSE.sub("\n", _plain(text)[agreed.end() :], 1).partition("\n")
        clear = _SURELY_SAME if agreed[0].startswith("y") else _SURELY_NEW
        if clear.fullmatch(head) and len(rest.split()) >= _OF_ITS_OWN:
            return Answer(_deciding("same" if agreed[0].startswith("y") else "new", question), more=True)
    match = _LEADING.fullmatch(text.strip())
    if match is None or len(match["rest"].split()) < _OF_ITS_OWN:
        return None
    if match["neither"]:
        return Answer(_deciding("new", question), more=True)
    option = next((option for option in question.options if option.key.lower() == match["key"].lower()), None)
    return Answer(option, more=True) if option else None


def named_elsewhere(
    text: str, question: Question, queue: Sequence[Conversation], before: str | None, waiting_in: str | None
) -> Option | None:
    """The conversation that an answer names by its number, its place or all its title says: one that no option offers,
    or the option that stands for it. `before` is the one that was gone on with or not, `waiting_in` the one that the
    message waits in."""
    match = _ELSEWHERE.fullmatch(_plain(text))
    if match is None:
        return None
    one = placed(match["name"], queue)
    if one is None and chosen(text, question) is None and not _NEW & set(_WORD.findall(match["name"])):
        one = surely_named(match["name"], [other for other in queue if other.id not in (before, waiting_in)])
    if one is None:
        return None
    if one.id == before:
        return _deciding("same", question)
    if one.id == waiting_in:
        return _deciding("new", question)
    return Option("", one.title, "new", one.id)


def passes_on(reply: str, question: Question) -> bool:
    """Whether a reply puts the question to the user in its own words, so that what follows answers it."""
    said = reply.lower()
    return "?" in said and any(option.text.lower() in said for option in question.options)


def is_bare_choice(text: str) -> bool:
    """Whether the text can only be meant as the letter or number of an option."""
    return re.fullmatch(r"\W*[A-Za-z0-9]\W*", text) is not None


def _plain(text: str) -> str:
    return " ".join(text.replace("’", "'").lower().split()).strip("\"'`“”*_ ")


def _clearly(plain: str, question: Question) -> Option | None:
    """What says in so many words where the message belongs, and could not be said of a reply."""
    agreed = _AGREES.match(plain)
    said = plain[agreed.end() if agreed else 0 :].strip(" .!")
    if agreed and plain.startswith("y") and _GOES_ON.fullmatch(said):
        return _deciding("same", question)
    if _SURELY_NEW.fullmatch(said):
        return _deciding("new", question)
    if _SURELY_SAME.fullmatch(said):
        return _deciding("same", question)
    return next((option for option in question.options if _is_named(said, option)), None)


def _is_named(said: str, option: Option) -> bool:
    """ "the toggle", "go on with the toggle", "the dark one": by what it is called, not by how it looks."""
    title = [word for word in _WORD.findall(option.text.lower()) if word not in _GO_ON_WITH]
    if not title or (option.decision != "same" and option.conversation_id is None):
        return False
    word = f"(?:{'|'.join(map(re.escape, title))})"
    name = rf"(?:(?:{word} )*{re.escape(title[-1])}(?: (?:one|thing|{_TALK}))?|(?:{word} )+(?:one|{_TALK}))"
    return re.fullmatch(rf"{_TOWARDS}{name}(?: please)?", said) is not None


def _meant(part: str, words: list[str], question: Question) -> Iterator[Found]:
    """What a part of an answer says; nothing where a word of it has no business in an answer."""
    key = _key(words, question)
    if key is not None:
        yield 3, key
        return
    if not words or (_ASKS.match(part) and not _AS_BEFORE.match(part)):
        return
    said = set(words)
    named = said - _WORDS - (_MAKING if "new" in said else set())
    fitting = [option for option in question.options if named <= set(_WORD.findall(option.text.lower()))]
    if named and (len(fitting) != 1 or said & (_NEW | _STARTING)):  # "drop the toggle" is said of the toggle
        return
    denied = bool(said & _NOT) or (words[0] == "no" and bool({*words[1:2]} & (_NEW | _SAME)))  # "no new topic"
    if _AWAY.search(part):
        yield 3, _deciding("new", question)
    elif named:
        yield 3, _unless(denied, fitting[0], question)
    elif said & _PLACES.keys():
        yield from ((3, question.options[_PLACES[word]]) for word in said & _PLACES.keys())
    elif said & _NEW or said & _SAME:
        yield from ((3, _unless(denied, _deciding("new", question), question)) for _ in said & _NEW)
        yield from ((3, _unless(denied, _deciding("same", question), question)) for _ in said & _SAME)
    elif said & _STARTING:
        yield 2, _unless(denied, _deciding("new", question), question)
    elif said & _MOVING or _AS_BEFORE.search(part) or _SO.search(part):
        yield 2, _unless(denied, _deciding("same", question), question)
    elif said & (_YES | _NO | _NOT):
        yield 1, _deciding("new" if denied or said & _NO else "same", question)
    elif said & {"it", "that", "this"} and said & {"with", "in", "one", "does", "is"}:
        yield 1, _deciding("same", question)


def _key(words: list[str], question: Question) -> Option | None:
    """The option whose letter or number is said, and besides it only words that lead in. "a" and "one" are words too,
    unless they stand alone or after what says that they are not."""
    said = [word for word in words if word in ("a", "one") or word not in _FILLING | {"go", "going"}]
    if len(said) != 1 or (said[0] in ("a", "one") and len(words) > 1 and not _LETTERED & set(words)):
        return None
    name = _NUMBERS.get(said[0], said[0])
    keys = {option.key.lower(): option for option in question.options}
    keys |= {str(number): option for number, option in enumerate(question.options, 1)}
    return keys.get(name)


def _unless(denied: bool, option: Option, question: Question) -> Option:
    """The option, or the other where it is denied."""
    others = (other for other in question.options if denied and other.decision != option.decision)
    return next(others, option)


def _deciding(decision: Decision, question: Question) -> Option:
    return next(option for option in question.options if option.decision == decision)
