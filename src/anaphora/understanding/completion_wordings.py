"""The wordings of completions: what somebody says to have done, and what is said to be done, live or working."""

from __future__ import annotations

from anaphora.understanding.shapes import MILD, Shape, shape

__all__ = ["AS_IT_SHOULD", "COMPLETIONS"]

_ERRANDS = r"(?:booked|renewed|ordered|packed|submitted|signed|reserved|scheduled|registered)"
_FINITE = (
    r"(?:is|are|was|were|be|been|would|will|should|could|can|may|might|must|do|does|did|has|have|had|makes?|gives?)"
)
AS_IT_SHOULD = (  # all that may be added to a state without leaving something of it open
    r"(?:,? (?:now|again|finally|at last|already|today|fine|great|perfectly|beautifully|nicely|well|as expected|"
    r"like a charm|end to end|everywhere|for everyone|for all users|too|as well|"
    r"(?:in|on|to) prod(?:uction)?|(?:at|on|under) [\w:/-]+\.[\w./-]+))*"
)
_AND_NO_MORE = rf"{AS_IT_SHOULD}(?=[.!]?$|[,;:(–—]| (?:but|and|so|because|since|thanks)\b)"
_NOT_SO = (  # denied, wished, asked for or supposed; or said of people and of what is to choose from
    r"(?:not|no|isn't|aren't|never|doesn't|don't|didn't|won't|can't|cannot|nothing|nobody|should|would|could|might|may|"
    r"must|will|how|if|whether|when|once|until|who|which|by|sure|ensure|check|verify|hope|wish|way|option|one|either|"
    r"approach|idea|second|third|former|latter|i|you|he|she|they|people)"
)

COMPLETIONS: tuple[Shape, ...] = (
    shape(
        "completion",
        "abdfgijkmnoprstw",
        "ed |bought|paid|sent|wrote|built|set up",
        rf"(?P<x>(?:(?:i|we)(?:'ve| have)? )?{MILD}(?:{_ERRANDS}|bought|paid(?: for)?|sent|wrote|built|designed|"
        r"migrated|refactored|documented|reviewed|published|set up) (?:the|my|our|all the|both) "
        r"(?!(?:following|same|requests?|"
        r"quer(?:y|ies)|data|headers?|messages?|payload|code|image)\b).{3,})",
    ),
    shape(
        "completion",
        "cdfims",
        "finished|completed|merged|fixed|deployed|shipped|implemented",
        r"(?P<x>(?:finished|completed|merged|fixed|deployed|shipped|implemented) (?:the|all|my|our) .{3,})",
    ),
    shape(  # as a note: "Implemented token generation", "Fixed login redirect bug"
        "completion",
        "fi",
        "fixed|implemented",
        r"(?P<x>(?:implemented|"
        r"fixed(?=.* (?:bugs?|issues?|crash|errors?|typos?|leaks?|regression|tests?|build)[.!]?$)) "
        rf"(?!(?:by|in|on|at|as|to|with|using|via|it|that|this|nothing|none)\b)[\w./-]+"
        rf"(?: (?!(?:{_FINITE}|so|not|still)\b)[\w./-]+){{1,4}})[.!]?$",
    ),
    shape(
        "completion",
        "acdfrt",
        "with |done: ",
        r"(?P<x>(?:all )?(?:done|finished|completed|ready|through) with .{3,}|done: .{3,})",
    ),
    shape(
        "completion",
        "iw",
        "finished|completed|done with|merged|deployed|shipped|released|fixed|solved|implemented|closed|pushed",
        rf"(?P<x>(?:i|we)(?:'ve| have|'m| am|'re| are)? {MILD}(?:finished|completed|done with|merged|deployed|"
        r"shipped|released|fixed|solved|resolved|implemented|closed|pushed)\b(?! to).*)",
    ),
    shape(
        "completion",
        "",
        " done| finished| complete| ready| implemented| fixed| merged| deployed| shipped| released| live| resolved|"
        " solved| passing| green| working| booked| renewed| ordered| packed| submitted| signed| reserved| scheduled|"
        " registered| paid| bought",
        r"(?P<x>(?:(?!\b(?:not|no|isn't|aren't|never|who|which|until|by)\b)[^,\n]){1,60}?(?:'s| is| are| was|"
        r" were| got| has been| have been)(?: now| finally| all| already| both)? (?:done|finished|completed|"
        r"complete(?=[^\w ]|$| (?:now|and|but|so|for|in|on|as|with|again|at last|since|because)\b)|ready(?! (?:to|for|"
        r"when|if|as)\b)|"
        rf"implemented|fixed|merged|deployed|shipped|released|live|resolved|solved|{_ERRANDS}|paid|bought|"
        rf"passing|green|working(?={_AND_NO_MORE}))\b(?! by\b| in\b(?! prod)| when\b| using\b|"
        r" via\b| through\b| wrong| badly| poorly| differently| like\b| manually| automatically).*)",
    ),
    shape(  # "the export works now", "dark mode is in"
        "completion",
        "",
        " work| went live| up and running| prod|'s in|is in|are in|now in|finally in|already in",
        rf"(?P<x>(?:(?!\b{_NOT_SO}\b)[^,\n]){{1,60}}?(?: went live|"
        r"(?<! to) works?(?= (?:now|again|fine|great|perfectly|as expected|like a charm)\b)|"
        r"(?<!bug)(?<!error)(?<!issue)(?<!problem)(?<!crash)(?:'s| is| are)(?: now| finally| already)? "
        r"(?:up and running|in(?: main| master)?|(?:in|on) prod(?:uction)?))"
        rf"{_AND_NO_MORE}.*)",
    ),
    shape(
        "completion",
        "abot",
        " work",
        rf"(?P<x>(?:the|our|both|all)(?: (?!{_NOT_SO}\b)[\w./-]+){{1,6}}?(?<! to) works?{_AND_NO_MORE}.*)",
    ),
    shape(
        "completion",
        "abcmoptu",
        "pass|succeed|green",
        r"(?P<x>(?:(?:all|the|all the|unit|our|my)\s+)*(?:tests?|build|ci|pipeline|checks?)(?: \w+)? (?:now |"
        r"all |finally )?(?:pass(?:es|ed)?|succeed(?:s|ed)?|(?:is|are) (?:green|passing)).*)",
    ),
    shape(
        "completion",
        "defimrstw",
        "work|did |fixed|solved|merged|deployed|shipped|released",
        r"(?P<x>(?:it|that|this|everything)(?: all| now| finally)? (?:works?|worked|did the trick|did it|"
        r"fixed (?:it|that)|solved (?:it|that))(?: (?:now|fine|great|perfectly|well|again|like a charm|"
        r"as expected))*(?=[.!]?$|,).*|(?:it |that )?works (?:now|fine|great|perfectly|like a charm).*|"
        r"(?:merged|deployed|shipped|released|fixed|solved)(?: it| that)?[.!]?$)",
    ),
)
