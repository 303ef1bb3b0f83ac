"""The wordings by which signals are known: each shape is matched at the start of a clause, `x` is what is kept."""

from __future__ import annotations

from functools import cache

from anaphora.understanding.completion_wordings import COMPLETIONS
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
    r"(?:call|name) it(?! (?:an?|quits|done|even|here|there|like|again|from|with|in|on|when|if|twice|once|via|by|after|"
    r"before|every|each|for|to|\w+ly)\b)|do(?= (?:option|variant|plan|approach|it (?:with|"
    r"in))))"
)
_STANDING = (  # what somebody is told to do whenever it comes up
    r"(?:answer|reply|respond|write|keep|put|call|run|add|format|speak|talk|explain|make|name|commit|push|test|"
    r"start|end|stop|avoid|prefer|send|sign|ask|tell|show|print|return|skip)"
)
_HOME = (
    r"(?:(?:an?|the|our|my) )?(?:new |bigger |smaller |nice )*(?:flat|apartment|house|place|city|town|country|home)\b"
)
_TO_DO = r"(?:ask|add|update|fix|check|write|call|buy|book|send|remove|test|review|clean|rename|tell|find|order|pay)"
_MOVED = (
    r"(?:moved|went|pushed|postponed|extended|shifted|changed|delayed|raised|increased|lowered|cut|reduced|bumped|"
    r"brought)(?: back| forward| out| up| down)?"
)
_MAKE = r"(?:implement|build|create|develop|design|migrate|refactor|rewrite|set up)"
_TOLD = (
    r"(?!know|ask|see\b|understand|hear|say|tell|clarify|confirm|thank|talk|mention|point out|note|be (?:clear|"
    r"honest|sure)"
    r"|believe|think|show you|share|do (?:that|this|it)\b|go (?:back|on|now|home|soon|to bed)|leave (?:now|soon)|"
    r"learn (?:how|what|why)|find out|figure out|"
    r"give you|provide you|remind|let you|inform|check (?:if|whether)|make sure|verify|double-check|admit|"
    r"agree|apologi[sz]e|confess|use (?:this|that|it)\b)"
)
_NOUNS = (
    r"(?:dependenc|librar|framework|packag|plugin|recursi|loop|class|global|comment|emoji|third|3rd|external|extra|"
    r"additional|new |other |more |ads?\b|cookies?|tracking|javascript|typescript|jquery|css|sql|orm|docker|"
    r"cloud|network|"
    r"internet|telemetry|mocks?\b|secrets?\b|tokens?\b|downtime|breaking|magic|side effects|inheritance|"
    r"mutable|print|"
    r"logging|async|threads?\b|regex|eval\b|warnings|nuts|gluten|dairy|meat|sugar|meetings?\b|deploys?\b|calls?\b)"
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
        rf"(?:let's|lets|let us) not {MILD}(?P<x>(?!(?:forget|worry|talk|get|go (?:there|into|back|over)|rush|waste|"
        r"over\w+|jump|argue|be|kid|pretend|start|discuss|assume|lose|say|think|wait|"
        r"do (?:it|that|this))\b)[a-z]+ .+)",
        "don't ",
    ),
    shape("decision", "l", _LET, rf"(?:let's|lets|let us) {MILD}(?P<x>{_TAKE} .+)"),
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
        rf"(?:we|i){BE} {MILD}(?:switching|moving|migrating) (?P<x>from [\w.+#/ -]{{1,40}}? to .+)",
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
    shape("goal", "p", "planning", r"(?P<x>planning an? (?!.*\b(?:is|are|was|takes?|would|can|helps?)\b).{3,})"),
    *FACTS,
    # constraints
    shape(
        "constraint",
        "k",
        "keep ",
        r"(?P<x>keep (?:it|this|them|the \w+|everything) (?:under|below|within|at most|short|simple)\b.*)",
    ),
    shape(
        "constraint",
        "iwy",
        "can't|cannot|may not|are not allowed to",
        r"(?P<x>(?:you|we|it) (?:can't|cannot|may not|are not allowed to) (?:use|add|change|touch|break|store|"
        r"log|rely|"
        r"depend|install|call|modify|exceed)\b.+)",
    ),
    shape(
        "constraint",
        "itwy",
        "never|always",
        r"(?P<x>(?:we|you|it|they) (?:never|always) (?!had|got|was|were|did|saw|found|went|\w+ed\b|returns|"
        r"gives|shows|fails|crash|get|seem|say)\w+.+)",
    ),
    shape(
        "constraint",
        "acefkmnoprstw",
        "from now on",
        rf"(?P<x>(?:from now on,? (?:please |always |only )*{_STANDING} \w.+|"
        rf"(?:always |only )?{_STANDING} \w.{{2,80}}? from now on[.!]?$))",
    ),
    shape("constraint", "ans", "no ", rf"(?P<x>(?:absolutely |strictly )?no {_NOUNS}.{{0,60}})"),
    shape(
        "constraint",
        "anou",
        "avoid|under no circumstances|only|never|always",
        r"(?P<x>(?:avoid|under no circumstances|only (?:use|support|allow|return|change|touch)|use only) \w.+|"
        r"(?:never|always) (?!mind|again|the\b|has|had|been|on\b|in\b|at\b|so\b|too\b|there|a\b|an\b|\w+ing to)\w.+)",
    ),
    shape(
        "constraint",
        "d",
        "don't|do not|dont",
        r"(?P<x>(?:don't|do not|dont) (?:ever )?(?:use|add|change|touch|break|log|store|remove|delete|modify|"
        r"install|import|commit|push|deploy|rename|edit|call|write|expose|hard-?code|rely|depend|include|send|"
        r"block|mention|return|create|introduce|exceed|repeat|print|mutate|mock|rewrite|refactor)\b.+)",
    ),
    shape(
        "constraint",
        "0123456789",
        "max|tops|at most",
        r"(?P<x>[0-9]+ [a-z][\w ]{1,30}? (?:max(?:imum)?|tops|at most)[.!]?$)",
    ),
    shape(
        "constraint",
        "abflmnuw",
        "max|min|at most|at least|than|under|below|within|up to",
        r"(?P<x>(?:max(?:imum)?|min(?:imum)?|at (?:most|least)|no (?:more|fewer|less) than|less than|"
        r"fewer than|under|below|within|up to)\.?(?: of)?:? [€$£]?\d.*)",
    ),
    shape(
        "constraint",
        "itw",
        "should",
        r"(?P<x>(?:we|it|this|the \w+) should (?:launch|ship|go live|finish|deliver|"
        r"be (?:done|ready|finished|live|out))(?: \S+){0,4}? by \w.*)",
    ),
    shape(
        "constraint",
        "n",
        "no ",
        r"(?P<x>no (?!(?:worries|problem|rush|thanks|need|hurry|idea|one|more)\b)[\w-]+(?: [\w-]+)?),? "
        r"(?:please|pls)\b",
    ),
    shape(
        "constraint",
        "bcdfhlmnort",
        "deadline|budget|limit|due date|cutoff|cut-off|constraint|requirement|rule",
        r"(?P<x>(?:the |our |my )?(?:hard |final |new )*(?:deadline|budget|limit|due date|time limit|memory limit|"
        rf"cut-?off)(?: for [\w ]{{2,30}}?)?(?:(?: is|:| will be|(?= [€$£]?\d))(?! (?:off|gone|unclear|unknown)\b)|"
        rf"(?:'s| is| has| was| got| been)* {_MOVED} (?:to|until|till)) .{{2,}})|"
        r"(?:hard )?(?:constraints?|requirements?|rules?): (?P<y>.{3,})",
    ),
    shape(
        "constraint",
        "iwth",
        "deadline|due date|budget|limit|until|till",
        rf"(?P<x>(?:i|we|they|he)(?:'ve| have)? (?:just |now )?{_MOVED} (?:the |our |my )(?:deadline|due date|budget|"
        r"time limit|limit)(?: for [\w ]{2,30}?)?(?: back| forward| out)? (?:to|until|till) .{2,}|"
        r"(?:i|we)(?:'ve| have)(?: now)?(?: got)?(?: now)? (?:until|till) \w.{2,})",
    ),
    shape(
        "constraint",
        "",
        "must|has to|have to|need to|needs to|required|mandatory|forbidden|not allowed|prohibited|off-limits|"
        "off limits|not permitted|never|only|always|exceed|under|below|above|within|at most|at least|less than|"
        "more than|longer than|larger than",
        r"(?P<x>(?:(?!\b(?:would|could|might|i|who|which|what|how)\b)[^,\n]){0,80}?(?<!\w)(?:must(?:n't|"
        r" not)?(?! have\b| be (?:an? )?(?:bug|mistake|issue|problem|something|because|wrong|missing|kidding|"
        r"some|due)| (?:say|admit|confess)\b|-)|"
        r"(?<!you )(?<!just )(?:has|have|needs?) to (?:be|run|work|stay|support|keep|comply|remain|fit|match|"
        r"handle|pass|conform|fall)\b|"
        r"(?:is|are) (?:required|mandatory|forbidden|not allowed|prohibited|off[- ]limits|not permitted)|"
        r"(?:may|shall|can|should) (?:never|not exceed|only|always)|"
        r"(?:should|can't|cannot|can not|may not|has to|have to|shall) (?:not )?(?:be|stay|remain|take|cost|"
        r"exceed|use)? ?(?:under|below|above|within|exceed|at (?:most|least)|less than|more than|no more than|"
        r"longer than|larger than) [€$£]?\w+)\b.*)",
    ),
    shape(
        "constraint",
        "",
        "without ",
        r"(?:\w.*\b)(?P<x>without (?:using|changing|breaking|touching|adding|installing|modifying|losing) .{3,})",
    ),
    *COMPLETIONS,
)
