"""What is known by how it is named: people, files without an ending, tools of more than one word; and the everyday
words that only look like the name of a tool."""

from __future__ import annotations

from collections.abc import Iterator

from anaphora.function_words import FUNCTION_WORDS, word_set
from anaphora.types import Span
from anaphora.understanding.lexicon import DOMAIN_WORDS, KIND_NOUNS, OF_WORK, TECHNOLOGIES, base_verb
from anaphora.understanding.patterns import any_case, expression
from anaphora.understanding.text import mask

__all__ = ["is_everyday", "is_no_function", "known_files", "known_tools", "people"]

# --- tools and files ----------------------------------------------------------------------------------------------

_TOOLS = any_case(
    r"(?<![\w./-])(?:github actions|gitlab ci|ruby on rails|visual studio(?: code)?|vs code|spring boot|react native|"
    r"react query|react router|google cloud(?: run| functions| storage)?|azure functions|azure devops|aws lambda|"
    r"api gateway|sql server|android studio|intellij idea|power bi|material ui|styled components|google sheets|"
    r"(?:next|nuxt|node|vue|express|three|d3|react|ember|backbone|chart|discord|moment|alpine|p5|nest|angular|svelte|"
    r"solid|socket|pixi|phaser|babylon)\.js|socket\.io)(?![\w-]|\.\w)",
    needles="github actions|gitlab ci|ruby on rails|visual studio|vs code|spring boot|react native|react query|"
    "react router|google cloud|azure functions|azure devops|aws lambda|api gateway|sql server|android studio|"
    "intellij idea|power bi|material ui|styled components|google sheets|.js|socket.io",
    dear=True,
)
_NAMED_FILES = expression(
    r"(?<![\w./@-])(?:[\w.-]+/)*(?:Makefile|Dockerfile|README|LICENSE|Jenkinsfile|Gemfile|Rakefile|Procfile|"
    r"Vagrantfile|"
    r"CHANGELOG|CONTRIBUTING|Pipfile|Brewfile|CODEOWNERS)(?![\w-]|\.\w)",
    needles="makefile|dockerfile|readme|license|jenkinsfile|gemfile|rakefile|procfile|vagrantfile|changelog|contributing|"
    "pipfile|brewfile|codeowners",
    dear=True,
)
_DOTTED_FILES = expression(
    r"(?<![\w./@-])(?=[\w-]*[./])(?:[\w.-]+/)*(?:\.(?:env|gitignore|gitattributes|dockerignore|npmrc|nvmrc|"
    r"editorconfig|"
    r"eslintrc|prettierrc|bashrc|zshrc|babelrc|htaccess|vimrc|profile|bash_profile|gitlab-ci)(?:\.\w+)*(?![\w-])|"
    r"[\w-]+(?:\.[\w-]+){1,3}\.(?:jsx?|tsx?|json|ya?ml|s?css|html|md|py|rb|toml|lock)(?![\w-]|\.\w))"
)


def known_tools(text: str) -> Iterator[Span]:
    """Tools of several words, and those whose name ends like that of a file: "GitHub Actions", "Next.js"."""
    return (found.span() for found in _TOOLS.finditer(text))


def known_files(text: str) -> Iterator[Span]:
    """Files by their name alone: "Makefile", ".env.local", "next.config.js"."""
    for pattern in (_NAMED_FILES, _DOTTED_FILES) if "." in text else (_NAMED_FILES,):
        yield from (found.span() for found in pattern.finditer(text))


_ERRORS = ("Error", "Exception", "Warning")
_ASKING = frozenset(
    ["get", "is", "has", "can", "fetch", "on", "to", "from", "next", "with", "by", "refresh", "hash", "decode"]
)
_COLUMNS = word_set(
    "id ids modules name names url uri key keys count at date type path size index status number value text "
    "table dir port host email code config settings price amount total"
)


def is_no_function(text: str, span: Span) -> bool:
    """Whether what is written like the name of a function names an error, a column or a folder: "KeyError",
    "user_id"."""
    said = text[slice(*span)]
    if said.endswith(_ERRORS) and said[:1].isupper():
        return True
    first, _, rest = said.partition("_")
    called = text[span[1] : span[1] + 1] == "(" or said.endswith("()")
    return not called and rest in _COLUMNS and base_verb(first) is None and first not in _ASKING


