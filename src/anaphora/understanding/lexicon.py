"""Words that reading a message rests on, beside those that hold a sentence together: small open classes."""

from __future__ import annotations

from anaphora.function_words import word_set
from anaphora.understanding.once import once_a_word

__all__ = [
    "ADJECTIVES",
    "ATTACHED_BY",
    "ATTRIBUTES",
    "COLORS",
    "DOMAIN_WORDS",
    "FINITE",
    "GENERIC_HEADS",
    "KIND_NOUNS",
    "MAKING",
    "OF_WORK",
    "TECHNOLOGIES",
    "VERBS",
    "WIDGETS",
    "base_verb",
    "begins_order",
    "is_plural",
]

# What people tell a coding assistant to do. Many are nouns too: they count as verbs where a verb can stand.
VERBS = word_set(
    "add apply arrange ask attach build calculate call change check choose clean clear close code combine compare "
    "compute concatenate configure connect continue convert copy correct count create debug define delete deploy "
    "describe design develop disable display divide document do draw drop edit enable enlarge ensure evaluate exclude "
    "execute expand explain export extend extract fetch fill filter find finish fix flip format generate give go group "
    "handle hide highlight implement import improve include increase initialize insert install integrate invert join "
    "keep launch let limit link list load log loop lower make map mark merge migrate mock modify move multiply name "
    "normalize open optimize order organize paint parse pass paste plan plot polish populate predict prepare print "
    "prioritize process provide pull push put raise read rebuild recall redo reduce refactor remember remind remove "
    "rename reorder repeat replace report reset resize restart restore resume return reuse reverse revert review "
    "revise rewrite rotate round run save scale schedule search select send separate set share shorten shrink "
    "simplify skip solve sort specify split start stop store style submit suggest summarize support swap switch test "
    "toggle train transform translate trim try turn undo update upgrade upload use validate verify wait wire work "
    "wrap write center centre align animate render document paint colour color drag resume talk discuss help bring "
    "decide prefer avoid need analyze analyse customize customise initialise normalise optimise organise prioritise "
    "summarise visualize visualise pick"
)
MAKING = word_set("add build create design develop draw generate implement introduce make plan start write work")
# How a command that leaves out what it is about would have gone on: "add a border (to the button)".
ATTACHED_BY = {
    "add": "to",
    "apply": "to",
    "use": "for",
    "try": "for",
    "include": "in",
    "insert": "in",
    "remove": "from",
}
ADJECTIVES = word_set(
    "red green blue purple yellow orange pink black white grey gray brown cyan magenta teal violet bigger smaller "
    "larger wider taller shorter longer faster slower darker lighter brighter thicker thinner bold italic round "
    "rounder rounded transparent visible invisible hidden clickable responsive optional mandatory required public "
    "private static async synchronous big small large wide tall short long fast slow dark light bright thick thin "
    "simple simpler easy easier clean cleaner better best worse nice nicer readable efficient shorter recursive "
    "iterative generic reusable modular vertical horizontal centered centred square circular sticky uppercase "
    "lowercase strict stricter lazy cheaper warmer colder louder quieter softer stronger weaker higher lower closer "
    "narrower cooler spicier sweeter funnier formal informal polite friendlier deeper shallower tighter looser heavier "
    "quick quicker loud quiet warm cold sadder happier bolder smoother sharper calmer richer tidier neater clearer "
    "tastier crispier healthier safer harder milder rougher shinier friendly"
)
# Verbs that end a noun phrase when they stand after one: "the login test | fails". Few of them are nouns as well.
FINITE = word_set(
    "fails failed crashes crashed breaks broke throws threw works worked happens happened returns returned needs "
    "needed looks looked gives gave gets got goes went takes took contains handles uses used seems appears fail "
    "crash break has have had hangs hung freezes shows chokes smells holds says keeps wants creates"
)
# Properties that always belong to something: "the color" asks "of what?".
ATTRIBUTES = word_set(
    "color colour size width height position placement label title name icon shape style font border background margin "
    "padding text spacing alignment layout animation duration speed timeout value type default order length format "
    "signature parameter parameters argument arguments output input result results performance complexity behaviour "
    "behavior opacity shadow radius hover tooltip placeholder description caption colors colours"
)
COLORS = word_set("red green blue purple yellow orange pink black white grey gray brown cyan magenta teal violet")
# What everyone who works on programs talks of: words that say nothing about whose program it is.
DOMAIN_WORDS = word_set(
    "algorithm alternative answer app approach array based bug case cases class code column columns command comment "
    "comments data dataframe dictionary digit digits docstring documentation element elements error errors example "
    "examples exception fail fails failed feature field fields file files function functions idea implementation index "
    "instruction instructions int integer integers issue item items key keys line lines list lists logic message "
    "method model module number numbers object package part problem program project prompt question regex reply "
    "response row rows script sentence solution statement step steps string strings task test tests topic traceback "
    "tuple user values variable variables version word words above below following previous similar possible certain "
    "new old different same equal empty negative positive missing broken correct incorrect invalid expected unexpected "
    "nope cancel ignore nevermind forget wait meant evaluate evaluates using done switching unrelated"
)
# What a thing can be called by its kind alone.
KIND_NOUNS = {
    "file": "file",
    "module": "file",
    "script": "file",
    "function": "function",
    "method": "function",
    "class": "function",
    "component": "concept",
    "feature": "concept",
    "button": "concept",
    "table": "concept",
    "page": "concept",
    "endpoint": "concept",
    "library": "technology",
    "framework": "technology",
    "tool": "technology",
    "database": "technology",
}
# What is worked on: mostly things, also where the word is a verb too.
OF_WORK = frozenset(KIND_NOUNS) | word_set(
    "code program query list app api data dataframe column row string number numbers array matrix loop test tests "
    "error output input result results answer"
)
# A control is known by its own name: "toggle switch" is a toggle.
WIDGETS = word_set(
    "toggle dropdown modal slider checkbox accordion tooltip popup spinner carousel navbar sidebar stepper"
)
GENERIC_HEADS = word_set("switch control widget element component menu dialog box field panel view bar")

