"""What a query asks for: about what, of which kind, whose words, and what else would help to answer it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from anaphora.function_words import FUNCTION_WORDS, word_set
from anaphora.types import Role
from anaphora.understanding.lexicon import VERBS
from anaphora.understanding.patterns import any_case, expression

__all__ = ["Asked", "QueryKind", "as_told", "asked_for", "assistant_in", "named_in", "tellers_in"]

QueryKind = Literal["recall", "question", "emotional", "general"]


@dataclass(frozen=True, slots=True)
class Asked:
    """`about` is the query without the words that only ask: what is looked for; `words` leaves out those of it that no
    answer need say: of "how many" and "now" it says the number and the news. `role` says whose words would answer it,
    where the query tells; `advice` that something is to be done or suggested, so that what the user wishes in
    general counts too; `summary` that it takes whole exchanges; `saying` that it asks what somebody said. `cues` are
    words that memories of the kind that is looked for say."""

    about: str
    words: str
    kind: QueryKind
    role: Role | None
    advice: bool
    summary: bool
    saying: bool
    cues: tuple[str, ...]


def asked_for(query: str) -> Asked:
    """Read a query as someone would who has to answer it from memory."""
    about = " ".join(_FRAME.sub(" ", query).split()).strip(" ,.;:?!")
    wide = bool(_WIDE.search(query))
    advice = not wide and not _PAST.search(query) and bool(_ADVICE.search(query))
    about = about if len(about) > _LEAST else query
    kind = _kind(query)
    return Asked(
        about=about,
        words=_UNSAID.sub(" ", about),
        kind=kind,
        role="assistant" if _REPLIES.search(query) else "user" if _MINE.search(query) else None,
        advice=advice,
        summary=bool(_SUMMARY.search(query)),
        saying=bool(_SAYING.search(query)),
        cues=_WISHES if advice else _FEELINGS if kind == "emotional" else (),
    )


def named_in(query: str, speakers: Iterable[str], large: Collection[str] = ()) -> tuple[str, ...]:
    """The speakers that a query names, as it writes them, in its order: "Ann Lee" and not Ann, "joel" and "Joels" for
    Joel, and nobody in "Will the tests run before May?". Those of `large` are named only where they are written so."""
    found: dict[str, int] = {}
    rest, low = query, query.lower()
    names = {speaker for speaker in speakers if speaker and speaker.lower() in low}
    for name in sorted(names, key=lambda name: (-len(name), name)):
        places = list(re.finditer(_whole(name) + _ending(name.lower()), rest, re.IGNORECASE))
        named = [at for at in places if _is_name(at[0], rest[: at.start()], large=name in large)]
        if named:
            found[named[0][0]] = named[0].start()
        for at in places:
            rest = rest[: at.start()] + " " * len(at[0]) + rest[at.end() :]
    return tuple(sorted(found, key=found.__getitem__))


def tellers_in(query: str, names: Sequence[str]) -> tuple[str, ...]:
    """Those of the names whose words are asked for: in "What did Nadia tell Bob?" Nadia, in "What did Nadia and Bob
    say?" both, in "What did I tell Bob?" none; the only one that is named, whatever else is asked of that one."""
    if len(names) == 1:
        told = re.search(rf"\b(?:{_TELL}|(?:{_SPEAK}) (?:to|with)) {_whole(names[0])}{_END}", query, re.IGNORECASE)
        return () if told else tuple(names)
    found = []
    for name in names:
        also = "|".join(_whole(other) for other in names if other != name)
        together = rf"(?:\s+(?:and|or)\s+(?:{also}))?" if also else ""
        adverb = r"(?:(?:also|ever|just|once|\w{2,12}ly)\s+)?"
        if re.search(rf"{_whole(name)}{together}\s+{adverb}{_TOLD}", query, re.IGNORECASE):
            found.append(name)
    return tuple(found)


def assistant_in(query: str, agent: str) -> str | None:
    """The words of a query for the assistant, where it names it as one who said something: "the assistant", or the name
    of the agent without an article, which may be an everyday word ("which helper parses the dates")."""
    one = rf"(?P<who>the assistant|(?<!\bthe )(?:assistant|{re.escape(agent)}))"
    for shape in (
        rf"\b(?:did|does|has|have|had) {one}(?: \w+)? {_TOLD}",
        rf"(?:^|\b(?:what|that|when|as|how|all|everything) ){one}(?: \w+ly)? {_TOLD_OF}",
        rf"\b{one}['’]s? (?:\w+ )?{_ADVICES}",
    ):
        if found := re.search(shape, query, re.IGNORECASE):
            return found["who"]
    return None