# --- people -------------------------------------------------------------------------------------------------------

_ONE = r"[A-Z\u00c0-\u00de][^\W\d_A-Z]{1,15}"
_WHOLE = rf"{_ONE}(?:[ -]{_ONE})?"
_SPOKE = (
    r"(?:says|said|thinks|thought|wrote|suggested|suggests|proposed|asked|asks|told|mentioned|reviewed|reviews|"
    r"complained|"
    r"joined|approved|recommended|insisted|agreed|agrees|disagrees|promised|wants (?:us|me|to)|is (?:on (?:vacation|"
    r"holiday|"
    r"leave)|reviewing|working on|responsible)|owns)\b"
)
_OWNED = (
    r"(?:branch|prs?|commits?|code|idea|laptop|team|suggestion|comments?|review|changes|birthday|desk|account|email|"
    r"question|patch|fix|proposal|feedback|machine)\b"
)
_PEOPLE = (
    expression(rf"\b(?:Dr|Mr|Mrs|Ms|Prof|Miss)\.?\s(?P<a>{_ONE}(?:\s{_ONE})?)"),
    expression(rf"(?<![\w.'’-])(?:(?P<a>{_WHOLE})\s(?={_SPOKE})|(?P<b>{_ONE})(?=['’]s\s{_OWNED}))"),
    expression(
        rf"(?<![\w.'’-])(?P<a>{_ONE})\sand\s(?P<b>{_ONE})\s(?=(?:own|say|think|wrote|agree|reviewed|"
        r"are\s(?:working|reviewing|responsible|on\s(?:vacation|holiday|leave)))\b)"
    ),
)
_AFTER_WORD = expression(rf"(?<=\s)(?P<a>{_WHOLE})(?!['’]s)(?!\s[A-Z])(?![\w.(]\S)")
_ASKED = any_case(
    r"\b(?:ask|asked|tell|told|email|e-mail|ping|invite|invited|remind|contact|notify|thank|cc|met|meet|"
    r"(?:reviewed|written|made|reported|done|assigned|created|sent|fixed|designed|approved|suggested|proposed) by|"
    r"colleague|friend|boss|manager|brother|sister|wife|husband|son|daughter|coworker|teammate)\s$"
)
_GREETED = any_case(r"\b(?:thanks|thank you|hi|hello|hey|dear),?\s$")
_ENDS = expression(r"\s?(?:[!,.:]|$)")
_LOOKED_BACK = 24  # characters before a name
_NOBODY = word_set(
    "world level media folks let what here who where how "
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august "
    "september october november december error errors log logs linter compiler spec docs doc documentation "
    "console terminal server browser customer customers client clients legal marketing support sales "
    "management google microsoft apple amazon user users team boss everyone everybody nobody somebody someone "
    "people today yesterday tomorrow christmas easter stackoverflow chatgpt copilot gemini cursor siri alexa "
    "english german french spanish python teacher doctor review security design engineering product finance "
    "ops devops admin mom dad the test tests code please just really maybe article book paper report guide "
    "tutorial issue ticket message task command script tool there"
)


def people(text: str) -> Iterator[Span]:
    """Those who are told of by their name as people are: who says something, is asked or thanked, owns a branch."""
    masked = mask(text)
    for found in _AFTER_WORD.finditer(masked):
        before = masked[max(0, found.start() - _LOOKED_BACK) : found.start()]
        greeted = _ENDS.match(masked, found.end()) and " " not in found[0] and _GREETED.search(before)
        if (greeted or _ASKED.search(before)) and (span := _named_of(masked, *found.span())):
            yield span
    for pattern in _PEOPLE:
        for found in pattern.finditer(masked):
            for name in found.re.groupindex:
                start, end = found.span(name)
                if start >= 0 and (span := _named_of(masked, start, end)):
                    yield span


def _named_of(text: str, start: int, end: int) -> Span | None:
    """The part of capitalised words that can be the name of somebody."""
    said = text[start:end].split()
    if len(said) == 2 and _is_nobody(said[0]):  # "Yesterday Tom said"
        start += text[start:end].rindex(said[1])
        said = said[1:]
    before = text[:start].rstrip().rpartition(" ")[2].lower()
    if any(_is_nobody(word) for word in said) or before in ("the", "a", "an", "our", "your", "this"):
        return None
    return start, end


