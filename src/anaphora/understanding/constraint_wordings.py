"""The wordings of constraints: what must be so, or must not, whatever is done."""

from __future__ import annotations

from anaphora.understanding.shapes import Shape, shape

__all__ = ["CONSTRAINTS"]

_STANDING = (  # what somebody is told to do whenever it comes up
    r"(?:answer|reply|respond|write|keep|put|call|run|add|format|speak|talk|explain|make|name|commit|push|test|"
    r"start|end|stop|avoid|prefer|send|sign|ask|tell|show|print|return|skip)"
)
_MOVED = (
    r"(?:moved|went|pushed|postponed|extended|shifted|changed|delayed|raised|increased|lowered|cut|reduced|bumped|"
    r"brought)(?: back| forward| out| up| down)?"
)
_NOUNS = (
    r"(?:dependenc|librar|framework|packag|plugin|recursi|loop|class|global|comment|emoji|third|3rd|external|extra|"
    r"additional|new |other |more |ads?\b|cookies?|tracking|javascript|typescript|jquery|css|sql|orm|docker|"
    r"cloud|network|"
    r"internet|telemetry|mocks?\b|secrets?\b|tokens?\b|downtime|breaking|magic|side effects|inheritance|"
    r"mutable|print|"
    r"logging|async|threads?\b|regex|eval\b|warnings|nuts|gluten|dairy|meat|sugar|meetings?\b|deploys?\b|calls?\b)"
)
_DEED = (  # what code is kept from doing; what "shouldn't fail" or "shouldn't happen" is no rule
    r"(?:mutate|modify|change|touch|write|log|store|depend|rely|import|call|access|expose|block|use|delete|remove|"
    r"overwrite|send|know|leak|cache|contain|include|share|print|hard-?code|allocate|swallow)"
)
_ASKED_FOR = (  # "write a function that must return a list" says what is to be written
    r"(?:write|create|make|implement|generate|give|show|define|develop|code|provide)(?: me)? (?:an?|the|some|another) "
    r"[^,\n]{1,80} (?:that|which) (?:must|has to|have to|needs? to)\b"
)

CONSTRAINTS: tuple[Shape, ...] = (
    shape(
        "constraint",
        "aen",
        "must|requires|require|has to|have to|should|shall|can't|cannot|may not",
        r"(?P<x>(?:all|every|each|no) (?!(?:time|one|body|i|you|we|they|that|of|this|it|these|those|need|idea|way|"
        r"single time)\b)[\w-]+(?: (?!(?:i|you|we|they|that|which|who)\b)[\w-]+){0,3}? (?:must|"
        r"requires?(?! (?:me|us|you)\b)|"
        r"ha(?:s|ve) to|should(?: only| never| always)?|shall|can't|cannot|may not|shouldn't) (?!have been\b)\w.+)",
    ),
    shape(
        "constraint",
        "ae",
        "need",
        r"(?P<x>(?:all|every|each)(?: (?:of )?(?:the|our|these))? (?!(?:time|one|body|i|you|we|they)\b)[\w-]+"
        r"(?: (?!(?:i|you|we|they|that|which|who)\b)[\w-]+){0,2}? needs? (?:auth\w*|approvals?|reviews?|tests?|docs?|"
        r"docstrings?|documentation|comments?|validation|encryption|permissions?|types?|type hints?|"
        r"an? \w|at least|two|three|\d)(?!.*\b(?:fixed|updated|changed)\b).*)",
    ),
    shape(
        "constraint",
        "",
        "may not be",
        r"(?P<x>(?!(?:it|this|that|they|there|which|what)\b)(?:(?:the|our|these|any) )?[\w-]+(?: [\w-]+){0,3}? "
        r"may not be "
        r"(?:stored|logged|sent|shared|exposed|printed|committed|kept|written|saved|cached|deleted|changed|modified|"
        r"leaked|accessed|called|touched|removed|published|disclosed|transmitted)\b.*)",
    ),
    shape(
        "constraint",
        "o",
        "only ",
        r"(?P<x>only (?!(?:you|i|we|he|she|god|time|they|it|that|this|then|now|one|a few|some)\b)(?:the )?[\w-]+"
        r"(?: [\w-]+){0,3}? (?:can|may|must|should|(?:is|are) allowed to) (?!be (?:seen|found|due)\b)\w.+)",
    ),
    shape(
        "constraint",
        "m",
        "max|min",
        r"(?P<x>(?:max(?:imum)?|min(?:imum)?)\.? (?:[\w-]+ ){1,4}?(?:(?:is|of|=|stays(?: at)?|must be|should be) |"
        r"(?<= ))[€$£]?\d(?!.*\b(?:today|yesterday|right now)\b).*)",
    ),
    shape("constraint", "f", "from now on", r"(?P<x>from now on,? no (?:more )?[\w-]+(?: [\w-]+){0,4}[.!]?$)"),
    shape(
        "constraint",
        "",
        "limited to|capped at|capped to|restricted to",
        r"(?P<x>(?!(?:i|we|you|it|he|she|my|this|that)\b)[\w-]+(?: [\w-]+){0,4}? (?:is|are) (?:limited to|"
        r"capped (?:at|to)|restricted to) [€$£]?\d.*)",
    ),
    shape("constraint", "wy", "not allowed to", r"(?P<x>(?:we|you)(?:'re| are) not allowed to \w.+)"),
    shape(
        "constraint",
        "m",
        "make sure",
        r"make sure (?:that )?(?P<x>(?:no|nobody|nothing|none of) \w.+|"
        r"(?!(?:i|you|it|that|this)\b)(?:[\w-]+ ){1,5}?(?:never|only|doesn't|don't|does not|do not|cannot|can't) \w.+)",
    ),
    shape(
        "constraint",
        "",
        "shouldn't|should not",
        rf"(?P<x>(?:(?:the|our|this|these|those|your) )?[\w-]+(?: [\w-]+)? (?:shouldn't|should not) {_DEED} \w.+)",
    ),
    shape(
        "constraint",
        "rs",
        "stay |remain ",
        r"(?P<x>(?:stay|remain) (?:(?:well|safely) )?(?:under|below|within) (?:[€$£]?\d|(?:the|our|my) budget\b).*)",
    ),
    shape(
        "constraint",
        "n",
        "no ",
        r"(?P<x>no (?!(?:errors?|warnings?|changes?|differences?|output|luck|problems?|issues?|sign|trace|mention|"
        r"entr\w+|idea|results?|bugs?|info\w*|one|need|matter|way|more)\b)[\w-]+(?: (?!(?:errors?|changes?|"
        r"output|results?)\b)"
        r"[\w-]+)? (?:in|on|to) (?:the |our |any )?(?:logs?|code|code ?base|repo\w*|commits?|production|prod|tests?|"
        r"comments?|front ?end|urls?|source|configs?|database|main|master|responses?|variable names|git)[.!]?$)",
    ),
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
        rf"(?P<x>(?!{_ASKED_FOR})"
        r"(?:(?!\b(?:would|could|might|i|who|which|what|how)\b)[^,\n]){0,80}?(?<!\w)(?:must(?:n't|"
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
)
