"""The wordings by which signals are known: each shape is matched at the start of a clause, `x` is what is kept."""

from __future__ import annotations

from functools import cache

from anaphora.understanding.completion_wordings import COMPLETIONS
from anaphora.understanding.constraint_wordings import CONSTRAINTS
from anaphora.understanding.fact_wordings import FACTS
from anaphora.understanding.shapes import BE, MILD, Shape, shape

__all__ = ["SHAPES", "shapes_for"]


def shapes_for(seen: str) -> tuple[Shape, ...]:
    """The shapes that a clause may have, by its first letter."""
    first = seen[:1]
    return _beginning(first.lower() if first.isascii() else None)


@cache
def _beginning(letter: str | None) -> tuple[Shape, ...]:
    """None is a letter that may count as another, as "ſ" does as "s"."""
    return tuple(shape for shape in SHAPES if letter is None or not shape.begins or letter in shape.begins)


_SOME_TIME = r"(?:later(?: on)?|afterwards|eventually|some other time|another time|at some point|after (?:that|this))"
_DATED = r"(?:tomorrow|next (?:week|month|sprint|time)|in a follow-?up)"
_LATER = rf"(?:{_SOME_TIME}|{_DATED})"
_LATER_WORDS = "later|after|eventually|time|point|tomorrow|next|follow"
_LET = "let's|lets|let us"
_TAKE = (
    r"(?:use(?! (?:this|that|it|them|these|those)(?: (?:later|to|for|as|in|now)\b|[\s.,!]*$))|"
    r"go (?:with|for|ahead with)|stick (?:with|to)|switch (?:over |back )?to|move (?:over |back )?to(?! the next)|"
    r"migrate to|(?:switch|move|migrate) from [\w.+#/ -]{1,40}? to|"
    r"choose|pick(?! up\b)|keep(?! \w+ing\b| (?:it up|in touch|on|up|an eye|in mind|track)\b| (?:\S+ ){1,8}(?:updated|"
    r"posted|informed|in the loop|in mind)\b)|drop|adopt|replace|stay (?:with|on)|settle on|"
    r"standardi[sz]e on|rely on|opt for|rename|"
    r"take(?= (?:the (?:first|second|third|last|former|latter|other|\w+ (?:one|option))|(?:option|variant|"
    r"plan) \w+)\b)|"
    r"(?:call|name) it(?! (?:an?|quits|done|even|here|there|like|again|from|with|in|on|when|if|twice|once|via|by|after|"
    r"before|every|each|for|to|\w+ly)\b)|do(?= (?:option|variant|plan|approach|it (?:with|"
    r"in))))"
)
_WHEN = (
    r"(?:(?:on |by |next |this )*(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:on|by|in|at) (?:the )?(?:weekend|"
    r"\d|noon|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|q[1-4])|"
    r"next (?:week|month))"
)
_ARRANGE = (  # what is done where, and when
    r"(?:(?:cache|store|save|host|deploy|ship|release|publish|index|encrypt|hash|serve|queue|log|keep|put)"
    r"(?: (?!(?:it|this|that|them)\b)\S+){0,6}? (?:in|on|to|with|as|at|via|using|through|behind|per) "
    r"(?!(?:it|this|that|here|there|mind|touch|track)\b)\S.*|"
    rf"(?:do|run|hold|have|make|start|launch|ship|release|deploy|schedule) (?:the|our|"
    rf"a) \S+(?: \S+){{0,3}}? {_WHEN}\b.*)"
)
_HOME = (
    r"(?:(?:an?|the|our|my) )?(?:new |bigger |smaller |nice )*(?:flat|apartment|house|place|city|town|country|home)\b"
)
_TO_DO = r"(?:ask|add|update|fix|check|write|call|buy|book|send|remove|test|review|clean|rename|tell|find|order|pay)"
_MAKE = r"(?:implement|build|create|develop|design|migrate|refactor|rewrite|set up)"
_TOLD = (
    r"(?!know|ask|see\b|understand|hear|say|tell|clarify|confirm|thank|talk|mention|point out|note|be (?:clear|"
    r"honest|sure)"
    r"|believe|think|show you|share|do (?:that|this|it)\b|go (?:back|on|now|home|soon|to bed)|leave (?:now|soon)|"
    r"learn (?:how|what|why)|find out|figure out|"
    r"give you|provide you|remind|let you|inform|check (?:if|whether)|make sure|verify|double-check|admit|"
    r"agree|apologi[sz]e|confess|use (?:this|that|it)\b)"
)