def _is_nobody(word: str) -> bool:
    low = word.lower()
    return low in _NOBODY or low in FUNCTION_WORDS or low in TECHNOLOGIES or low in DOMAIN_WORDS


# --- everyday words -----------------------------------------------------------------------------------------------

_THINGS = (
    OF_WORK
    | DOMAIN_WORDS
    | frozenset(KIND_NOUNS)
    | word_set(
        "app apps server servers backend frontend project library package api client container image docs side one "
        "version process service cluster topic broker consumer producer queue hook hooks developer dev runtime "
        "compiler binding suite sdk plugin extension environment env setup install repo job jobs pipeline stack "
        "config daemon compose route routes router middleware view context bundle dom boot data security mvc "
        "native ui site website binary crate"
    )
)
_WITH_ARTICLE = word_set("rust spring react express swift flask spark docker jest angular bun node kafka helm babel")
_ARTICLE = any_case(r"(?:\b(?:the|an?|this|that|my|your|his|her|each|every|some)\s+)$")
_NEXT = expression(r"\s+([A-Za-z]+)")
_LIVING = (
    r"(?:quickly|slowly|badly|strongly|differently|when|well|fast|if|accordingly|calmly|to (?!native|router|query|\d))"
)
_EVERYDAY = {  # what stands behind a word, in front of it, that is none of a tool
    "react": (rf"\s+{_LIVING}", r"\b(?:i|we|you|they|people|users|would|should|must|not)\s+$"),
    "express": (
        r"\s+(?:your|my|his|her|their|our|its|an? |the |joy|concern|interest|opinion|gratitude|\w*self\b|doubt|love|"
        r"how)",
        r"\blet (?:it|me|him|her|them|us)\s+$",
    ),
    "spring": (
        r"\s+(?:vacation|break|cleaning|season|flowers?|day|term|semester|roll|weather|onion|water|holiday)",
        r"\b(?:this|last|next|every|in|early|late|hot)\s+$",
    ),
    "rust": (r"\s+(?:on (?:my|the|his|her|our|your) |stains?|spots?|remov|away)", r"\b(?:there's|there is)\s+$"),
    "java": (r"\s+(?:island|coffee|sea)", r"\b(?:cup|mug|pot|island) of\s+$"),
    "python": (r"\s+(?:is \S+ (?:meters|feet)|snake|skin|bit )", r"\b(?:snake|pet|monty|burmese|ball)\s+$"),
    "flask": (r"\s+of\b", r"(?!)"),
    "spark": (r"\s+(?:of|joy|interest|plugs?|a )\b", r"(?!)"),
    "swift": (r"\s+(?:response|transition|reply|action|recovery|decision|and (?:easy|painless)|kick)", r"\btaylor\s+$"),
    "jest": (r"(?!)", r"\bin\s+$"),
    "kafka": (r"\s+novels?", r"\bfranz\s+$"),
    "bun": (r"(?!)", r"\b(?:hair|burger|cinnamon)\s+$"),
    "angular": (r"\s+(?:momentum|velocity|shapes?|frequency|acceleration|distance|face)", r"(?!)"),
}
_COMPILED = {word: (any_case(after), any_case(before)) for word, (after, before) in _EVERYDAY.items()}
_BEFORE = 24  # characters before a word that are looked at


def is_everyday(text: str, span: Span) -> bool:
    """Whether a word that can name a tool is an everyday one here: "rust on my bike", "we react quickly"."""
    said = text[slice(*span)]
    low = said.lower()
    begins = not text[: span[0]].strip() or text[: span[0]].rstrip()[-1:] in ".!?\n"
    if (said != low and not begins) or low not in (_COMPILED.keys() | _WITH_ARTICLE):
        return False
    before = text[max(0, span[0] - _BEFORE) : span[0]]
    if low in _COMPILED:
        behind, ahead = _COMPILED[low]
        if behind.match(text, span[1]) or ahead.search(before):
            return low != "jest" or not _followed_by_thing(text, span[1])
    return low in _WITH_ARTICLE and _ARTICLE.search(before) is not None and not _followed_by_thing(text, span[1])


def _followed_by_thing(text: str, end: int) -> bool:
    following = _NEXT.match(text, end)
    return following is not None and following[1].lower() in _THINGS
