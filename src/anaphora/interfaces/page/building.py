"""The page: the context and where its tokens went, what is worked on, the conversations in time, what was learned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from importlib.resources import files

from anaphora.assembly import local_time
from anaphora.interfaces.glance import (
    Branch,
    Glance,
    goal_tree,
    in_time,
    past_of,
    replaced_by,
    surest,
    tiers,
)
from anaphora.interfaces.page.markup import Html, cut, element, items, joined, table, text
from anaphora.knowledge import Knowledge
from anaphora.memory.rendering import ICONS
from anaphora.types import Context, Conversation, Decision, FileContext, LeftOut, Note, Part, State

__all__ = ["is_page", "page"]

_TIERS = frozenset(["time", "style", "state", "facts", "memory", "summary", "history", "query"])
_NUMBERS = frozenset([1, 2])
_GLIMPSE = 100  # characters of a part that is folded
_LESSONS = 40  # the surest ones
_NAMED = 20  # entities of a kind
_LONGEST = 40  # percent of the width that the longest conversation takes
# No script, no request: what is remembered is data, whatever it says.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

_FIRST, _TITLE = "<!doctype html>", element("title", "Anaphora: what is remembered")

Section = tuple[str, Html]


def is_page(beginning: str) -> bool:
    """Whether a file that begins so, with its first thousand characters, is such a page."""
    return beginning.startswith(_FIRST) and _TITLE.source in beginning


def page(found: Glance, at: datetime) -> Iterator[str]:
    """The lines of the file; `at` is when it is made."""
    style = files("anaphora.interfaces.page").joinpath("style.css").read_text("utf-8")
    head = joined(
        (
            Html('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
            Html(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
            Html('<meta name="referrer" content="no-referrer"><meta name="robots" content="noindex">'),
            _TITLE,
            Html(f"<style>\n{style}</style>"),
        )
    )
    yield _FIRST
    yield '<html lang="en">'
    yield element("head", head).source
    yield "<body>"
    yield _header(found).source
    for title, body in (*_context(found.context), *_work(found.state, found.zone), *_around(found)):
        yield element("section", element("h2", title), body).source
    made = f"Made by Anaphora at {_when(at, found.zone)}. A file of yours alone: nothing in it is sent anywhere."
    yield element("footer", made).source
    yield "</body>"
    yield "</html>"


def _header(found: Glance) -> Html:
    scope = found.scope
    of = " · ".join(f"{kind} {name}" for kind, name in (("agent", scope.agent), ("project", scope.project)) if name)
    return element(
        "header",
        element("h1", f"What is remembered for {scope.user}"),
        element("p", of, class_="dim"),
        element("p", "The context below is the one for: ", element("strong", cut(found.about, 300))),
    )


# --- the context --------------------------------------------------------------------------------------------------


def _context(context: Context) -> Iterator[Section]:
    yield "Context", _costs(context)
    yield "Line by line", joined(_part(one, f"{one.tokens:,} tokens") for one in context.parts)
    if context.left_out:
        gone = (_part(one, f"about {one.tokens:,} tokens") for one in context.left_out)
        yield f"Left out ({len(context.left_out)})", joined(gone)
    if context.steps:
        taken = ", ".join(f"{name} {took:.1f} ms" for name, took in context.steps.items())
        yield "Time", element("p", f"{taken}; in all {sum(context.steps.values()):.1f} ms", class_="dim")


def _costs(context: Context) -> Html:
    """The bar, then each tier with what it takes and why it is there, and what went wrong."""
    told = f"{context.tokens:,} of {context.budget:,} tokens"
    whole = max(context.budget, context.tokens, 1)
    stripes, rows = [], []
    for tier, (count, whys) in tiers(context).items():
        width = f"width:{100 * count / whole:.2f}%"
        stripes.append(element("span", class_=_look(tier), style=width, title=f"{tier}: {count:,} tokens"))
        why = whys[0] if len(whys) == 1 else f"{len(whys)} lines, such as: {whys[-1]}"
        rows.append((joined((_dot(tier), tier)), f"{count:,}", f"{count / whole:.1%}", why))
    bar = element("div", *stripes, class_="bar", role="img", aria_label=told)
    warned = (element("p", f"Warning: {warning}", class_="warning") for warning in context.warnings)
    return joined((element("p", told), bar, table(("tier", "tokens", "of all", "why"), rows, _NUMBERS), *warned))


def _dot(tier: str) -> Html:
    return element("span", class_=f"dot {_look(tier)}")


def _look(tier: str) -> str:
    return tier if tier in _TIERS else "other"


def _part(one: Part | LeftOut, tokens: str) -> Html:
    """A part beside what it costs, with its reason; a long one is folded."""
    fits = "" if one.score is None else f", fits {one.score:.2f}"
    head = element("div", _dot(one.tier), one.tier, element("p", f"{tokens}{fits}", class_="dim"))
    said = element("pre", one.text)
    if len(one.text) > _GLIMPSE or "\n" in one.text:
        said = element("details", element("summary", cut(one.text, _GLIMPSE)), said)
    return element("div", head, element("div", said, element("p", one.why, class_="dim")), class_="part")


# --- the working state --------------------------------------------------------------------------------------------


def _work(state: State, zone: str) -> Iterator[Section]:
    still, ended = goal_tree(state.goals)
    goals = [*(_branch(top) for top in still), *(element("small", one) for one in ended)]
    sections = (
        ("Goals", goals),
        ("To do", [_item("☐", action.text, action.id) for action in state.actions if action.open]),
        ("Decisions", [_decision(state, decision, zone) for decision in state.decisions if decision.open]),
        ("Constraints", [_item("•", one.text, one.id) for one in state.constraints if one.open]),
        ("Remember", [_item("•", one.text, one.id) for one in state.notes if one.open]),
        ("About the user", [_fact(state, fact, zone) for fact in state.facts if fact.open]),
        ("Files", _files(state.files)),
        ("Spoken of", [_spoken(kind, names) for kind, names in state.entities.items() if names]),
    )
    for title, rows in sections:
        if rows:
            yield title, items(rows, class_="tree")


def _item(mark: str, said: str, id: str, *more: Html, look: str = "") -> Html:
    words = element("span", said, class_=look) if look else text(said)
    return joined((f"{mark} ", words, " ", element("span", id, class_="id"), *more))


def _branch(branch: Branch) -> Html:
    goal = branch.goal
    priority = () if goal.priority == "medium" else (element("small", f" {goal.priority} priority"),)
    below = (items(_branch(child) for child in branch.below),) if branch.below else ()
    return _item(ICONS[goal.status], goal.text, goal.id, *priority, *below, look="" if goal.open else "reached")


def _decision(state: State, decision: Decision, zone: str) -> Html:
    because = [element("p", f"because {decision.because}", class_="dim")] if decision.because else []
    older = [element("p", f"instead of “{one.text}”", class_="dim") for one in replaced_by(state, decision)]
    signed = element("small", f" {decision.author}, {_day(decision.at, zone)}")
    return _item("•", decision.text, decision.id, signed, *because, *older)


def _fact(state: State, fact: Note, zone: str) -> Html:
    before = "; ".join(f"“{older.text}”" for older in past_of(state, fact))
    since = f" since {_day(fact.at, zone)}" + (f", before that {before}" if before else "")
    return _item("•", f"{fact.speaker}: {fact.text}" if fact.speaker else fact.text, fact.id, element("small", since))


def _files(found: FileContext) -> list[Html]:
    inside = f", in {found.current_function}" if found.current_function else ""
    last = element("small", f" last edited{inside}")
    return [joined((path, *([last] if path == found.last_edited else ()))) for path in reversed(found.files)]


def _spoken(kind: str, names: Sequence[str]) -> Html:
    return joined((element("small", f"{kind}: "), ", ".join(reversed(names[-_NAMED:]))))


# --- conversations in time, what was learned ----------------------------------------------------------------------


def _around(found: Glance) -> Iterator[Section]:
    if found.conversations:
        yield "Conversations", items(_timeline(found.conversations, found.zone))
    if found.knowledge.lessons:
        yield "Learned", _lessons(found.knowledge)


def _timeline(conversations: Sequence[Conversation], zone: str) -> Iterator[Html]:
    most = max(one.message_count for one in conversations) or 1
    for gap, one in in_time(conversations):
        if gap is not None:
            yield element("small", f"┊ {gap.days} days")
        how = "active" if one.active else one.outcome or "ended"
        count = f"{one.message_count} message{'' if one.message_count == 1 else 's'}"
        width = f"width:{_LONGEST * one.message_count / most:.1f}%"
        yield joined(
            (
                element("small", f"{_day(one.started, zone)} "),
                f"#{one.number} {one.title}",
                element("span", class_="length", style=width),
                element("small", f"{count}, {how}"),
            )
        )


def _lessons(knowledge: Knowledge) -> Html:
    lessons = surest(knowledge)
    rows = (
        (f"{one.pattern} → {one.meaning}", f"{one.confidence:.0%}", f"{one.observations} of {one.total}", one.kind)
        for one in lessons[:_LESSONS]
    )
    shown = table(("what", "how sure", "times seen", "kind"), rows, _NUMBERS)
    more = len(lessons) - _LESSONS
    return joined((shown, element("p", f"and {more:,} more", class_="dim"))) if more > 0 else shown


def _when(at: datetime, zone: str) -> str:
    return f"{local_time(at, zone):%Y-%m-%d %H:%M %Z}".strip()


def _day(at: datetime, zone: str) -> str:
    return f"{local_time(at, zone):%Y-%m-%d}"
