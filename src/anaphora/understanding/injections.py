"""Text that speaks to the model behind the memory instead of to the reader: it is marked, and stays as it is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from anaphora.types import Signal
from anaphora.understanding.once import once
from anaphora.understanding.patterns import expression

__all__ = ["find_injections"]

_FIRST, _LAST = 8_000, 4_000  # characters read at the two ends: pages hide what they want at the bottom
_SHOWN = 160
_TAGS = expression("[\U000e0020-\U000e007e]{4,}")  # letters that no screen shows
_LINES = expression(r"\n(?:[ \n])*\n")
_SPACES = expression(r"[^\S\n](?:[^\S\n]+|(?<=[\t\r]))")  # two or more, or one that is not plain
_UNSEEN = expression("[\u200b-\u200f\u2060-\u2064\ufeff\u00ad\u202a-\u202e]")


def _re(at_words: str = "", anywhere: str = "") -> re.Pattern[str]:
    """One of the two, the first only where a word begins: that is quick to rule out, and need not be said again at the
    beginning of each of its forms."""
    forms = at_words.removeprefix(r"\b").replace(r"|\b", "|")
    either = [*([rf"\b(?=\w)(?:{forms})"] if forms else []), *([anywhere] if anywhere else [])]
    return expression("|".join(either).replace(" ", r"\s"), re.MULTILINE)


_ORDERS = (
    r"(?:instructions?|directions|directives?|guidance|guidelines|prompts?|commands|orders|programming|training|"
    r"system (?:prompt|message)s?|conversation|context)"
)
_LIMITS = (
    r"(?:restrictions?|rules|guidelines|guardrails?|safeguards?|filters?|polic(?:y|ies)|limitations?|"
    r"constraints|safety \w+)"
)
_BEFORE = r"(?:previous|prior|above|earlier|preceding|foregoing|initial|original|system|existing|current|former|past)"
_TOLD = (
    r"(?:you (?:have been|were|are|'ve been|had been) (?:told|given|instructed|programmed|trained)|i (?:said|"
    r"told you) before)"
)
_OWN_PROMPT = (
    r"(?:system|initial|original|hidden|secret|developer|internal|base|full|entire|exact|"
    r"complete) (?:system )?(?:prompt|instructions?|message)"
)
_AI = (
    r"(?:ai|a\.i\.|llm|large language model|language model|gpt|chatgpt|claude|copilot|gemini|chatbot|"
    r"ai (?:model|assistant|agent|system|reviewer)|assistant)"
)
_SECRETS = (
    r"(?:secrets?|credentials?|passwords?|api[ _-]?keys?|access tokens?|auth tokens?|tokens?|private keys?|"
    r"ssh keys?|session cookies?|cookies|"
    r"env(?:ironment)? (?:variables?|vars)|personal (?:data|information)|(?:conversation|chat|"
    r"message) (?:history|log)s?|conversations?|system prompt|memor(?:y|ies))"
)
_FILES = (
    r"(?:\.env\b|id_rsa|id_ed25519|~/\.ssh|/etc/(?:passwd|shadow)|\.aws/credentials|\.netrc|\.npmrc|"
    r"\.git-credentials)"
)
_AWAY = (
    r"(?:https?://|ftp://|[\w.+-]+@[\w-]+\.\w+|(?:my|our|this|the following|an external|a remote|"
    r"attacker\S*) (?:server|webhook|e-?mail|url|address|endpoint|site|domain))"
)
_GIVE = (
    r"(?:send|post|upload|e-?mail|forward|transmit|exfiltrate|leak|submit|deliver|report|dm|copy|append|encode|"
    r"include)"
)

# Words of which one of each row stands in every match: most texts hold none of them, and are not searched. "~" stands
# for a blank.
_CUES: dict[str, tuple[str, ...]] = {
    "it tells the model to drop its instructions": (
        "ignore disregard forget erase discard aside neglect overlook attention follow obey listen override bypass "
        "circumvent drop your instruction prompt nothing none begin",
        "instruct direct guid prompt command order programming training system conversation context restriction rule "
        "guardrail safeguard filter polic limitation constraint safety told given programmed trained before above "
        "prior you task role objective goal purpose mission developer creator maker user owner operator preceding "
        "limits admin root security",
    ),
    "it tells the same in another language": (
        "anweisung instru befehle regeln consigne istruz rdenes reglas regras "
        "инструк указан команды 指令 指示 说明 提示 命令",
    ),
    "it gives the model another role": (
        "now point moment dan restrict limitation guideline guardrail polic ethic moral censor rule safeguard filter "
        "constraint safety evil jailbr god openai anthropic content",
        "you ai~ assistant bot model act behave respond pretend role simulate bound restricted limited constrained "
        "governed anything mode without dan",
    ),
    "it asks for the model's own instructions": (
        "prompt instruct guideline message programming above before",
        "you reveal leak recite disclose divulge expose repeat print output show copy write return start",
    ),
    "it carries the marks of a prompt's roles": (
        "<| start_of_turn inst] sys> system assistant important> admin hidden> developer --- ###",
    ),
    "it asks to send secrets away": (
        "secret credential passw key token cookie env personal conversation chat message prompt memor .ssh id_ shadow "
        "netrc npmrc data= history ![ curl user",
        "http ftp: @ webhook server mail url address endpoint site domain your user exfil to~me at~me via~me "
        "query link image",
    ),
    "it speaks to a model behind the reader's back": (
        "~ai ai~re ai~sys a.i. llm model gpt claude copilot gemini chatbot assistant agent user human operator anyone "
        "secretly covertly quietly important urgent warning instruction message prompt note comment rules directive "
        "authori approved consented granted",
    ),
}
_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "it tells the model to drop its instructions",
        _re(
            r"\b(?:ignore|disregard|forget|erase|discard|set aside|neglect|overlook|pay no attention to|"
            r"(?:do not|don't|"
            r"stop) (?:follow(?:ing)?|obey(?:ing)?|listen(?:ing)? to))"
            r" (?!my |our )(?:(?:all|any|every|everything|each|of|the|these|those|your|and|or|other|set|"
            rf"{_BEFORE}) )*?"
            rf"(?:(?:{_BEFORE}|your|all|any|every)(?: (?:of|the|and|or|other|your|set|"
            rf"{_BEFORE}))*) (?:{_ORDERS}|(?<=your ){_LIMITS}|(?<=previous ){_LIMITS}|(?<=prior ){_LIMITS}|"
            rf"(?<=earlier ){_LIMITS})\b"
            rf"(?! (?:manager|window|object|variable|file|error))"
            rf"|\b(?:ignore|disregard|forget) (?:the )?(?:{_ORDERS}) (?:above|before|{_TOLD}|that (?:came|"
            r"precede)|in (?:your|the) system)"
            rf"|\b(?:ignore|disregard|forget) (?:all|everything|anything|whatever|what)(?: that)? (?:{_TOLD}|"
            r"(?:(?:came|was said|is written) |written |said |stated )(?:before|above)|above(?= and|[.,:;!]|$)|"
            r"(?:before|prior to) this|"
            r"you know about|you(?:'ve| have)? (?:learned|been|know))"
            r"|\b(?:override|bypass|circumvent|disable|drop|break|violate|turn off|"
            rf"remove) (?:all )?(?:of )?your (?:\w+ )?(?:{_LIMITS}|{_ORDERS}|safety)"
            r"|\b(?:override|bypass|circumvent) (?:the |all )?(?:safety|content|ethical|moral|"
            rf"system) (?:{_LIMITS}|prompt|instructions)"
            r"|\b(?:new|updated|real|actual|revised) (?:system )?instructions?(?: for you| for the (?:ai|"
            r"assistant|model))?(?: follow|:)"
            r"|\byour (?:new|real|true|actual|only|updated) (?:task|instructions?|role|objective|goal|purpose|"
            r"mission|directives?) (?:is|are|now)\b"
            r"|\b(?:end|beginning|start) of (?:the )?(?:system )?(?:prompt|instructions)\b(?=[^\w]*(?:\n|$|"
            r"new|now|you|ignore))"
            r"|\b(?:ignore|disregard|forget) (?:what|everything|anything|all|whatever)(?: that)? (?:the|"
            r"your) (?:system|developers?|creators?|makers|user|owner|operator)s? (?:told|said|instructed|"
            r"asked|want)"
            r"|\b(?:ignore|disregard|forget) (?:all )?(?:of )?(?:the |any )?(?:text|content|words|"
            r"lines) (?:above|before this|preceding this)(?=[.,;:!]| and\b|$)"
            rf"|\b(?:nothing|none of (?:the|what)(?: \w+)?) (?:above|before)(?: this)? (?:applies|counts|matters)"
            rf"|\byour (?:\w+ )?(?:{_LIMITS}|instructions|limits|safety|filter) (?:is|are|have been|has been|"
            r"were)(?: now| hereby)? (?:lifted|void|disabled|removed|off|cancel+ed|suspended|no longer|"
            r"revoked|deleted|obsolete|replaced|overridden)"
            r"|\byour (?:previous|prior|earlier|original|initial|old|former) (?:instructions?|rules|guidelines|"
            r"orders) "
            r"(?:no longer|do not|don't) (?:apply|count|matter|hold)"
            rf"|\b(?:ignore|disregard|forget|drop) (?:any|all|the)(?: of the)? {_LIMITS} (?:that )?{_TOLD}"
            r"|\bbegin (?:system|admin|developer|root) (?:override|mode|prompt)\b"
            rf"|\bsystem override\b|\b(?:admin(?:istrator)?|developer|security|instruction) override:"
        ),
    ),
    (
        "it tells the same in another language",
        _re(
            r"\b(?:ignorier\w*|vergiss|missachte) (?:\w+ ){0,3}(?:vorherigen?|bisherigen?|obigen?|früheren?|"
            r"vorangegangenen?|vorigen?) (?:\w+ )?(?:anweisungen|instruktionen|befehle|regeln)"
            r"|\b(?:ignora|olvida|ignore|ignorez|oublie[zr]?|ignorar?|dimentica|"
            r"esque[çc]a) (?:\w+ ){0,3}(?:instrucciones|instructions|istruzioni|instruções|órdenes|consignes|"
            r"regras|reglas) (?:\w+ )?(?:anteriores|previas|précédentes|ci-dessus|precedenti|prévias)"
            r"|\b(?:ignorez|oubliez|ignore|oublie) (?:\w+ ){0,2}(?:précédentes) (?:instructions|consignes)",
            r"(?:игнорируй|забудь|игнорируйте|забудьте) (?:\w+ ){0,2}(?:предыдущие|прежние|"
            r"прошлые) (?:инструкции|указания|команды)"
            r"|(?:忽略|无视|無視|忘记)\s*(?:之前|以上|先前|上面|所有)\S{0,6}(?:指令|指示|说明|提示)|(?:以前|上記|これまで)の(?:指示|命令)を(?:無視|忘れ)",
        ),
    ),
    (
        "it gives the model another role",
        _re(
            r"\b(?:you will|you shall) now (?:behave|act|respond|answer|operate|pretend|speak) as\b|\bas dan would\b"
            r"|\b(?:you are|you're|you will be) now (?:(?:an?|the|my) (?!(?:\w+ )?(?:owner|member|contributor|"
            r"maintainer|subscriber|collaborator|admin of))\w|dan\b|in (?:developer|debug|admin|god|jailbreak|"
            r"maintenance|sudo|unrestricted|root|dan) mode|free (?:from|of)|no longer|unrestricted|jailbroken|"
            r"unfiltered|acting as|called|operating|evil|going to (?:act|be|pretend|play|behave|respond|obey))"
            rf"|\b(?:you|ai|assistant|chatbot|bot|language model)(?: \w+){{0,4}} (?:has|have|had|having|with|"
            r"without) (?:no|any|zero) (?:\w+ )?(?:restrictions?|limitations?|guidelines|guardrails?|"
            r"content polic\w+|ethics|morals?|censorship)"
            r"|\bfrom (?:now on|this (?:point|moment)(?: on| forward)?),? you (?:are (?!free to|welcome)|"
            r"will (?:act|be|respond|only|obey|answer|ignore|do)|must|shall|have no|only|obey|can do anything)"
            r"|\b(?:act|behave|respond|pretend|roleplay|role-play|"
            rf"simulate)\b[^.\n]{{0,60}}\b(?:without (?:any )?(?:\w+ )?(?:{_LIMITS})|(?:has|have|"
            rf"with) no (?:\w+ )?(?:{_LIMITS})|unrestricted|unfiltered|uncensored|jailbroken|evil (?:ai|twin|"
            r"assistant)|as dan\b)"
            r"|\b(?:no longer|not) (?:bound|restricted|limited|constrained|governed) by (?:any |your |the |"
            rf"all )?(?:\w+ )?(?:{_LIMITS}|openai|anthropic|ethic\w*)"
            r"|\bdo anything now\b|\b(?:jailbreak|dan|god|unrestricted|unfiltered) mode (?:enabled|activated|"
            r"on)\b|\b(?:enter|enable|activate|switch to|go into) (?:jailbreak|dan|god|unrestricted|"
            r"unfiltered) mode"
            rf"|\bwithout (?:any )?(?:ethical|moral|safety|content) (?:{_LIMITS}|considerations)"
            rf"|\byou (?:have|are under) no (?:restrictions|rules|guidelines|limitations|filters)"
        ),
    ),
    (
        "it asks for the model's own instructions",
        _re(
            r"\b(?:reveal|show|print|output|repeat|display|tell|give|leak|dump|expose|disclose|share|recite|"
            r"write|copy|list|translate|summari[sz]e|quote|what (?:is|are|was|were|does)|what's)\b(?: (?:me|"
            rf"us|out|back|all|of|to|verbatim|exactly|the|full|entire|complete|"
            rf"exact|text|contents?|copy|a))* your (?:\w+ ){{0,2}}?(?:{_OWN_PROMPT}|prompt|"
            r"instructions|guidelines|system message|programming)(?! (?:for|on how|about|template))"
            rf"|\b(?:reveal|leak|recite|disclose|divulge|expose) (?:\w+ )?(?:the )?(?:{_OWN_PROMPT}|"
            r"developer message)"
            rf"|\b(?:repeat|print|output|show|copy|write|return|start with)\b[^.\n]{{0,30}}\b(?:everything|"
            r"all(?: of)?(?: the)? (?:text|words|content)|the (?:text|words|content|"
            r"instructions)) (?:that (?:is|are|was|were|came|appears?) )?(?:above|before (?:this|my))"
            r"|\b(?:repeat|print|output|return|show) (?:me )?(?:the )?(?:system prompt|initial instructions|"
            r"instructions above|words above|text above)(?: (?:above|verbatim|word for word|in full|exactly)|"
            r"[.!,]|$)"
            rf"|\b(?:instructions|prompt) you (?:(?:were|have been) given|(?:have )?received)\b"
            rf"|\bwhat your (?:\w+ ){{0,2}}?(?:instructions|prompt|guidelines|system message) (?:are|is|says?|"
            r"were|was)\b"
        ),
    ),
    (
        "it carries the marks of a prompt's roles",
        _re(
            anywhere=r"<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|eot_id|start_header_id|"
            r"end_header_id|begin_of_text|end_of_turn)\|>"
            r"|<start_of_turn>|\[/?inst\]|<</?sys>>|</?(?:system|system[_-]?(?:prompt|message|instructions?|"
            r"reminder)|assistant|important|admin_?\w*|hidden)>"
            r"|^\s*#{3}\s*(?:system(?: (?:prompt|message|instructions?))?|new instructions?|"
            r"instructions?:)\s*:?\s*(?=$|you\b|ignore)"
            r"|^\s*###\s*instruction:"
            r"|^\s*(?:system|developer)\s*:\s*(?=you\b|ignore|new |do not|from now|disregard|your )"
            r"|[\[({](?:system|admin|developer|assistant) ?(?:message|override|note|prompt|instructions?|"
            r"notice|command)?[\])}]:?\s*(?=you\b|ignore|new |do not|from now|disregard|the user|your |please|"
            r"reveal|send|execute)"
            r"|[\[({](?:system|admin|developer) (?:message|override|command)[\])}]"
            r"|(?<!-)-{3,}+ ?(?:begin|end|start) (?:of )?(?:system|admin|new|user|hidden|"
            r"untrusted)\b[^\n]{0,20}(?:prompt|instructions?|input|message|override)"
        ),
    ),
    (
        "it asks to send secrets away",
        _re(
            rf"\b{_GIVE}(?:ing)?\b[^.\n]{{0,60}}?\b(?:your|the user'?s?'?|users'|all(?: of)?(?: the| your|"
            r" their| user| available| stored)?|any|every|whatever|"
            rf"their) (?:\w+ ){{0,3}}?{_SECRETS}\b[^\n]{{0,60}}?\bto {_AWAY}"
            rf"|\b{_GIVE}(?:ing)?\b[^\n]{{0,60}}?{_FILES}[^\n]{{0,50}}?\b(?:to|at|via) (?:{_AWAY}|me\b)"
            r"|\b(?:read|open|cat|fetch|get|collect|gather|find|steal|extract|"
            rf"take)\b[^\n]{{0,40}}?(?:{_FILES}|{_SECRETS})[^\n]{{0,60}}?\b(?:and|then|"
            rf"\|)\W*(?:then )?(?:{_GIVE}|curl|wget|nc)\b[^\n]{{0,60}}?(?:{_AWAY}|(?<!\w)to me\b|https?:)"
            rf"|\bcurl\b[^\n]{{0,120}}(?:@(?:~|\.env|/etc)|\$\((?:cat|env|printenv)|\$\{{?(?:\w*(?:key|token|"
            rf"secret|password)\w*))[^\n]{{0,80}}https?://(?!api\.|localhost|127\.)"
            r"|\b(?:reveal|leak|tell me|give me|print|show me|output|disclose|exfiltrate|steal|what (?:is|"
            r"are)) (?:all )?(?:of )?(?:your|the user'?s|users'|other users'?) (?:\w+ )?(?:secrets?|"
            r"credentials?|passwords?|api[ _-]?keys?|access tokens?|private keys?|session cookies?|"
            r"personal (?:data|information))"
            r"|\b(?:conversation|chat history|chat log|user'?s (?:\w+ )?\w+|(?:last|"
            rf"previous) (?:\w+ )?messages)\b[^\n]{{0,60}}?\b(?:and|then) (?:then )?{_GIVE} (?:it|them|that|"
            rf"the (?:result|output|content|summary)s?) to {_AWAY}"
            rf"|\b{_GIVE} (?:the |all |my )?(?:last|previous|earlier) (?:\w+ )?(?:messages|conversations?|"
            rf"chats?)\b[^\n]{{0,40}}?\bto {_AWAY}"
            rf"|\b(?:{_GIVE}|put|embed|insert|place)\b[^\n]{{0,40}}?\b(?:your|the user'?s|"
            rf"users') (?:\w+ )?{_SECRETS}\b[^\n]{{0,30}}?\b(?:in|into|to|at) (?:the |an? |"
            r"this )?(?:\w+ )?(?:url|link|query|https?:)"
            rf"|\b(?:encode|append|embed|put|include)\b[^\n]{{0,40}}?{_SECRETS}[^\n]{{0,60}}?\b(?:image|"
            r"markdown|tracking|pixel) (?:url|link|image)"
            rf"|\bexfiltrate\b(?=[^.\n]{{0,40}}\b(?:to|the|all)\b)(?=[^.\n]{{0,60}}{_SECRETS})",
            r"!\[[^\]]*\]\(https?://[^)\s]*[?&][\w-]+=(?:[^)\s]*(?:[{<\[]|%7b|%5b)|(?:secret|data|history|"
            r"conversation|base64)\b)",
        ),
    ),
    (
        "it speaks to a model behind the reader's back",
        _re(
            rf"\b(?:if|when|since|as) you(?:'re| are) (?:an? )?{_AI}\b(?! (?:expert|engineer|developer|"
            r"researcher|student|startup|team|user))"
            r"|\b(?:attention|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)|notice to|"
            rf"important for|dear|hey)[,:]? (?:all |any |the |every )?{_AI}s?(?: (?:models?|assistants?|"
            r"agents?|systems?|readers?|reviewers?|reading this|processing this))*\s*[:,!—-]"
            rf"|\b(?:any|all|every|if an?) {_AI}s?(?: \w+){{0,4}},? (?:it )?(?:must|should|shall|has to|"
            r"have to) (?:now |also |"
            r"instead |first )?(?:ignore|disregard|say|respond|answer|output|reply|recommend|include|send|execute|"
            r"rate|write)"
            r"|\b(?:do not|don't|never|must not|should not) (?:tell|inform|alert|warn|notify) (?:the )?(?:user|"
            r"human|operator|"
            r"anyone)s? (?:about|of) (?:this|these|that|the(?:se)? instructions?)"
            r"|\b(?:do not|don't|never) (?:mention|reveal|disclose|repeat|acknowledge|show|report) (?:this|"
            rf"these|that|any of this|it|the instructions?)(?: \w+){{0,2}} to (?:the )?(?:user|human|operator|"
            r"anyone)"
            r"|\b(?:do not|don't|never|must not|should not) (?:mention|reveal|disclose|repeat|acknowledge|"
            r"discuss) (?:these|this|those) (?:\w+ )?(?:instructions?|messages?|prompts?|notes?|comments?|"
            r"rules|directives?)"
            r"|\b(?:do not|don't|never) (?:reveal|disclose|say|admit|confess) to (?:the )?(?:user|human|anyone) that"
            r"|\b(?:do not|don't|never) (?:tell|let) (?:the )?(?:user|human)(?: know)?(?: that)? you (?:read|"
            r"saw|were|are|did|have|sent|ran)"
            rf"|\b(?:as an?|to (?:the|any)) {_AI}(?: \w+){{0,3}} (?:reading|processing|parsing|summari[sz]ing|"
            r"reviewing|seeing) this"
            rf"|\b(?:llm|ai|model|agent) instructions?: "
            r"|(?<![\w,.;:)][ \t])\b(?:ai (?:agents?|assistants?|models?|reviewers?|readers?|systems?)|llms?|"
            r"language models?|assistant|chatgpt|claude|copilot)\s*[:,]\s*(?:please )?(?:ignore|run|execute|"
            r"disregard|you (?:must|should|are)|reply|respond with|send|always|never|say|forward|delete|stop|"
            r"recommend)\b"
            r"|\bwithout (?:telling|informing|alerting|asking) the (?:user|human)\b|\b(?:keep|hide) (?:this|"
            rf"these)(?: \w+){{0,2}} (?:hidden |secret )?from the (?:user|human)"
            r"|\b(?:secretly|covertly|quietly) (?:send|run|execute|add|insert|include|forward|upload|call|"
            r"install|email|append)\b"
            r"|\b(?:the user|i) (?:has|have) (?:already )?(?:authori[sz]ed|approved|consented to|"
            rf"granted)\b[^.\n]{{0,60}}\b(?:without|skip|no need|proceed|do not ask|so (?:you|send|run|execute))"
            rf"|\b(?:important|urgent|warning)\W{{1,3}}(?:before|when|after|while) (?:using|answering|"
            rf"responding|calling|you (?:answer|respond|use|call|do))[^.\n]{{0,80}}\b(?:read|send|include|pass|"
            r"call|run|execute|fetch|append)\b"
        ),
    ),
)
_ROWS = {why: tuple(tuple(cue.replace("~", " ") for cue in row.split()) for row in _CUES[why]) for why, _ in _SHAPES}


@once
def find_injections(text: str) -> tuple[Signal, ...]:
    """What reads like an order to the model, each wording once: the words found, and why they are marked."""
    ends = text if len(text) <= _FIRST + _LAST else f"{text[:_FIRST]}\n{text[-_LAST:]}"
    shown = _visible(ends)
    seen = shown.lower()
    shown = shown if len(shown) == len(seen) else seen
    line = _in_a_line(seen)
    found = []
    for why, pattern in _SHAPES:
        match = pattern.search(seen) if _may_hold(line, _ROWS[why]) else None
        if match:
            found.append(Signal("injection", " ".join(shown[slice(*match.span())].split())[:_SHOWN], why))
    return tuple(found)


def _in_a_line(seen: str) -> str:
    """With one blank between words, whatever stands there, and before the first."""
    return f" {' '.join(seen.split())}"


def _may_hold(line: str, rows: Sequence[Sequence[str]]) -> bool:
    for cues in rows:
        for cue in cues:
            if cue in line:
                break
        else:
            return False
    return True


def _visible(text: str) -> str:
    """The text as a model reads it: letters that are hidden or only look different made plain."""
    if not text.isascii():
        shown = _TAGS.sub(lambda m: "".join(chr(ord(c) - 0xE0000) for c in m[0]), text)
        text = unicodedata.normalize("NFKC", _UNSEEN.sub("", shown)).replace("’", "'")
    return _LINES.sub("\n\n", _SPACES.sub(" ", text.replace("**", "")))