_MADE = (  # what somebody who needs one has to make or to find; help, coffee and a break are had at once
    r"(?:page|form|dashboard|web ?site|home ?page|app|application|export|import|endpoint|api|chart|report|menu|modal|"
    r"popup|dialog|feature|component|screen|login|sign-?up|widget|plugin|filter|button|dropdown|toggle|slider|navbar|"
    r"sidebar|footer|banner|logo|template|theme|service|pipeline|workflow|integration|migration|backup|notebook|"
    r"spreadsheet|plan|itinerary|checklist|schedule|budget|newsletter|gallery|calendar|importer|exporter|converter|"
    r"scraper|crawler|parser|validator|generator|calculator|tracker|counter|database|presentation|poster|flyer|invoice|"
    r"hotel|flight|apartment|flat|\w+ (?:box|bar|field|list|table|suite|script|view|tool|system|job))"
)
_MADE_HOW = r"(?:(?!(?:with|about|on|for|of|from|in|to|and|or|quick)\b)[\w/-]+ ){0,3}?"
_LENGTH = r"(?:short|brief|concise|simple|long|detailed|formal|informal|casual|terse|under \d+ \w+)(?: and \w+)?"
_MANNER = (
    r"(?:(?:more |very |as )*(?:briefly|concisely|shortly|simply|plainly|politely|formally|informally|casually|"
    r"in detail|"
    r"step by step)(?: as possible| and \w+ly)?|in (?:short|few words|one sentence|bullet points|plain \w+|simple \w+|"
    r"full sentences|(?:english|german|french|spanish|italian|dutch|portuguese|polish|japanese|chinese)))"
)