TECHNOLOGIES = word_set(
    "python javascript typescript java kotlin swift rust golang ruby php perl scala haskell elixir sql html css sass "
    "react vue angular svelte nextjs nuxt django flask fastapi rails spring laravel express node nodejs deno bun numpy "
    "pandas scipy sklearn scikit-learn tensorflow pytorch keras jax polars spark hadoop kafka rabbitmq redis memcached "
    "postgres postgresql mysql sqlite mongodb mongo dynamodb cassandra elasticsearch qdrant chroma docker kubernetes "
    "k8s terraform ansible helm aws azure gcp nginx apache linux ubuntu debian windows macos git github gitlab jenkins "
    "jwt oauth oauth2 rs256 hs256 graphql grpc rest websocket websockets webpack vite babel eslint prettier jest mocha "
    "pytest unittest selenium playwright cypress tailwind bootstrap jquery excel matplotlib seaborn plotly opencv "
    "bash powershell vim emacs vscode pyjwt cryptography celery sqlalchemy pydantic openai anthropic claude gpt "
    "langchain langgraph llamaindex ollama c++ c# .net asp.net unity blazor razor grafana prometheus opentelemetry "
    "datadog supabase firebase vercel netlify cloudflare heroku duckdb clickhouse bigquery mariadb neo4j pgvector "
    "pinecone weaviate milvus npm pnpm vitest storybook redux zustand prisma hibernate junit rspec rubocop gradle "
    "maven cmake conda flutter matlab fortran solidity podman argocd openapi mypy ruff sveltekit htmx tkinter systemd"
)

_IRREGULAR = {
    "made": "make",
    "did": "do",
    "done": "do",
    "wrote": "write",
    "written": "write",
    "built": "build",
    "chose": "choose",
    "chosen": "choose",
    "ran": "run",
    "went": "go",
    "gone": "go",
    "gave": "give",
    "found": "find",
    "kept": "keep",
    "sent": "send",
    "drawn": "draw",
    "hid": "hide",
    "hidden": "hide",
    "broke": "break",
    "decided": "decide",
}

_LAST_OF_FORMS = frozenset("gds")


@once_a_word
def base_verb(word: str) -> str | None:
    """The verb that a lower-case word is a form of, if it is one that we know."""
    if word in VERBS:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word[-1:] not in _LAST_OF_FORMS:
        return None
    for ending in ("ing", "ed", "es", "s", "d"):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word[: -len(ending)]
            for guess in (stem, stem + "e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem):
                if guess in VERBS:
                    return guess
    return None


def begins_order(word: str) -> bool:
    """Whether an order begins with it: "find", and not "code" or "test", which are mostly things."""
    return word not in OF_WORK and base_verb(word) == word


@once_a_word
def is_plural(word: str) -> bool:
    low = word.lower()
    return len(low) > 3 and low.endswith("s") and not low.endswith(("ss", "us", "is", "ous"))
