"""The wordings by which signals are known: each shape is matched at the start of a clause, `x` is what is kept."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from anaphora.types import SignalKind
from anaphora.understanding.patterns import any_case

__all__ = ["MILD", "SHAPES", "Shape", "shapes_for"]


class Shape(NamedTuple):
    """A wording of one kind of signal; `before` puts back what the clause needs to stand alone. `begins` are the small
    letters that a clause of it may begin with, none where that may be any."""

    kind: SignalKind
    pattern: re.Pattern[str]
    before: str = ""
    begins: str = ""


def _shape(kind: SignalKind, begins: str, needles: str, pattern: str, before: str = "") -> Shape:
    """Of the needles one stands in every match (see `expression`), and every match begins with one of the letters; the
    tests prove both."""
    return Shape(kind, any_case(pattern, needles=needles, dear=not begins), before, begins)


def shapes_for(seen: str) -> tuple[Shape, ...]:
    """The shapes that a clause may have, by its first letter."""
    first = seen[:1]
    return _beginning(first.lower() if first.isascii() else None)


@cache
def _beginning(letter: str | None) -> tuple[Shape, ...]:
    """None is a letter that may count as another, as "ſ" does as "s"."""
    return tuple(shape for shape in SHAPES if letter is None or not shape.begins or letter in shape.begins)


MILD = (
    r"(?:(?:really|just|also|only|mostly|strongly|much|generally|kinda|actually|still|now|finally|already|"
    r"simply|do)\s+)*"
)
_BE = r"(?:'m|'re| am| are)"
_SOME_TIME = r"(?:later(?: on)?|afterwards|eventually|some other time|another time|at some point|after (?:that|this))"
_DATED = r"(?:tomorrow|next (?:week|month|sprint|time)|in a follow-?up)"
_LATER = rf"(?:{_SOME_TIME}|{_DATED})"
_LATER_WORDS = "later|after|eventually|time|point|tomorrow|next|follow"
_LET = "let's|lets|let us"
_TAKE = (
    r"(?:use(?! (?:this|that|it|them|these|those)(?: (?:later|to|for|as|in|now)\b|[\s.,!]*$))|"
    r"go (?:with|for|ahead with)|stick (?:with|to)|switch (?:over |back )?to|move (?:over |back )?to(?! the next)|"
    r"migrate to|(?:switch|move|migrate) from [\w.+#/ -]{1,40}? to|"
    r"choose|pick|keep(?! \w+ing\b| (?:it up|in touch|on|up|an eye|in mind|track)\b| \w+ (?:updated|"
    r"posted|informed|in the loop))|drop|adopt|replace|stay (?:with|on)|settle on|"
    r"standardi[sz]e on|rely on|opt for|rename|do(?= (?:option|variant|plan|approach|it (?:with|in))))"
)
_MAKE = r"(?:implement|build|create|develop|design|migrate|refactor|rewrite|set up)"
_TOLD = (
    r"(?!know|ask|see\b|understand|hear|say|tell|clarify|confirm|thank|talk|mention|point out|note|be (?:clear|"
    r"honest|sure)"
    r"|believe|think|show you|share|do (?:that|this|it)\b|go (?:back|on)|learn (?:how|what|why)|find out|figure out|"
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
_KIN = (
    r"(?:wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|son|daughter|kids?|child(?:ren)?|baby|"
    r"mother|mom|mum|"
    r"father|dad|parents|brother|sister|siblings?|grand(?:mother|father|ma|pa)|aunt|uncle|cousin|dogs?|cats?|pets?|"
    r"roommate|boss|manager|colleague|team ?lead)"
)
_OWN = (
    rf"(?:(?:\w+ )?{_KIN}|company|employer|team|job|title|role|birthday|age|email|e-mail|phone(?: number)?|address|"
    r"home ?town|city|country|time ?zone|pronouns|laptop|computer|machine|os|operating system|editor|ide|shell|"
    r"terminal|"
    r"keyboard|stack|tech stack|native language|mother tongue|degree|major|background|blood type|shoe size|height|"
    r"dentist|doctor|working hours|work hours|office hours|office|day off|schedule|shift|python version|node version)"
)
_ABOUT_ME = (
    r"from|based in|living in|located in|originally from|working (?:at|for|as|in)(?! (?:it|this|that)\b)|"
    r"studying|responsible for|"
    r"in charge of|"
    r"an?|the (?:cto|ceo|cfo|founder|owner|lead|maintainer|author|manager|head|only)|\d{1,2}(?= years old|"
    r"\s*[,!]|\.?$| and\b)|married|single|"
    r"divorced|vegan|vegetarian|allergic to|left-handed|right-handed|colou?r-?blind|diabetic|pregnant|retired|"
    r"self-employed|freelanc\w+|unemployed|new to|fluent in|a native|(?:usually|mostly|only)? ?(?:free|"
    r"available|off) (?:on|from|until|after)|"
    r"on (?:ubuntu|debian|fedora|arch|linux|windows|mac ?os|mac|python|node|java|php|ruby|version|v?\d|"
    r"vacation|holiday|call|pst|est|cet|utc|gmt)|"
    r"in (?:the )?(?:pst|est|cet|utc|gmt)"
)
_TOOL = (
    r"(?!(?:this|that|the|it|its|a|an|your|these|those|my|to|only|them|such|some|in|for|here|below|above|"
    r"following|as)\b)"
)
_THIRD = r"(?:an?|two|three|four|five|\d+|no|my own)"

SHAPES: tuple[Shape, ...] = (
    # what comes later, before it is taken for a decision
    _shape(
        "action",
        "aeilnst",
        _LATER_WORDS,
        rf"(?:{_LATER}|next),? (?:we|i)(?:'ll| will| should| need to| must| have to| can| want to) (?P<x>.{{3,}})",
    ),
    _shape(
        "action",
        "ilw",
        _LATER_WORDS,
        r"(?:let's|lets|(?:we|i)(?:'ll| will| can| should| need to|"
        rf" could)) {MILD}(?:(?P<x>(?!use\b)\w.{{3,}}?) {_SOME_TIME}|"
        rf"(?P<y>(?!use\b)\w.{{3,}}?(?<! the)(?<! for) {_DATED}))[.!]?$",
    ),
    _shape(
        "action",
        "t",
        "todo|to-do|to do",
        r"(?-i:TODO|todo|Todo|To-do|to-do|to do|To do)\s*[:\-–]\s*(?P<x>.{3,})|(?-i:TODO) (?P<y>.{3,})",
    ),
    _shape("action", "[", "[ ]", r"\[ \]\s*(?P<x>.{3,})"),
    _shape("action", "iw", "still", rf"(?:we|i) still (?:need|have|want|must|got)(?: to)? (?P<x>{_TOLD}.{{3,}})"),
    _shape(
        "action",
        "ls",
        "still|left",
        r"(?:still|left) (?:to do|todo|to be done|open|missing|pending)\s*[:\-–]\s*(?P<x>.{3,})",
    ),
    _shape(
        "action",
        "i",
        "'ve|have|got|must",
        rf"i(?:'ve got| have|'ve| got| gotta| must)(?: to)? (?P<x>{_TOLD}(?<=to |ta |st ).{{3,}})",
    ),
    _shape(
        "action",
        "dir",
        "remind me|forget|remember",
        r"(?:remind me(?: later| tomorrow)? (?:to|about)|don't let me forget to|i (?:need|"
        r"have) to remember to) (?P<x>.{3,})",
    ),
    _shape(
        "action",
        "mnot",
        "next",
        r"(?:the |our |my )?next(?: (?:steps?|up|task|thing))?(?: here| for (?:me|us))?(?: is| are|'s|:|"
        r",)(?: to)? (?P<x>.{3,})",
    ),
    _shape(
        "action",
        "mot",
        "still",
        r"(?P<x>(?:the |our |my )[\w ]{2,40} (?:is|are) still (?:pending|open|missing|to do|todo|outstanding))",
    ),
    # decisions
    _shape(
        "decision",
        "l",
        "s not ",
        rf"(?:let's|lets|let us) not {MILD}(?P<x>(?:use|go with|add|keep|adopt|switch to|bother with|rely on|"
        r"do) .+)",
        "don't ",
    ),
    _shape("decision", "l", _LET, rf"(?:let's|lets|let us) {MILD}(?P<x>{_TAKE} .+)"),
    _shape(
        "decision",
        "iw",
        "'ll|will|should|shall|going to|gonna",
        rf"(?:we|i)(?:'ll| will| should| shall|{_BE} (?:going to|gonna))(?: rather| now)? {MILD}(?P<x>{_TAKE} .+)",
    ),
    _shape(
        "decision",
        "iw",
        "not to",
        rf"(?:we|i)(?:'ve| have|{_BE}| had)? {MILD}(?:decided|chose|opted|agreed|chosen) not to (?P<x>.+)",
        "don't ",
    ),
    _shape(
        "decision",
        "iw",
        "decided against",
        rf"(?:we|i)(?:'ve| have| had)? {MILD}decided against (?P<x>.+)",
        "decided against ",
    ),
    _shape(
        "decision",
        "acdfgijkmnorsw",
        "decided|agreed|opted|chose",
        rf"(?:it (?:was|is|has been) )?(?:(?:we|i)(?:'ve| have|{_BE}| had)? )?{MILD}(?:decided|agreed|opted|"
        r"chose) (?:to|that|we'll|we will) (?P<x>.+)",
    ),
    _shape(
        "decision",
        "iw",
        "switching|moving|migrating",
        rf"(?:we|i){_BE} {MILD}(?:switching|moving|migrating) (?P<x>from [\w.+#/ -]{{1,40}}? to .+)",
        "switch ",
    ),
    _shape(
        "decision",
        "",
        "decided|chose|opted|settled|agreed|picked|with|switching|moving|migrating|dropping",
        rf"(?:(?:we|i)(?:'ve| have|{_BE}| had)? |(?!(?:[^:,]|,\d)* (?:is|was|are|seems?|makes|"
        rf"would)\b)){MILD}(?:decided (?:on|for|in favou?r of)|chose|chosen|opted for|settled (?:on|for)|"
        r"agreed on|picked|(?:going|went|gone|go|sticking|stuck|staying) with|"
        r"(?:switching|moving|migrating)(?: from [\w .+#-]{1,30}?)? to|dropping) (?P<x>.+)",
        "go with ",
    ),
    _shape(
        "decision",
        "dft",
        "decision",
        r"(?:final )?decision(?: is|:)(?: to)? (?P<x>.+)|the decision (?:is|was) (?:to |that )?(?P<y>.+)",
    ),
    _shape(
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
    _shape(
        "decision",
        "",
        " it is",
        r"(?P<x>(?!what|that|as|how|here|there|it\b|this\b|"
        r"so\b)[\w.+#\ufffc-]+(?: [\w.+#\ufffc-]+){0,3}) it is(?: then)?[.!]?$",
        "go with ",
    ),
    # goals
    _shape("goal", "l", _LET, rf"(?:let's|lets|let us) {MILD}(?P<x>{_MAKE} .+)"),
    _shape(
        "goal",
        "iw",
        "want|need|like|love|plan|intend|aim|hop|going|wish|wanna",
        rf"(?:i|we){_BE}? ?{MILD}(?:want|need|would like|'d like|'d love|would love|plan|planning|intend|aim|"
        r"aiming|hope|hoping|"
        rf"going|wish|wanna) (?:to )?(?:be able to )?(?P<x>{_TOLD}(?<=to |na ).{{3,}})",
    ),
    _shape(
        "goal",
        "gmot",
        "goal|aim|objective|target|mission",
        r"(?:my|our|the)(?: \w+)? (?:goal|aim|objective|target|mission)(?: here| now| for [\w ]{2,30}?)?(?: is|"
        r":)(?: to| that)? (?P<x>.{3,})|goals?: (?:to )?(?P<y>.{3,})",
    ),
    _shape(
        "goal",
        "iw",
        "working on|building|developing|creating|migrating|designing",
        rf"(?:i|we){_BE} {MILD}(?:currently )?(?P<x>(?:working on|building|developing|creating|migrating|"
        rf"designing) (?!(?:this|that|it|(?:an?|this|my|the|some) (?:project|code|problem|task))\b).{{3,}})",
    ),
    # facts about the speaker
    _shape(
        "fact",
        "ceijmpy",
        "name|call me|i go by",
        r"(?P<x>my (?:full |first |last |middle |real |user)?name(?:'s|"
        r" is) [\w\ufffc][\w\ufffc.'-]*(?-i: [A-Z][\w.'-]*){0,3}|(?:people |everyone |just |"
        r"you can )?call me (?!back|when|if|at|crazy|old)\S.+|i go by .+)",
    ),
    _shape(
        "fact",
        "it",
        "i'm|i am|this is",
        r"(?P<x>(?-i:(?:I'm|I am|This is) [A-Z][a-zé]+(?: [A-Z][a-zé]+)?)(?=[.!]?$|,| from\b|"
        r" and\b))(?<!ing)(?<!Sorry)(?<!Done)(?<!Not)(?<!Sure)(?<!Ok)",
    ),
    _shape(
        "fact",
        "i",
        "'m| am ",
        rf"(?P<x>i(?:'m| am) {MILD}(?:currently )?(?:{_ABOUT_ME})\b(?! (?:bit|little|lot|tad|few|(?:big |"
        rf"huge )?fan|loss|wondering|mess|sucker)\b).{{2,}}|i(?:'m| am) (?:vegan|vegetarian|married|retired|"
        r"pregnant|diabetic|left-handed|unemployed|self-employed|colou?r-?blind)\b.*)",
    ),
    _shape(
        "fact",
        "i",
        "work|live|study|teach|grew up|was born|come|reside",
        r"(?P<x>i (?:currently |mostly |usually |normally |only )?(?:work|live|study|teach|grew up|was born|"
        r"come|reside) (?:at|in|for|as|from|near|remotely|part-time|full-time|nights|night shifts|mondays|"
        r"weekends)\b.*)",
    ),
    _shape(
        "fact",
        "i",
        " been ",
        r"(?P<x>i(?:'ve| have) been (?:working (?:at|for|as|in)|living|studying|teaching|programming|coding|"
        r"married|vegan|vegetarian) .{2,})",
    ),
    _shape(
        "fact",
        "i",
        "i've got|i have|i own",
        rf"(?P<x>i(?:'ve got| have| own) {_THIRD} (?:[\w-]+ ){{0,2}}?(?:{_KIN}|allerg(?:y|ies)|degree|phd|"
        r"masters?|bachelors?|macbook|laptop|thinkpad|car|house|garden|startup|company|meeting|standup|class|"
        r"appointment|years of experience|gpu)\b.*)",
    ),
    _shape(
        "fact",
        "m",
        "my ",
        rf"(?P<x>my {_OWN}(?-i: [A-Z]\w+)?(?:'s(?: name is)?| is| are| lives?| works?| uses?| runs?| was|"
        r" starts?| ends?|"
        rf" turns?| has| have) (?!not\b|broken|crash|fail|slow|stuck).{{1,}})",
    ),
    _shape(
        "fact",
        "iw",
        "use|run|develop|code in|program in|deploy|host on|build with",
        r"(?P<x>(?:i|we)(?: currently)? (?:use|run|run on|develop (?:on|in|with)|code in|program in|"
        rf"deploy (?:on|to|with)|host on|build with) {_TOOL}\S.*)",
    ),
    _shape(
        "fact",
        "iw",
        "using|running| on ",
        rf"(?P<x>(?:i|we){_BE} (?:currently )?(?:using|running|on) {_TOOL}(?-i:(?=[A-Z\ufffc])|(?=\S+ v?\d)|"
        r"(?=postgres|python|node|react|django|redis|docker|macos|ubuntu|linux))\S.*)",
    ),
    _shape(
        "fact",
        "i",
        "start|finish|wake up|get up|leave|go to bed|go for a run|have lunch",
        r"(?P<x>i (?:usually |normally |always |typically )?(?:start|finish|wake up|get up|leave|go to bed|"
        r"go for a run|have lunch) (?:\w+ )?(?:at|by|around|before|after) (?:\d|noon|mid).*)",
    ),
    _shape(
        "fact",
        "i",
        "speak|drive|play|graduated|studied|majored|moved|retired|run a|volunteer|belong|relocated|joined|got ",
        r"(?P<x>i(?:'ve| have)? (?:just |recently )?(?:speak|drive an?|play|graduated from|studied|majored in|"
        r"moved (?:back )?to(?! (?:(?:the )?(?:next|other|last|first|following|main|second|line|step|part)|"
        r"another|this|that|it)\b)|"
        r"retired from|run a|volunteer at|belong to|relocated to|joined (?-i:(?=[A-Z]))|"
        r"got an? (?:new )?job (?:at|with|as)|got (?:married|engaged|divorced)(?= to\b|[.!]?$)).*)",
    ),
    # what used to be so
    _shape(
        "fact",
        "i",
        "longer|any more|anymore|my job| now ",
        r"(?P<x>i (?:no longer|(?:don't|do not)(?= .* any ?more\b)) (?:live|work|study|teach|use|run|play|own|drive|"
        r"eat|drink|smoke|speak|prefer)\b(?! (?:it|that|this|them)\b).*|"
        r"i(?:'m| am) (?:no longer|not(?= .* any ?more\b)) (?:an?|the|vegan|vegetarian|married|single|engaged|living|"
        r"working (?:at|for|as|in)|studying|based|allergic|new to|employed|using|running|on)\b.*|"
        r"i(?:'ve| have)? (?:just )?(?:quit|left|lost) my job\b.*|"
        r"i now (?:live (?:in|at|near)|work (?:at|for|as|in)|study|teach|use|drive|prefer) (?!(?:it|this|"
        r"that|the)\b).{2,})",
    ),
    # constraints
    _shape(
        "constraint",
        "k",
        "keep ",
        r"(?P<x>keep (?:it|this|them|the \w+|everything) (?:under|below|within|at most|short|simple)\b.*)",
    ),
    _shape(
        "constraint",
        "iwy",
        "can't|cannot|may not|are not allowed to",
        r"(?P<x>(?:you|we|it) (?:can't|cannot|may not|are not allowed to) (?:use|add|change|touch|break|store|"
        r"log|rely|"
        r"depend|install|call|modify|exceed)\b.+)",
    ),
    _shape(
        "constraint",
        "itwy",
        "never|always",
        r"(?P<x>(?:we|you|it|they) (?:never|always) (?!had|got|was|were|did|saw|found|went|\w+ed\b|returns|"
        r"gives|shows|fails|crash|get|seem|say)\w+.+)",
    ),
    _shape("constraint", "ans", "no ", rf"(?P<x>(?:absolutely |strictly )?no {_NOUNS}.{{0,60}})"),
    _shape(
        "constraint",
        "anou",
        "avoid|under no circumstances|only|never|always",
        r"(?P<x>(?:avoid|under no circumstances|only (?:use|support|allow|return|change|touch)|use only) \w.+|"
        r"(?:never|always) (?!mind|again|the\b|has|had|been|on\b|in\b|at\b|so\b|too\b|there|a\b|an\b|\w+ing to)\w.+)",
    ),
    _shape(
        "constraint",
        "d",
        "don't|do not|dont",
        r"(?P<x>(?:don't|do not|dont) (?:ever )?(?:use|add|change|touch|break|log|store|remove|delete|modify|"
        r"install|import|commit|push|deploy|rename|edit|call|write|expose|hard-?code|rely|depend|include|send|"
        r"block|mention|return|create|introduce|exceed|repeat|print|mutate|mock|rewrite|refactor)\b.+)",
    ),
    _shape(
        "constraint",
        "abflmnuw",
        "max|min|at most|at least|than|under|below|within|up to",
        r"(?P<x>(?:max(?:imum)?|min(?:imum)?|at (?:most|least)|no (?:more|fewer|less) than|less than|"
        r"fewer than|under|below|within|up to)\.?(?: of)?:? [€$£]?\d.*)",
    ),
    _shape(
        "constraint",
        "bcdfhlmort",
        "deadline|budget|limit|due date|cutoff|cut-off|constraint|requirement|rule",
        r"(?P<x>(?:the |our |my )?(?:hard |final )?(?:deadline|budget|limit|due date|time limit|memory limit|"
        r"cut-?off)(?: for [\w ]{2,30}?)?(?: is|:) .{2,})|(?:hard )?(?:constraints?|requirements?|"
        r"rules?): (?P<y>.{3,})",
    ),
    _shape(
        "constraint",
        "",
        "must|has to|have to|need to|needs to|required|mandatory|forbidden|not allowed|prohibited|off-limits|"
        "off limits|not permitted|may |shall |can|should",
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
    _shape(
        "constraint",
        "",
        "without ",
        r"(?:\w.*\b)(?P<x>without (?:using|changing|breaking|touching|adding|installing|modifying|losing) .{3,})",
    ),
    # completions
    _shape(
        "completion",
        "cdfims",
        "finished|completed|merged|fixed|deployed|shipped|implemented",
        r"(?P<x>(?:finished|completed|merged|fixed|deployed|shipped|implemented) (?:the|all|my|our) .{3,})",
    ),
    _shape(
        "completion",
        "acdfrt",
        "with |done: ",
        r"(?P<x>(?:all )?(?:done|finished|completed|ready|through) with .{3,}|done: .{3,})",
    ),
    _shape(
        "completion",
        "iw",
        "finished|completed|done with|merged|deployed|shipped|released|fixed|solved|implemented|closed|pushed",
        rf"(?P<x>(?:i|we)(?:'ve| have|'m| am|'re| are)? {MILD}(?:finished|completed|done with|merged|deployed|"
        r"shipped|released|fixed|solved|resolved|implemented|closed|pushed)\b(?! to).*)",
    ),
    _shape(
        "completion",
        "",
        "done|finished|complete|implemented|fixed|merged|deployed|shipped|released|live|solved|passing|green|working",
        r"(?P<x>(?:(?!\b(?:not|no|isn't|aren't|never|who|which|until|by)\b)[^,\n]){1,60}?(?:'s| is| are| was|"
        r" were| got| has been| have been)(?: now| finally| all| already| both)? (?:done|finished|completed?|"
        r"implemented|fixed|merged|deployed|shipped|released|live|resolved|solved|passing|green|working(?= now|"
        r" again|[.!]?$))\b(?! by\b| in\b| when\b| using\b).*)",
    ),
    _shape(
        "completion",
        "abcmoptu",
        "pass|succeed|green",
        r"(?P<x>(?:(?:all|the|all the|unit|our|my)\s+)*(?:tests?|build|ci|pipeline|checks?)(?: \w+)? (?:now |"
        r"all |finally )?(?:pass(?:es|ed)?|succeed(?:s|ed)?|(?:is|are) (?:green|passing)).*)",
    ),
    _shape(
        "completion",
        "defimrstw",
        "work|did |fixed|solved|merged|deployed|shipped|released",
        r"(?P<x>(?:it|that|this|everything)(?: all| now| finally)? (?:works?|worked|did the trick|did it|"
        r"fixed (?:it|that)|solved (?:it|that))(?: (?:now|fine|great|perfectly|well|again|like a charm|"
        r"as expected))*(?=[.!]?$|,).*|(?:it |that )?works (?:now|fine|great|perfectly|like a charm).*|"
        r"(?:merged|deployed|shipped|released|fixed|solved)(?: it| that)?[.!]?$)",
    ),
)
