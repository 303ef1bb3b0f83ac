"""Wordings of whole sentences and messages: reasons and commands, what is to be remembered, what says good-bye."""

from __future__ import annotations

from anaphora.understanding.clauses import REASON
from anaphora.understanding.patterns import any_case

__all__ = [
    "ACKNOWLEDGES",
    "BACK_TO",
    "CLOSING",
    "COMMAND",
    "DISMISSED",
    "FILLER",
    "FOR_WHAT",
    "INSTEAD_OF",
    "LED_BY",
    "NOTE",
    "PRAISED",
    "PRAISES",
    "PURPOSE",
    "REMEMBER",
    "SOLVED",
    "SWAPPED",
    "SWAPPED_IF_ALIKE",
    "TAKES_IT",
    "WHY_FIRST",
    "WHY_NEXT",
]

PURPOSE = (
    r"[\s,]+(?:so that|so(?= (?:we|it|i|they|users|the \w+) (?:can|could|don't|doesn't|won't|stays?|keeps?|"
    r"never)\b)|in order to)\s+|\s*(?::|\s[-–—]+)\s+"
)
WHY_FIRST = any_case(r"(?:because|since|as|given(?: that)?)\s+(?P<x>.+)", needles="because|since|as|given")
WHY_NEXT = any_case(r"(?:because|the reason is(?: that)?|reason:)\s+(?P<x>.+)", needles="because|reason")
FILLER = any_case(
    r"(?:(?:use|do|keep|pick|choose|take|have|get|make|go with|go for|stick with|stick to|stay with|"
    r"adopt|switch to|move to|migrate to|settle on|opt for|rely on|to|try|be|is|not|don't|the|a|an|some|of|"
    r"in|on|for|with"
    r")\s+)*(?:it|that|this|these|those|them|so|one|you|me|something|anything|everything|nothing|stuff|things?|"
    r"more|again|"
    r"here|there|same|way|following|above|below|a|the|an|to|use|do|following code|code)?"
)
_WHAT = (
    r"(?!(?:each|every|all|an?|this|that|it|now|example|instance|more|some|any|context|me|us|reference|real|sure)\b)"
    r"(?:(?:the|our|my) )?[\w-]+(?: [\w-]+)?(?<!record)(?<!being)(?<!moment)"
)
FOR_WHAT = any_case(
    rf"for (?P<z>{_WHAT}),? (?:(?:let's|lets|we'll|we should|please|just) )*"
    r"(?P<x>(?:use|go with|stick with|take|pick) (?!(?:the|this|that|it|your|my|only|an?|these|those|them)\b)"
    r"\S+(?: (?!to\b)\S+){0,3}?)[.!]?"
)
BACK_TO = any_case(
    r"(?:let's (?:go )?|lets (?:go )?|we're |we are |we can go |i'm |go )?back (?:to|on)(?: using)? (?P<x>[\w.+#-]+)"
    r"(?: again| now| then)*[.!]?",
    needles="back ",
)
LED_BY = any_case(
    rf"(?P<z>for {_WHAT}|in (?:production|prod|staging|dev|development|ci|(?:the|our) (?:backend|front ?end|api|cli|"
    rf"app|"
    r"browser|cloud|tests|cache|docs)))"
)
INSTEAD_OF = any_case(
    r"instead of (?P<o>(?!(?:it|that|this|them)\b)[\w.+#/-]+(?: [\w.+#/-]+){0,3}?),?(?P<rest> (?:let's|lets|let us|"
    r"(?:we|i)(?:'ll| will| should)|please|just|use|go with|switch to) .+)?",
    needles="instead of",
)
DISMISSED = any_case(  # what is decided against by what follows: "Redux is overkill, let's just use context"
    r"(?P<x>(?!(?:it|that|this|he|she|they|there|what|which|the|my|our|a|an|everything|nothing)\b)[\w.+#-]+"
    r"(?: [\w.+#-]+)?)(?:'s| is| are| feels| seems| looks) (?:(?:just|really|way|kind of|a bit|probably|totally) )*"
    r"(?:overkill|too (?!late|early|soon\b)\w+(?: \w+){0,3}|not worth it|bloated|deprecated|(?:a )?(?:pain|bad fit)|"
    r"not (?:good|fast) enough|unmaintained|dead)"
)
_WAY_OUT = r"(?:scrap|drop|forget(?: about)?|ditch|never ?mind|abandon|skip|no)"
_A_NAME = (
    r"(?!(?:us(?:e|ing)|go|going|switch|take|pick|let's|lets|we|i|please|it|that|this|them|these|those|the|an?|my|our|"
    r"all|any)\b)[\w.+#/-]+(?: [\w.+#/-]+)?"
)
SWAPPED = (  # one thing in the place of another, `n` for `o`
    any_case(
        rf"{_WAY_OUT} (?P<o>{_A_NAME}?), (?P<n>{_A_NAME}?)(?:'s| is) (?:enough|fine|sufficient|plenty|better)\b.*"
    ),
    any_case(
        rf"(?:(?:let's|lets|we'll|we should|please) )?{_WAY_OUT} (?P<o>{_A_NAME}) in favou?r of (?P<n>{_A_NAME}?)[.!]?",
        needles="in favo",
    ),
    any_case(
        rf"(?P<o>{_A_NAME}?)(?:'s| is| feels| seems) (?:(?:just|really|way|a bit|totally) )*(?:overkill|too \w+|"
        rf"not worth it)"
        rf"(?:[,;]| -)? (?:(?:so|just|better|rather|please|then) )*(?:use|go with|switch to|"
        rf"take) (?P<n>{_A_NAME})[.!]?",
        needles="overkill|too |not worth it",
        dear=True,
    ),
    any_case(rf"(?P<n>{_A_NAME}?) it is,? (?:and )?(?:not|instead of) (?P<o>{_A_NAME})[.!]?", needles=" it is"),
)
SWAPPED_IF_ALIKE = (  # where both are things of one sort: "replace the button with a link" is an order
    any_case(rf"(?:please )?replace (?P<o>{_A_NAME}) (?:by|with) (?P<n>{_A_NAME}?)[.!]?", needles="replace "),
    any_case(
        rf"(?P<n>{_A_NAME}),? (?:instead of|rather than|not) (?P<o>{_A_NAME}?)[.!]?", needles="instead of|rather|not "
    ),
)
PRAISED = any_case(
    r"(?P<x>(?!(?:it|that|this|he|she|they|there|what|which|the|my|our)\b)[\w.+#-]+(?: [\w.+#-]+)?)(?:'s| is| looks|"
    r" seems| sounds) (?:(?:so|much|way|really|a lot|just|pretty) )*(?:better|faster|great|nicer|simpler|cheaper|"
    r"perfect|"
    r"good|fine|easier|cool|cooler|best|awesome|nice|lovely|amazing)"
)
TAKES_IT = any_case(
    r"(?:let's|lets|let us|(?:we|i)(?:'ll| will)|we should) (?:(?:just|now|also|really) )*(?P<v>use|go with|go for|"
    r"switch to|move to|stick with|stick to|stay with|adopt|take|pick) it(?: then| now)?[.!]?",
    needles=" it",
)
COMMAND = any_case(
    r"(?:use|stick with|go with|switch to) (?!(?:the|this|that|it|your|my|only|an?|these|those)\b)"
    rf"\S+(?: (?!to\b)\S+){{0,5}}?(?:[.!]?|(?:{REASON.pattern}|{PURPOSE}).+)|"
    # what is set against something else is chosen, however it is called
    r"(?:use|stick with|go with|switch to) (?:the|an?) [^\s,]+(?: [^\s,]+){0,4}?,? "
    r"(?:not|and not|instead of|rather than) "
    rf"(?!(?:this|that|it)\b|\w+ing\b)\S+(?: (?!to\b)\S+){{0,4}}?(?:[.!]?|(?:{REASON.pattern}|{PURPOSE}).+)",
    needles="use|stick with|go with|switch to",
)
_TO_KEEP = (
    r"(?: that(?! (?:is|was)\b)| this(?! (?:is|was|must|should|will|can|has|needs?)\b)| the following| down|"
    r" to)*\s*[:,\-–—]?\s*(?P<x>(?!when|how\b|what|where|who|why|me\b|if\b|"
    r"past\b|you\b).{3,})"
)
REMEMBER = any_case(
    r"(?:(?:can|could|will|would) you )?(?:always )?(?:remember|keep in mind|bear in mind|don't forget|do not forget|"
    r"never forget|take note|make a note|memori[sz]e|for future reference|save this|for your memory|store this)\b"
    + _TO_KEEP,
    needles="remember|in mind|forget|note|memori|for future reference|save this|for your memory|store this",
)
NOTE = any_case(r"(?:please )?note(?= that| this|:| down)" + _TO_KEEP, needles="note")

