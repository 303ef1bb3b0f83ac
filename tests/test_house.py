"""The rules of the house that a machine can check: who imports whom, what stays pure, how long things get."""

from __future__ import annotations

import ast
import importlib
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path

import pytest
from pytest_socket import SocketBlockedError

ROOT = Path(__file__).parent.parent
SRC = ROOT / "src"
FILES = {path.relative_to(SRC).as_posix(): path.read_text("utf-8") for path in sorted(SRC.rglob("*.py"))}
TREES = {name: ast.parse(text, name) for name, text in FILES.items()}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _room(name: str) -> str:
    """anaphora/memory/window.py lies in "memory", anaphora/types.py is the room "types"."""
    return name.split("/")[1].removesuffix(".py")


_ROOMS = {_room(name) for name in FILES}
_VALUES = {"types", "errors", "settings", "ports", "codec", "knowledge"}
MAY_IMPORT: dict[str, set[str]] = {
    "types": {"state"},
    "state": set(),
    "knowledge": set(),
    "errors": set(),
    "function_words": set(),
    "version": set(),
    "codec": {"errors", "types"},
    "settings": {"errors"},
    "ports": {"types"},
    "folders": set(),
    "configuration": {"errors", "folders", "settings"},
    "light": {"errors"},
    "understanding": _VALUES | {"function_words"},
    "memory": _VALUES | {"function_words", "understanding"},
    "assembly": {"types", "errors", "settings", "ports", "memory", "understanding"},
    "stores": {"types", "errors", "ports", "codec"},
    "models": {"types", "errors", "function_words", "ports"},
    "formats": {"types", "errors", "codec", "knowledge"},
    "testing": {"types", "errors", "ports", "codec"},
    "engine": _ROOMS - {"interfaces", "adapters"},
    "__init__": _ROOMS - {"interfaces", "adapters"},
    "interfaces": _ROOMS,
    "__main__": {"interfaces"},
}
PURE = ("understanding", "memory", "assembly", "settings", "types", "state", "knowledge", "function_words", "codec")
WORLDLY = {"os", "io", "pathlib", "random", "time", "secrets", "uuid", "socket", "subprocess", "threading", "apsw"}
BACKENDS = {"apsw", "sqlite3", "psycopg", "psycopg2", "asyncpg"}
HEAVY = {"apsw", "typer", "rich", "platformdirs", "rs_bpe", "pydantic", "sqlite3", "asyncio", "numpy"}
SQL = re.compile(
    r"\b(SELECT\s.+\sFROM|INSERT\s+INTO|DELETE\s+FROM|UPDATE\s+\w+\s+SET|CREATE\s+\w+|PRAGMA)\s", re.DOTALL
)


def _module(name: str) -> str:
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imported(name: str) -> Iterator[tuple[int, str]]:
    """Each name that a file imports, dotted and absolute, with its line; imports for type checkers too."""
    package = _module(name) if name.endswith("__init__.py") else _module(name).rpartition(".")[0]
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            yield from ((node.lineno, f"{source}.{alias.name}") for alias in node.names)


def _roots(name: str) -> Iterator[tuple[int, str]]:
    return ((line, imported.split(".")[0]) for line, imported in _imported(name))


def _walk() -> Iterator[tuple[str, ast.AST]]:
    return ((name, node) for name, tree in TREES.items() for node in ast.walk(tree))


def _in(name: str, *rooms: str) -> bool:
    return _room(name) in rooms


# --- walls --------------------------------------------------------------------------------------------------------


def test_every_room_says_what_it_may_import() -> None:
    unlisted = _ROOMS - MAY_IMPORT.keys()
    assert unlisted == set(), f"List what {sorted(unlisted)} may import in MAY_IMPORT, and draw it in the architecture."


def test_imports_point_one_way() -> None:
    wrong = []
    for name in FILES:
        here = _room(name)
        for line, imported in _imported(name):
            top, there, *_ = [*imported.split("."), ""]
            there = there if there in _ROOMS else "__init__"
            if top == "anaphora" and there not in MAY_IMPORT.get(here, _ROOMS) | {here}:
                wrong.append(f"{name}:{line} {here} imports {there}")
    assert wrong == []


def test_pure_rooms_import_nothing_that_touches_the_world() -> None:
    assert [f"{n}:{line} {root}" for n in FILES if _in(n, *PURE) for line, root in _roots(n) if root in WORLDLY] == []


