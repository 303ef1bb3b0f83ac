"""Regular expressions that are compiled when they are first used find what compiled ones find."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anaphora.memory
import anaphora.understanding
from anaphora.understanding.patterns import _Gated, any_case, expression
from anaphora.understanding.shapes import Shape
from anaphora.understanding.signal_shapes import SHAPES, shapes_for

_parser = importlib.import_module("re._parser")  # what `re` itself reads a pattern with
_ANYTHING = "\0"


# --- every match holds a needle -----------------------------------------------------------------------------------


def _gated() -> Iterator[Any]:
    """Every expression of ours that goes by needles, wherever a module keeps it."""
    for room in (anaphora.understanding, anaphora.memory):
        for found in pkgutil.iter_modules(room.__path__, f"{room.__name__}."):
            for name, value in vars(importlib.import_module(found.name)).items():
                for number, held in enumerate(_within(value)):
                    if isinstance(held, _Gated):
                        yield pytest.param(held, id=f"{found.name.rpartition('.')[2]}.{name}-{number}")


def _within(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        value = (*value.values(),)
    if isinstance(value, tuple | list):
        for part in value:
            yield from _within(part)
    else:
        yield value


def _holds(parts: Any, needles: tuple[str, ...]) -> bool:
    """Whether whatever these parts of a pattern match, one after the other, holds one of the needles."""
    items = list(parts)
    if any(_item_holds(item, needles) for item in items):
        return True
    spelled = [_spelled(item) for item in items]
    for first in range(len(items)):
        for last in range(first + 1, min(first + 16, len(items)) + 1):
            window = [texts for texts in spelled[first:last] if texts is not None]
            if len(window) == last - first and _all_hold(window, needles):
                return True
    return False


def _all_hold(window: list[set[str]], needles: tuple[str, ...]) -> bool:
    size = 1
    for texts in window:
        size *= len(texts)
    return size < 20_000 and all(any(n in "".join(texts) for n in needles) for texts in product(*window))


def _item_holds(item: tuple[object, Any], needles: tuple[str, ...]) -> bool:
    match str(item[0]), item[1]:
        case "BRANCH", (_, branches):
            return all(_holds(branch, needles) for branch in branches)
        case "SUBPATTERN", (_, _, _, inner):
            return _holds(inner, needles)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT", (least, _, inner):
            return bool(least) and _holds(inner, needles)
        case "ASSERT", (1, inner):  # what must follow
            return _holds(inner, needles)
    return False


def _spelled(item: tuple[object, Any]) -> set[str] | None:
    """Every text that a part can match, in small letters; None where they are too many, or not known."""
    match str(item[0]), item[1]:
        case "LITERAL", int(code):
            return {chr(code).lower()}
        case "AT" | "ASSERT" | "ASSERT_NOT", _:
            return {""}
        case "IN", list(choices) if all(str(kind) == "LITERAL" for kind, _ in choices):
            return {chr(code).lower() for _, code in choices}
        case (("IN" | "ANY" | "NOT_LITERAL"), _):
            return {_ANYTHING}
        case "BRANCH", (_, branches):
            return _union([_sequence(branch) for branch in branches])
        case "SUBPATTERN", (_, _, _, inner):
            return _sequence(inner)
        case "MAX_REPEAT" | "MIN_REPEAT", (0, 1, inner):
            return _union([{""}, _sequence(inner)])
    return None


def _sequence(parts: Any) -> set[str] | None:
    texts = {""}
    for item in parts:
        more = _spelled(item)
        if more is None or len(texts) * len(more) > 2_000:
            return None
        texts = {before + after for before in texts for after in more}
    return texts


def _union(parts: list[set[str] | None]) -> set[str] | None:
    return None if None in parts else {text for part in parts for text in part or ()}


@pytest.mark.parametrize("gated", [*_gated()])
def test_whatever_an_expression_matches_holds_one_of_its_needles(gated: _Gated) -> None:
    assert gated.needles
    assert all(needle == needle.lower() and needle.isascii() and needle for needle in gated.needles)
    assert _holds(_parser.parse(gated.pattern, gated.given), gated.needles), f"not in every match: {gated.needles}"


@pytest.mark.parametrize(
    ("pattern", "needles", "holds"),
    [
        ("(?:let's|lets|let us) go", "let's|lets|let us", True),
        ("(?:let's|lets|let us) go", "let's|lets", False),
        ("(?:want|need) to", "want|need", True),
        ("(?:want|need|like) to", "want|need", False),
        ("(?:really )*(?:done|finished)", "really", False),
        ("x(?:ab)?c", "abc", False),
        ("x(?:ab)?c", "abc|xc", True),
        ("any(?= .* more)", "more", True),
        ("any(?! more)", "more", False),
    ],
)
def test_the_proof_sees_a_match_without_a_needle(pattern: str, needles: str, holds: bool) -> None:
    assert _holds(_parser.parse(pattern), tuple(needles.split("|"))) is holds


# --- every match begins with a letter ----------------------------------------------------------------------------


def _first(parts: Any) -> set[str] | None:
    """The small letters that what these parts match may begin with, "" where it may be empty; None: any letter."""
    found = {""}
    for item in parts:
        more = _item_first(item)
        if more is None:
            return None
        found = (found - {""}) | more
        if "" not in more:
            break
    return found


def _item_first(item: tuple[object, Any]) -> set[str] | None:
    match str(item[0]), item[1]:
        case "LITERAL", int(code):
            return {chr(code).lower()}
        case "AT" | "ASSERT" | "ASSERT_NOT", _:
            return {""}
        case "IN", list(choices) if all(str(kind) in ("LITERAL", "RANGE") for kind, _ in choices):
            ends = ((code, code) if str(kind) == "LITERAL" else code for kind, code in choices)
            return {chr(code).lower() for low, high in ends for code in range(low, high + 1)}
        case "BRANCH", (_, branches):
            return _union([_first(branch) for branch in branches])
        case "SUBPATTERN", (_, _, _, inner):
            return _first(inner)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT", (least, _, inner):
            return _union([_first(inner), set() if least else {""}])
    return None


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape.begins], ids=lambda shape: shape.pattern.pattern)
def test_whatever_a_shape_matches_begins_with_one_of_its_letters(shape: Shape) -> None:
    found = _first(_parser.parse(shape.pattern.pattern, re.IGNORECASE))
    assert found is not None
    assert found <= {*shape.begins}


@pytest.mark.parametrize(
    ("pattern", "letters"),
    [
        ("(?:we|I) want", {"w", "i"}),
        ("(?:the )?goal", {"t", "g"}),
        ("(?P<x>(?!what)keep)", {"k"}),
        ("[a-c]?", {"a", "b", "c", ""}),
        (".*done", None),
        (r"\w+ is", None),
    ],
)
def test_the_proof_sees_what_a_match_begins_with(pattern: str, letters: set[str] | None) -> None:
    assert _first(_parser.parse(pattern)) == letters


def test_a_clause_is_offered_the_shapes_that_it_may_have() -> None:
    assert all(set(shapes_for(text)) < set(SHAPES) for text in ("we use it", "Let's go", "4 of them"))
    assert shapes_for("ſtill to do: this") == shapes_for("") == SHAPES


# --- the same as compiled -----------------------------------------------------------------------------------------

_SHAPES = (
    (r"(?:want|wish)s? (?P<x>\w+)", "want|wish"),
    (r"\bkeep (?:it|this)\b", "keep"),
    (r"i(?:'m| am) (?P<x>.+)", "'m| am "),
)
_TEXTS = st.lists(
    st.sampled_from(["I", "want", "WANT", "wiſh", "wish", "\u212aeep", "keep", "it", "i'm", "I am", "glad", " ", " "])
).map("".join)


@given(st.sampled_from(_SHAPES), _TEXTS, st.integers(0, 5), st.booleans(), st.booleans())
def test_an_expression_finds_what_a_compiled_one_finds(
    shape: tuple[str, str], text: str, pos: int, gated: bool, dear: bool
) -> None:
    pattern, needles = shape
    compiled = re.compile(pattern, re.IGNORECASE)
    for method in ("match", "search", "fullmatch"):
        late = any_case(pattern, needles=needles if gated else "", dear=dear)
        for _ in range(2):  # before it is compiled, and after
            found, known = getattr(late, method)(text, pos), getattr(compiled, method)(text, pos)
            assert (found and (found.span(), found.groupdict())) == (known and (known.span(), known.groupdict()))
    late = any_case(pattern, needles=needles if gated else "", dear=dear)
    assert late.sub("-", text) == compiled.sub("-", text)
    assert late.split(text) == compiled.split(text)
    assert [m.span() for m in late.finditer(text, pos)] == [m.span() for m in compiled.finditer(text, pos)]


def test_an_expression_tells_what_a_compiled_one_tells() -> None:
    pattern, flags = r"(?P<a>x)|(y)", re.MULTILINE
    known = re.compile(pattern, flags)
    for name in ("pattern", "flags", "groups", "groupindex"):
        assert getattr(expression(pattern, flags), name) == getattr(known, name)
    with pytest.raises(AttributeError):
        _ = expression(pattern).nothing  # type: ignore[attr-defined]


def test_threads_that_first_use_an_expression_together_all_find_the_same() -> None:
    together = Barrier(8)

    def find(late: re.Pattern[str]) -> tuple[int, int]:
        together.wait()
        found = late.search("and then I wish you were here")
        assert found is not None
        return found.span()

    with ThreadPoolExecutor(8) as pool:
        for number in range(50):
            late = any_case(rf"wish (?:you|them)(?!{number})", needles="wish")  # one that `re` has not compiled yet
            assert {*pool.map(find, [late] * 8)} == {(11, 19)}


def test_the_rules_compile_nothing_when_they_are_imported() -> None:
    """A hook that hears one message would wait for hundreds of them."""
    source = Path(anaphora.understanding.__file__).parent.parent
    rooms = ("understanding", "memory", "assembly", "engine", "interfaces/hooks")
    found = []
    for path in (path for room in rooms for path in sorted((source / room).rglob("*.py"))):
        for statement in ast.parse(path.read_text("utf-8")).body:
            if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                calls = (node for node in ast.walk(statement) if isinstance(node, ast.Call))
                found += [f"{path.name}:{c.lineno}" for c in calls if ast.unparse(c.func) == "re.compile"]
    assert found == []