_PRAISE = (
    r"ok(?:ay)?|good(?: idea| point| to know| call| catch)?|great|perfect|nice(?: one)?|cool|thanks|thank you|fine|"
    r"super|awesome|love it|ah+|oh|wow|hm+|makes sense|got it|alright|right|lol|sounds (?:good|great|right|fine)|"
    r"looks (?:good|great|nice|fine)|well done|fair enough|agreed|noted|interesting|i see|understood|exactly"
)
PRAISES = any_case(rf"\W*(?:(?:{_PRAISE}|yes|no|very|better)\W*)+")  # what stands before what is wanted
_AS_IT_SHOULD = r"(?: (?:now|again|fine|perfectly|great|well|nicely|as expected|like a charm)){0,2}"
_SOLVED = (
    r"(?:lgtm|looks good to me|all good|(?:it|this|that) did it|"
    r"(?:(?:yes|yep|yeah|yay|and|finally|hurray)\W+){0,2}(?:(?:it|this|that|everything|all)(?:'?s| is)? (?:(?:just|"
    r"finally|now) )?)?(?:works|worked|working|fixed|solved|resolved|did the trick|(?:fixed|solved|resolved) "
    rf"(?:it|that))){_AS_IT_SHOULD}"
)
# says that it is done, and wants nothing; the turns are counted, since "great" can be told of it or stand beside it
SOLVED = any_case(
    rf"\W*(?:(?:{_PRAISE})\W+){{0,3}}{_SOLVED}(?:\W+(?:{_PRAISE}|thx|ty)){{0,3}}(?:\s*[^\s\w?])*\s*",
    needles="lgtm|good|work|fixed|solved|did",
)
ACKNOWLEDGES = any_case(  # says that something was heard, and wants nothing
    rf"\W*(?:(?:{_PRAISE})\W*)+|{SOLVED.pattern}"
)
CLOSING = any_case(
    r"(?:(?:ok|okay|great|perfect|cool|nice|awesome|alright|good|excellent|wonderful|amazing|super|got it)[,.! ]*)*"
    r"(?:i'?m done|(?:we'?re |we are |all )?done(?: (?:here|for (?:now|today)))?|"
    r"(?:many )?thanks?(?: you)?(?: (?:a lot|so much|very much|again|for (?:your|the|all the|all your) (?:help|"
    r"time|support)|everyone|all))*|thx|tnx|thnx|thanx|ty|cheers|"
    r"that'?s (?:all|it)(?: for (?:now|today))?|that (?:is|will be|would be) all(?: for (?:now|today))?|"
    r"let'?s (?:stop here|call it a day|wrap (?:it |this )?up|leave it (?:there|here|at that)|end (?:it |"
    r"this )?here)(?: for (?:now|today))?|"
    r"bye(?: bye)?|goodbye|see you(?: (?:later|tomorrow|soon|around))?|talk to you (?:later|tomorrow|soon)|"
    r"talk (?:later|soon|tomorrow)|ttyl|gtg|g2g|(?:i(?:'ve)? )?(?:gotta|got to) (?:go|run)(?: now)?|"
    r"(?:problem|issue|bug|mystery) (?:is )?(?:solved|fixed|resolved)|"
    r"good night|never ?mind|(?:we can )?close this(?: conversation)?|signing off|have a (?:good|nice|"
    r"great) (?:one|day|evening|weekend))"
    r"(?:[,. !]*(?:thanks?(?: you)?|bye|that'?s all|for now|for today|then|everyone|see you(?: tomorrow|"
    r" later)?|good night|cheers))*[.! 👋🙏😊]*",
    needles="done|thank|thx|tnx|thnx|thanx|ty|cheers|that|let's|lets|bye|see you|talk|good night|mind|"
    "close this|signing off|have |gtg|g2g|ttyl|got|solved|fixed",
)