def test_pure_rooms_read_no_clock_and_open_no_file() -> None:
    worldly = re.compile(r"(.*\.)?(datetime|date)\.(now|utcnow|today)|open")
    calls = [(n, node) for n, node in _walk() if _in(n, *PURE) and isinstance(node, ast.Call)]
    assert [f"{n}:{c.lineno} {ast.unparse(c)}" for n, c in calls if worldly.fullmatch(ast.unparse(c.func))] == []


def test_only_stores_know_their_backend() -> None:
    outside = [name for name in FILES if not _in(name, "stores")]
    assert [f"{name}:{line} {root}" for name in outside for line, root in _roots(name) if root in BACKENDS] == []


def test_only_stores_speak_sql() -> None:
    texts = [(n, node) for n, node in _walk() if not _in(n, "stores") and isinstance(node, ast.Constant)]
    assert [f"{n}:{t.lineno}" for n, t in texts if isinstance(t.value, str) and SQL.search(t.value)] == []


# --- the front door -----------------------------------------------------------------------------------------------


def _kind_then_name(name: str) -> tuple[int, str]:
    """The order that ruff keeps in every `__all__`: constants, classes, the rest."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_the_public_names_are_sorted_and_each_is_there() -> None:
    anaphora = importlib.import_module("anaphora")
    names = list(anaphora.__all__)
    assert names == sorted(set(names), key=_kind_then_name)
    assert [name for name in names if not hasattr(anaphora, name)] == []


@pytest.mark.parametrize("name", [name for name, text in FILES.items() if re.search(r"^__all__\b", text, re.MULTILINE)])
def test_a_module_has_every_name_that_it_offers(name: str) -> None:
    module = importlib.import_module(_module(name))
    assert [offered for offered in module.__all__ if not hasattr(module, offered)] == []


def test_importing_the_package_loads_little_and_does_nothing(tmp_path: Path) -> None:
    code = "import sys, anaphora; loaded = [*sys.modules]; import threading; print(threading.active_count(), *loaded)"
    before = sorted(tmp_path.rglob("*"))
    ran = subprocess.run([sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, check=True)
    threads, *loaded = ran.stdout.split()
    assert HEAVY & set(loaded) == set(), ran.stderr
    assert threads == "1"
    assert sorted(tmp_path.rglob("*")) == before


# --- size and manners ---------------------------------------------------------------------------------------------


def test_no_file_is_longer_than_500_lines() -> None:
    assert {name: lines for name, text in FILES.items() if (lines := len(text.splitlines())) > 500} == {}


def test_no_function_is_longer_than_60_lines() -> None:
    functions = [(name, node) for name, node in _walk() if isinstance(node, Function)]
    assert [f"{n}:{f.lineno} {f.name}" for n, f in functions if (f.end_lineno or 0) - f.lineno >= 60] == []


def test_nothing_is_caught_wholesale_but_at_the_edge() -> None:
    def swallows_all(node: ast.AST) -> bool:
        if isinstance(node, ast.ExceptHandler):
            passes_on = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
            caught = ast.unparse(node.type) if node.type else "BaseException"
        else:
            passes_on = False
            caught = ast.unparse(node) if isinstance(node, ast.Call) and "suppress" in ast.unparse(node.func) else ""
        return not passes_on and re.search(r"\b(Base)?Exception\b", caught) is not None

    outside = [(name, node) for name, node in _walk() if not _in(name, "interfaces")]
    assert [f"{name}:{node.lineno}" for name, node in outside if swallows_all(node)] == []  # type: ignore[attr-defined]


def test_nothing_is_left_unwritten() -> None:
    assert [n for n, node in _walk() if isinstance(node, ast.Name) and node.id == "NotImplementedError"] == []


@pytest.mark.filterwarnings("ignore:A test tried to use socket")
def test_tests_cannot_reach_the_network() -> None:
    with pytest.raises(SocketBlockedError):
        socket.socket(socket.AF_INET, socket.SOCK_STREAM)


def test_no_file_names_a_machine_or_a_registry() -> None:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("only a git checkout knows which files are its own")
    telling = re.compile(r"(?<![\w.])/(?:w[o]rk|r[o]ot|h[o]me/[a-z]\w*)/|--(?:extra-)?index-url")
    # A checkout owned by someone else is still ours to read; files not added yet count as well.
    git = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    files = [ROOT / name for name in sorted(set(names)) if (ROOT / name).is_file()]
    assert [str(f) for f in files if telling.search(f.read_text("utf-8", errors="ignore"))] == []
    assert Path(__file__) in files
