"""Requirements and tests are bound both ways: no claim without a requirement, no proof that nothing claims."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.requirements import REQUIREMENTS

TESTS = Path(__file__).parent
DOCUMENT = TESTS.parent.parent / "shared" / "MISSION.md"
TREES = {path.relative_to(TESTS).as_posix(): ast.parse(path.read_text("utf-8")) for path in sorted(TESTS.rglob("*.py"))}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _called(node: ast.AST) -> str:
    """The dotted name that is called, or "" where nothing is."""
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def _marks(tree: ast.AST) -> list[ast.Call]:
    return [n for n in ast.walk(tree) if isinstance(n, ast.Call) and _called(n).endswith("mark.requirement")]


def _ids(mark: ast.Call) -> list[object]:
    return [arg.value if isinstance(arg, ast.Constant) else ast.unparse(arg) for arg in mark.args]


def _tests() -> Iterator[tuple[str, Function]]:
    for name, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, Function) and node.name.startswith("test"):
                yield f"{name}:{node.lineno} {node.name}", node


def _asserts(node: ast.AST) -> bool:
    if isinstance(node, ast.Assert):
        return not isinstance(node.test, ast.Constant)
    name = _called(node).rpartition(".")[2]
    return name == "raises" or name.startswith(("check", "expect"))


CLAIMED = {claim: name for name, tree in TREES.items() for mark in _marks(tree) for claim in _ids(mark)}
KNOWN = [requirement.id for requirement in REQUIREMENTS]


def test_every_requirement_is_listed_once() -> None:
    assert len(KNOWN) == len(set(KNOWN))
    assert Counter(known[0] for known in KNOWN) == {"K": 11, "L": 7, "B": 15, "Q": 16, "W": 12, "G": 8}


def test_the_list_equals_the_document_it_was_written_from() -> None:
    if not DOCUMENT.is_file():
        pytest.skip("the document of the requirements does not lie beside this repository")
    assert re.findall(r"^\| ([A-Z]\d+) \|", DOCUMENT.read_text("utf-8"), re.MULTILINE) == KNOWN


def test_every_requirement_says_what_it_demands_and_why_it_is_open() -> None:
    wordless = [r.id for r in REQUIREMENTS if not r.says.endswith(".") or (r.open is not None and not r.open.strip())]
    assert wordless == []
    assert len({r.says for r in REQUIREMENTS}) == len(REQUIREMENTS)


def test_every_id_that_a_test_claims_exists() -> None:
    assert {claim: name for claim, name in CLAIMED.items() if claim not in KNOWN} == {}


def test_every_requirement_that_is_called_proven_has_a_test() -> None:
    assert [r.id for r in REQUIREMENTS if r.open is None and r.id not in CLAIMED] == []


def test_no_test_claims_a_requirement_that_is_open() -> None:
    assert {r.id: CLAIMED[r.id] for r in REQUIREMENTS if r.open is not None and r.id in CLAIMED} == {}


def test_a_requirement_is_claimed_only_by_tests_that_run() -> None:
    misplaced = []
    for name, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, Function) and any(_marks(decorator) for decorator in node.decorator_list):
                marks = " ".join(ast.unparse(decorator) for decorator in node.decorator_list)
                if not node.name.startswith("test") or re.search(r"mark\.(skip|xfail)\b", marks):
                    misplaced.append(f"{name}:{node.lineno} {node.name}")
    assert misplaced == []


def test_every_test_asserts_something() -> None:
    assert [name for name, test in _tests() if not any(map(_asserts, ast.walk(test)))] == []