SHAPES: tuple[Shape, ...] = (
    # what comes later, before it is taken for a decision
    shape(
        "action",
        "aeilnst",
        _LATER_WORDS,
        rf"(?:{_LATER}|next),? (?:we|i)(?:'ll| will| should| need to| must| have to| can| want to) (?P<x>.{{3,}})",
    ),
    shape(
        "action",
        "ilw",
        _LATER_WORDS,
        r"(?:let's|lets|(?:we|i)(?:'ll| will| can| should| need to|"
        rf" could)) {MILD}(?:(?P<x>(?!use\b)\w.{{3,}}?) {_SOME_TIME}|"
        rf"(?P<y>(?!use\b)\w.{{3,}}?(?<! the)(?<! for) {_DATED}))[.!]?$",
    ),
    shape(
        "action",
        "t",
        "todo|to-do|to do",
        r"(?-i:TODO|todo|Todo|To-do|to-do|to do|To do)\s*[:\-–]\s*(?P<x>.{3,})|"
        rf"(?-i:TODO|todo(?= {_TO_DO} )) (?P<y>.{{3,}})",
    ),
    shape("action", "[", "[ ]", r"\[ \]\s*(?P<x>.{3,})"),
    shape("action", "p", "pending", r"pending(?: (?:tasks?|items?|work|actions?))?\s*[:\-–]\s*(?P<x>.{3,})"),
    shape("action", "iw", "still", rf"(?:we|i) still (?:need|have|want|must|got)(?: to)? (?P<x>{_TOLD}.{{3,}})"),
    shape(
        "action",
        "ls",
        "still|left",
        r"(?:still|left) (?:to do|todo|to be done|open|missing|pending)\s*[:\-–]\s*(?P<x>.{3,})",
    ),
    shape(
        "action",
        "i",
        "'ve|have|got|must",
        rf"i(?:'ve got| have|'ve| got| gotta| must)(?: to)? (?P<x>{_TOLD}(?<=to |ta |st ).{{3,}})",
    ),
    shape(
        "action",
        "w",
        "have to|got to|gotta",
        r"we(?:'ve got to| have to| got to| gotta) (?!(?:be|run|work|stay|support|keep|comply|remain|fit|match|"
        r"handle|pass|"
        rf"conform|fall|go|wait|leave|stop|choose|decide|find|use)\b)(?P<x>{_TOLD}.{{3,}})",
    ),
    shape(
        "action",
        "dir",
        "remind me|forget|remember",
        r"(?:remind me(?: later| tomorrow)? (?:to|about)|don't let me forget to|i (?:need|"
        r"have) to remember to) (?P<x>.{3,})",
    ),
    shape(
        "action",
        "mnot",
        "next",
        r"(?:the |our |my )?next(?: (?:steps?|up|task|thing))?(?: here| for (?:me|us))?(?: is| are|'s|:|"
        r",)(?: to)? (?P<x>.{3,})",
    ),
    shape(
        "action",
        "mot",
        "still",
        r"(?P<x>(?:the |our |my )[\w ]{2,40} (?:is|are) still (?:pending|open|missing|to do|todo|outstanding))",
    ),
    # decisions
    shape(
        "decision",
        "l",
        "s not ",
        r"(?:let's|lets|let us) not (?:(?:really|just|also|even|actually)\s+)*(?P<x>(?!(?:forget|worry|talk|get|"
        r"go (?:there|into|back|over)|rush|waste|"
        r"over\w+|jump|argue|be|kid|pretend|start|discuss|assume|lose|say|think|wait|"
        r"do (?:it|that|this))\b)[a-z]+ .+)",
        "don't ",
    ),
    shape("decision", "l", _LET, rf"(?:let's|lets|let us) {MILD}(?P<x>{_TAKE} .+)"),
    shape(
        "decision",
        "lw",
        f"{_LET}|we'll|we will|going to",
        rf"(?:let's|lets|let us|we(?:'ll| will|{BE} going to)) {MILD}(?P<x>{_ARRANGE})",
    ),
    shape("decision", "ders", "support", r"(?P<x>(?:drop|end|remove) support for \S.*|stop supporting \S.*)"),
    shape(
        "decision",
        "f",
        "from now on",
        r"from now on,? (?:please |let's |we'll |we )?"
        r"(?P<x>(?:use|stick with|go with|switch to) (?!(?:this|that|it)\b)\S.*)",
    ),
    shape(
        "decision",
        "w",
        "switched|migrated",
        rf"we(?:'ve| have)? {MILD}(?:switched|migrated)(?: over| back)? "
        r"(?P<x>(?:from [\w.+#/ -]{1,40}? )?to (?!(?:the|a|an|this|that|another)\b)\S.*)",
        "switch ",
    ),
    shape(
        "decision",
        "w",
        "use|using",
        r"we(?: won't| will not|(?:'re| are) (?:no longer|not going to)) (?:be )?us(?:e|ing) "
        r"(?P<x>(?!(?:it|that|this|any)\b)\S+(?: \S+){0,3}?)(?: after all| any ?more| any longer)?[.!]?$|"
        r"we(?:'re| are) not using (?P<y>(?!(?:it|that|this|any)\b)\S+(?: \S+){0,3}?) (?:after all|any ?more)[.!]?$",
        "don't use ",
    ),
    shape(
        "decision",
        "iw",
        "'ll|will|should|shall|going to|gonna",
        rf"(?:we|i)(?:'ll| will| should| shall|{BE} (?:going to|gonna))(?: rather| now)? {MILD}(?P<x>{_TAKE} .+)",
    ),
    shape(
        "decision",
        "iw",
        "not to",
        rf"(?:we|i)(?:'ve| have|{BE}| had)? {MILD}(?:decided|chose|opted|agreed|chosen) not to (?P<x>.+)",
        "don't ",
    ),
    shape(
        "decision",
        "iw",
        "decided against",
        rf"(?:we|i)(?:'ve| have| had)? {MILD}decided against (?P<x>.+)",
        "decided against ",
    ),
    shape(
        "decision",
        "acdfgijkmnorstw",
        "decided|agreed|opted|chose",
        rf"(?:it (?:was|is|has been) )?(?:(?:we|i)(?:'ve| have|{BE}| had)? )?{MILD}(?:decided|agreed|opted|"
        r"chosen?) (?:to|that|we'll|we will) (?P<x>.+)",
    ),
    shape(
        "decision",
        "iw",
        "switching|moving|migrating",
        rf"(?:we|i){BE} {MILD}(?:switching|moving|migrating) (?:over |back )?(?:(?P<x>from [\w.+#/ -]{{1,40}}? to .+)|"
        rf"(?P<y>to (?!{_HOME})(?-i:[A-Z]|\S*\d)\S*(?: \S+)?[.!]?$))",
        "switch ",
    ),
    shape(
        "decision",
        "",
        "decided|chose|opted|settled|agreed|picked|going with|went with|gone with|go with|sticking with|stuck with|"
        "staying with|switching|moving|migrating|dropping",
        rf"(?:(?:we|i)(?:'ve| have|{BE}| had)? |(?!(?:[^:,]|,\d)* (?:is|was|are|seems?|makes|"
        rf"would)\b)){MILD}(?:decided (?:on|for|in favou?r of)|chose|chosen|opted for|settled (?:on|for)|"
        r"agreed on|picked|(?:going|went|gone|go|sticking|stuck|staying) with|"
        rf"(?:switching|moving(?!.* to {_HOME})|migrating)(?: from [\w .+#-]{{1,30}}?)? to|dropping) (?P<x>.+)",
        "go with ",
    ),
    shape(
        "decision",
        "u",
        "instead of",
        r"using (?P<x>(?!(?:it|this|that|these|those)\b)[\w.+#/-]+(?: [\w.+#/-]+){0,3} instead of "
        r"(?:an? |the )?[\w.+#/-]+)$",
        "use ",
    ),
    shape(
        "decision",
        "dft",
        "decision",
        r"(?:final )?decision(?: is|:)(?: to)? (?P<x>.+)|the decision (?:is|was) (?:to |that )?(?P<y>.+)",
    ),
    shape(
        "decision",
        "abcdopstv",
        "option|variant|approach|proposal|first|second|third|last|it is|then|please|wins|works for|sounds good",
        r"(?:(?P<x>(?:option|variant|approach|plan|proposal|solution) (?:[A-Za-z]|\d|one|two|three)|"
        r"the (?:first|second|third|last"
        r"|former|latter)(?: one| option)|[A-D])(?: it is| then| please| wins| works for (?:me|us)|"
        r" sounds good)|(?P<y>(?:option|"
        r"variant|approach|proposal) (?:[A-Za-z]|\d|one|two|three)|the (?:first|second|third|last) (?:one|option))"
        r"(?=\s*[,:]? (?:because|since)\b|[.!, ]*$))",
        "go with ",
    ),
    shape(
        "decision",
        "",
        " it is",
        r"(?P<x>(?!what|that|as|how|here|there|it\b|this\b|"
        r"so\b)[\w.+#\ufffc-]+(?: [\w.+#\ufffc-]+){0,3}) it is(?: then)?[.!]?$",
        "go with ",
    ),
    # goals
    shape(
        "goal",
        "cimnoptuw",
        "need|want|like",
        rf"(?:need|(?:i|we)(?: {MILD}want|'d {MILD}like| would {MILD}like)|(?:i|we|users|people|customers|(?:the|our|"
        rf"my) [\w-]+(?: [\w-]+)?)"
        rf"(?:'ll| will|{BE} (?:going to|gonna))? {MILD}needs?) (?:(?P<x>an? {_MADE_HOW}{_MADE}"
        r"(?:,? (?:for|to|that|which|where|with|in|on|from|as|so|and)\b.*)?[.!]?$)|(?P<y>a (?:\w+ )?way to \w.+))",
    ),
    shape("goal", "l", _LET, rf"(?:let's|lets|let us) {MILD}(?P<x>{_MAKE} .+)"),
    shape(
        "goal",
        "iw",
        "want|need|like|love|plan|intend|aim|hop|going|wish|wanna",
        rf"(?:i|we){BE}? ?{MILD}(?:want|need|would like|'d like|'d love|would love|plan|planning|intend|aim|"
        r"aiming|hope|hoping|"
        rf"going|wish|wanna) (?:to )?(?:be able to )?(?P<x>{_TOLD}(?<=to |na ).{{3,}})",
    ),
    shape(
        "goal",
        "agmot",
        "goal|aim|objective|target|mission",
        r"(?:(?:my|our|the)(?: \w+)? (?:goal|aim|objective|target|mission)|"
        r"(?:goal|aim|objective)(?= is (?:to|an?|that)\b))(?: here| now| for [\w ]{2,30}?)?(?: is|"
        r":)(?: to| that)? (?P<x>.{3,})|goals?: (?:to )?(?P<y>.{3,})",
    ),
    shape(
        "goal",
        "iw",
        "working on|building|developing|creating|migrating|designing|planning",
        rf"(?:i|we){BE} {MILD}(?:currently )?(?P<x>(?:working on|building|developing|creating|migrating|"
        r"planning(?= an? )|"
        rf"designing) (?!(?:this|that|it|(?:an?|this|my|the|some) (?:project|code|problem|task))\b).{{3,}})",
    ),
    shape(
        "goal",
        "h",
        "help me",
        r"help me (?:to |with )?(?P<x>(?:plan|planning|organi[sz]e|organi[sz]ing|prepare|build|design|launch|"
        r"migrate|set up|"
        r"move|train) (?:for )?(?:an?|my|our|the) (?!(?:code|function|query|sentence|text|following|list)\b).{3,})",
    ),
    shape(
        "preference",
        "abekrw",
        "answer|reply|respond|explain|replies|response|explanation|brief|concise|terse",
        rf"(?P<x>(?:(?:answer|reply|respond)(?: me| to me)? {_MANNER}|"
        rf"keep (?:all )?your (?:answers?|replies|responses|explanations?)(?: to me)? (?:very |really )?{_LENGTH}|"
        rf"(?:answer|explain) (?:things|everything|stuff)(?: to me)? {_MANNER}(?: to me)?|"
        rf"be (?:brief|concise|terse)(?: when you (?:answer|explain)(?: things)?)?)[.!]?$)",
    ),
    shape("goal", "p", "planning", r"(?P<x>planning an? (?!.*\b(?:is|are|was|takes?|would|can|helps?)\b).{3,})"),
    *FACTS,
    *CONSTRAINTS,
    *COMPLETIONS,
)