def _is_name(written: str, before: str, *, large: bool) -> bool:
    """Whether it is a name in this place: many are words too, and where a sentence begins every word is large."""
    name = written.lower()
    if written[:1] != written[:1].upper():
        return not large and name not in _WORDS and name not in _MONTHS and name not in _NAMES_TOO
    begins = not re.search(r"\w", before)
    return not (name in _WORDS and begins) and not (name in _MONTHS and _OF_TIME.search(before))


def as_told(query: str, names: Sequence[str]) -> str:
    """The query as the one whom it names first would tell it to the second: what people tell of themselves they tell
    as "I", so that is nearer to it in meaning than a name, which others say."""
    if not names:
        return query
    told = _said_as(query, _MINE_TO_YOURS)
    for name, (one, ones) in zip(names, (("I", "my"), ("you", "your")), strict=False):
        told = re.sub(_whole(name) + r"(?:['’]s\b|(?<=s)['’](?!\w)|s(?![\w-]))", ones, told)
        told = re.sub(_whole(name) + _END, one, told)
    return _said_as(told, _THEIRS_TO_MINE)


_END = r"(?![\w-])"


def _whole(name: str) -> str:
    return rf"(?<![\w-]){re.escape(name)}"


def _ending(name: str) -> str:
    """Where a name ends: before the s of "joels bike", which is written in haste, too."""
    word = len(name) < _LEAST or name.endswith("s") or name in _WORDS or name in _MONTHS or name in _NAMES_TOO
    return _END if word else rf"(?=s?{_END})"


def _said_as(text: str, others: Iterable[tuple[re.Pattern[str], str]]) -> str:
    for pattern, other in others:
        text = pattern.sub(other, text)
    return text


def _kind(query: str) -> QueryKind:
    if _FEELING.search(query):
        return "emotional"
    if _RECALL.search(query):
        return "recall"
    return "question" if _QUESTION.search(query) else "general"


_LEAST = 3  # characters that are about something


def _any(*shapes: str) -> re.Pattern[str]:
    return any_case(rf"\b(?:{'|'.join(shapes)})\b")


_TALKS = r"(?:conversations?|chats?|discussions?|sessions?|talks?|messages)"
_UNSAID = _any(
    r"(?<=how )(?:much|many|long|often|old|far|big|large|small|tall|high|deep|wide|heavy|fast|quickly|soon|late)",
    r"now|nowadays|currently|these days|at the moment|right now",
)
_FRAME = _any(
    r"(?:can|could|would|will) you(?: please)?",
    r"please",
    r"(?:tell|remind|show|give|help) (?:me|us)(?: with)?",
    r"walk me through",
    r"provide",
    r"do you (?:remember|recall|know)",
    r"(?:list|name|mention) (?:all |only )*the",
    r"(?:i|we) (?:brought up|mentioned|talked about|discussed|told you|asked|said|described)",
    rf"(?:in|through(?:out)?|across|during|over) (?:all )?(?:our|my|the|these|different|several) (?:\w+ )?{_TALKS}"
    r"(?: so far| together)?",
    r"(?:the |in )?(?:chronological )?(?:order|sequence) in which",
    r"in (?:chronological )?order",
    r"(?:a )?(?:clear |brief |short |full |complete |comprehensive |detailed |concise )?"
    r"(?:summary|overview|recap|account) of",
    r"summari[sz]e|recap",
    r"mention only and only [\w ]+",
    r"(?:different|various|several) (?:aspects|parts|kinds|things|topics)(?: of| related to)?",
)
_RECALL = _any(
    r"remember|remind|recall|earlier|previous(?:ly)?|before|last (?:time|week|month|year|night)|yesterday|ago|so far",
    r"across|throughout|over time|summar\w+|recap|history|conversations?|discuss\w*|in order|order in which",
    r"(?:did|have|had|was|were|am|do) (?:i|we|you)",
    r"(?:i|we|you) (?:said|told|mentioned|decided|chose|asked|talked|agreed|planned|wanted|used|recommended|suggested"
    r"|explained)",
)
_FEELING = _any(
    r"feel\w*|felt|emotion\w*|mood|upset|sad|happ(?:y|ier|iest)|angry|anxious|anxiety|worr(?:y|ied|ies)|afraid|scared",
    r"nervous|stress\w*|proud|excited|lonely|grateful|thankful|overwhelmed|frustrat\w*|loved|hated?|hurt|cry(?:ing)?",
    r"cried|depress\w*|reliev\w*|disappoint\w*|jealous|ashamed|guilty|miss (?:him|her|them|you|my)",
)
_QUESTION = expression(
    r"^\W*(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|should|would|will|has"
    r"|have|had|am|may)\b|\?\s*$",
    re.IGNORECASE,
)
_ADVICES = r"(?:advice|suggestions?|recommendations?|answers?|explanations?|guidance|repl(?:y|ies)|proposals?)\b"
_TOLD_OF = (
    r"(?:says?|said|tells?|told|mention(?:s|ed)|recommend(?:s|ed)|suggest(?:s|ed)|advise[sd]|propose[sd]|explain(?:s|"
    r"ed)"
    r"|wr[io]tes?|wrote|ask(?:s|ed)|answer(?:s|ed)|repli(?:es|ed)|promise[sd]|report(?:s|ed))\b"
)
_TOLD = rf"(?:{_TOLD_OF}|(?:mention|recommend|suggest|advise|propose|explain|ask|answer|reply|promise|report)\b)"
_TELL, _SPEAK = "tell|tells|told|ask|asks|asked|promised?|advised?", "say|said|talk|talked|speak|spoke|write|wrote"
_SAYING = _any(
    rf"(?:did|does|do|has|have|had)\b[^.?!\n]{{1,60}}?\b(?:{_TOLD}|talk|speak|chat|discuss)",
    r"said|says|told|talk(?:s|ed)|mention(?:s|ed)|spoke|discussed|recommended|suggested|advised|wrote",
)
_REPLIES = _any(
    r"(?:did|had|have) you (?:\w+ )?(?:recommend|suggest|advise|propose|say|said|tell|told|explain|give|given|mention"
    r"|list|write|describe|outline|help|provide|show|point|instruct|walk|come up|break)\w*",
    r"you (?:\w+ )?(?:recommended|suggested|advised|proposed|said|told|explained|gave|mentioned|listed|wrote|described"
    r"|outlined|provided|showed|helped|pointed)",
    rf"your (?:\w+ )?(?:{_ADVICES}|outline|plan|instructions?|example|code)",
)
_WORDS = FUNCTION_WORDS | VERBS | word_set("user assistant bill chase drew frank grant mark pat rob sue")
_NAMES_TOO = word_set(  # names that are words too: in small letters they are taken for these
    "amber angel art ash autumn basil bay blue brook bud carol chance charity chip christian clay cliff coral crystal "
    "daisy dale dawn dean destiny dot duke earl eve faith fern forest gale gene ginger glen grace guy happy harmony "
    "haven hazel heath heather holly honor hope hunter iris ivory ivy jade jay jean jet jewel joy junior justice king "
    "kit kitty lance lane lark laurel lily lotus love major mason mat max melody mercury mercy merit miles nick noble "
    "norm oak olive opal page patience peace pearl penny pepper peg piper poppy prince ray red reed rich ridge river "
    "robin rocky rod rose rowan ruby rusty sage sandy shell skip sky sonny star sterling stone storm summer sunny "
    "trace van victor violet wade walker ward web willow winter wren"
)
_MONTHS = word_set("april august june may")
_OF_TIME = any_case(
    r"(?:\b(?:in|before|after|since|by|until|till|of|from|to|this|next|last|early|late|mid)|\d(?:st|nd|rd|th)?)[ -]\Z"
)
_MINE_TO_YOURS = (
    (expression(r"(?<![\w/.-])I(?![\w/.-])"), "you"),
    (_any("me"), "you"),
    (_any("my"), "your"),
    (_any("mine"), "yours"),
)
_THEIRS_TO_MINE = (
    (_any(r"his|her(?= \w)"), "my"),
    (_any("he|she"), "I"),
    (_any("him|her"), "me"),
    (_any("himself|herself"), "myself"),
)
_MINE = _any(r"i|i['’](?:m|ve|d|ll)|my|me|mine|myself|we|our|us")
_ADVICE = _any(
    r"(?:can|could|would|will) (?:you|i|we)",
    r"should (?:i|we)",
    r"how (?:do|can|to|would|should)",
    r"help me|recommend|suggest|advise|ideas?|tips|advice|explain|write|make",
    r"what (?:is|are)\b.*\b(?:best|good|some|common|typical)",
    r"i(?:['’]m| am) (?:planning|looking|trying|thinking|about|going|working|considering|applying|updating)",
    r"i (?:want|need|would like|plan)",
)
_PAST = _any(r"(?:did|have|had|was|were) (?:i|we|you)", r"(?:i|we|you) \w+ed")
_WIDE = _any(
    r"summar\w+|overview|recap|order|sequence|timeline|chronolog\w+|progress(?:ed|ion)?|evol\w+|how many|all|every",
    r"list|across|throughout|over time|compare|between|different|develop\w*|history",
)
_SUMMARY = _any(r"summar\w+|overview|recap|progress\w*")
_WISHES = ("always", "never", "prefer", "preference", "rather", "whenever")
_FEELINGS = (
    *("feel", "felt", "sad", "happy", "angry", "upset", "worried", "afraid", "scared", "nervous", "proud", "excited"),
    *("lonely", "grateful", "love", "hate", "hurt", "cry", "stressed", "overwhelmed", "frustrated", "relieved"),
    "disappointed",
)
