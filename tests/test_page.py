"""The page for a browser: what is on it, that nothing remembered can act there, and how its file is written."""

from __future__ import annotations

import json
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anaphora
from anaphora import Memory
from anaphora.interfaces.glance import gathered
from anaphora.interfaces.page import page
from tests.commands import error, own_store, run
from tests.talk import later, work_with

EVIL = (
    "<script>document.title='owned'</script>",
    '"><img src=x onerror="document.title=\'owned\'">',
    "</style></title></pre><style>body{display:none}</style>",
    "<a href='javascript:document.title=1'>&lt;b&gt; &amp;</a>",
)
VOID = {"meta"}


class Dom(HTMLParser):
    """A page taken apart: its elements with their attributes, its text, and whether every element is closed."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(source)
        self.close()
        assert self._open == [], f"left open: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] != "style":
            self.text += data

    def of(self, look: str) -> list[dict[str, str | None]]:
        return [attributes for _, attributes in self.elements if look in (attributes.get("class") or "").split()]


@pytest.fixture(autouse=True)
def _own_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_store(store_path, monkeypatch)


@pytest.fixture
def worked(store_path: Path) -> Iterator[Memory]:
    with anaphora.open(store_path, user="me") as memory:
        work_with(memory)
        yield memory


def shown(memory: Memory, about: str | None = None) -> Dom:
    return Dom("\n".join(page(gathered(memory, about=about), later())))


# --- what is on it ------------------------------------------------------------------------------------------------


@pytest.mark.requirement("Q14")
def test_every_line_of_the_context_is_there_with_its_tokens_and_its_reason(worked: Memory) -> None:
    found = gathered(worked, about="Which database did we choose?")
    dom = Dom("\n".join(page(found, later())))
    for part in found.context.parts:
        assert part.text in dom.text
        assert part.why in dom.text
        assert f"{part.tokens:,} tokens" in dom.text
    assert len(dom.of("part")) == len(found.context.parts) + len(found.context.left_out)
    assert f"{found.context.tokens:,} of 8,000 tokens" in dom.text
    assert "Which database did we choose?" in dom.text


@pytest.mark.requirement("Q14")
def test_the_bar_is_as_long_as_the_tokens_of_each_tier(worked: Memory) -> None:
    context = gathered(worked, 1000).context
    dom = Dom("\n".join(page(gathered(worked, 1000), later())))
    stripes = [a for tag, a in dom.elements if tag == "span" and "%" in (a.get("style") or "") and "title" in a]
    widths = [float(re.sub(r"[^\d.]", "", str(stripe["style"]))) for stripe in stripes]
    tokens = [int(re.sub(r"\D", "", str(stripe["title"]))) for stripe in stripes]
    assert sum(tokens) == context.tokens
    assert [round(100 * count / context.budget, 2) for count in tokens] == widths


@pytest.mark.requirement("Q14")
def test_what_is_worked_on_stands_around_it(worked: Memory) -> None:
    for n in range(4):
        worked.hear(f"I want to add panel {n}", at=later(days=9, hours=n))
        worked.hear("Make it purple", at=later(1, days=9, hours=n))
    worked.consolidate()
    source = "\n".join(page(gathered(worked), later()))
    text = Dom(source).text
    for piece in (
        "✅ 1 reached",
        "☐ Ask Eve",
        "use Postgres",
        "because many people write",
        "instead of “use SQLite”",
        "within one second",
        "Demo on Friday",
        "before that “I live in Paris”",
        "auth/jwt.py last edited, in validate",
        "┊ 5 days",
        "#1 Login Page",
    ):
        assert piece in text
    nested = re.search(r"<li>⏳ add a login page .*?<ul><li>⏳ Write tests .*? high priority", source)
    assert nested, "a goal below another stands below it"
    surest = max(worked.knowledge.lessons, key=lambda lesson: (lesson.confidence, lesson.total))
    assert f"{surest.pattern} → {surest.meaning}{surest.confidence:.0%}" in text


@pytest.mark.requirement("Q14")
def test_what_was_left_out_is_said_with_the_reason(worked: Memory) -> None:
    found = gathered(worked, 120)
    text = Dom("\n".join(page(found, later()))).text
    assert found.context.left_out
    assert f"Left out ({len(found.context.left_out)})" in text
    assert all(one.why in text for one in found.context.left_out)


def test_goals_of_any_depth_are_all_shown(worked: Memory) -> None:
    with worked.update() as work:
        for n in range(1000):
            work.add_goal(f"Step {n} of it", parent=f"Step {n - 1} of it" if n else None)
    text = shown(worked).text
    assert all(f"Step {n} of it" in text for n in range(1000))
    assert "Step 999 of it" in run("show").stdout


def test_an_empty_memory_has_a_page_too(memory: Memory) -> None:
    assert "Where were we?" in shown(memory).text


# --- nothing remembered can act there -----------------------------------------------------------------------------


def planted(memory: Memory, texts: Sequence[str]) -> None:
    """Each text wherever a text can be remembered."""
    for n, text in enumerate(texts):
        memory.new(f"Title {text}", at=later(days=n))
        memory.hear(f"I want to add {text}", at=later(1, days=n), speaker=f"Eve {text}")
        memory.say(f"Done: {text}", at=later(2, days=n))
        with memory.update(author=f"author {text}", at=later(3, days=n)) as work:
            work.add_goal(f"Goal {text}")
            work.decide(f"Decide {text}", because=f"because {text}")
            work.constrain(f"Constraint {text}")
            work.remember(f"Note {text}")
            work.learn(f"Fact {text}", speaker=f"speaker {text}")
        memory.touch(f"src/{text.replace('/', '')}.py", function=f"call {text}", edited=True, at=later(4, days=n))


def test_remembered_markup_is_text_and_nothing_more(store_path: Path) -> None:
    with anaphora.open(store_path, user=f"me {EVIL[0]}", project=f"p {EVIL[1]}") as memory:
        before = {tag for tag, _ in shown(memory).elements}
        planted(memory, EVIL)
        dom = shown(memory, about=f"What about {' '.join(EVIL)}?")
    known = before | {"details", "summary", "small", "ul", "li", "pre", "table", "thead", "tbody", "tr", "th", "td"}
    assert {tag for tag, _ in dom.elements} <= known
    assert not {"script", "img", "a", "link", "iframe", "form", "object"} & known
    for tag, attributes in dom.elements:
        assert not {"src", "href", "action", "srcdoc"} & attributes.keys(), tag
        assert not any(name.startswith("on") for name in attributes), tag
    for text in EVIL:
        assert f"Goal {text}" in dom.text
        assert f"Note {text}" in dom.text


def test_the_page_forbids_itself_scripts_and_requests(memory: Memory) -> None:
    metas = [attributes for tag, attributes in shown(memory).elements if tag == "meta"]
    policy = next(meta["content"] for meta in metas if meta.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")


@given(said=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=60))
def test_whatever_is_remembered_the_page_stays_whole(said: str) -> None:
    with anaphora.open(":memory:", reader="none", background=False) as memory:
        memory.update(lambda work: work.remember(f"x{said}x"))
        dom = shown(memory)
    assert {tag for tag, _ in dom.elements}.isdisjoint({"script", "img", "svg", "object"})
    assert "\x1b" not in dom.text
    assert "\u202e" not in dom.text


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.mark.requirement("Q14")
@pytest.mark.skipif(CHROMIUM is None, reason="needs a browser: the Debian package chromium")
def test_a_browser_shows_it_and_runs_nothing_of_it(store_path: Path, tmp_path: Path) -> None:
    with anaphora.open(store_path, user="me") as memory:
        planted(memory, EVIL)
    run("show", "--page", "page.html")
    assert CHROMIUM is not None
    quiet = "--disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update"
    done = subprocess.run(
        [
            CHROMIUM,
            *["--headless", "--no-sandbox", "--disable-sync", "--disable-dev-shm-usage", "--dump-dom"],
            *quiet.split(),
            f"--user-data-dir={tmp_path / 'browser'}",
            f"--screenshot={tmp_path / 'page.png'}",
            Path("page.html").resolve().as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    dom = Dom(done.stdout.strip())
    assert "Anaphora: what is remembered" in dom.text  # and no script changed the title
    assert {"script", "img", "a"}.isdisjoint({tag for tag, _ in dom.elements})
    assert all(f"Goal {text}" in dom.text for text in EVIL)
    assert (tmp_path / "page.png").stat().st_size > 10_000


# --- the file -----------------------------------------------------------------------------------------------------


def test_the_file_is_its_owners_alone_and_says_what_it_holds(worked: Memory) -> None:
    assert re.fullmatch(
        r"Wrote page\.html: a context of \d+ of 8,000 tokens, .*\n", run("show", "--page", "page.html").stdout
    )
    assert stat.S_IMODE(Path("page.html").stat().st_mode) == 0o600
    assert "Write tests" in Dom(Path("page.html").read_text("utf-8")).text


def test_a_context_has_its_page_too(worked: Memory) -> None:
    asked = "Which database did we choose?"
    told = json.loads(run("context", asked, "--budget", "2000", "--page", "page.html", "--json").stdout)
    assert (told["file"], told["budget"]) == ("page.html", 2000)
    assert asked in Dom(Path("page.html").read_text("utf-8")).text


@pytest.mark.parametrize("command", [("show",), ("context", "Where were we?")])
def test_an_older_page_is_replaced_only_when_asked_to(worked: Memory, command: tuple[str, ...]) -> None:
    run("show", "--page", "page.html")
    older = Path("page.html").read_text("utf-8")
    worked.hear("The garden needs a fence")
    assert "page.html is there already. Add --force" in error(*command, "--page", "page.html")
    assert Path("page.html").read_text("utf-8") == older
    run(*command, "--page", "page.html", "--force")
    assert Path("page.html").read_text("utf-8") != older


@pytest.mark.parametrize("command", [("show",), ("context", "Where were we?")])
@pytest.mark.parametrize("held", ["mine", "", "<!doctype html>\n<title>Mine</title>", '[{"path": "a.db"}]'])
def test_not_even_force_replaces_what_is_no_page(worked: Memory, command: tuple[str, ...], held: str) -> None:
    Path("mine.html").write_text(held, "utf-8")
    assert "is no page of Anaphora's" in error(*command, "--page", "mine.html", "--force")
    assert Path("mine.html").read_text("utf-8") == held


def test_not_even_force_replaces_a_store(worked: Memory, store_path: Path) -> None:
    assert "was left as it is" in error("show", "--page", str(store_path), "--force")
    assert worked.verify() == []


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal", ".backups.json"])
def test_what_belongs_to_a_store_is_never_written(worked: Memory, store_path: Path, ending: str) -> None:
    beside = store_path.with_name(store_path.name + ending)
    before = beside.stat().st_ino if beside.exists() else None
    for command in (("show", "--page", str(beside), "--force"), ("export", str(beside), "--force")):
        assert re.search("belongs to the store|is no page|is a database|is there already", error(*command))
    assert (beside.stat().st_ino if beside.exists() else None) == before
    assert worked.verify() == []


def test_the_list_of_backups_stays(worked: Memory, store_path: Path) -> None:
    run("backup", "copy.db")
    listed = store_path.with_name(store_path.name + ".backups.json")
    before = listed.read_text("utf-8")
    assert "copy.db" in before
    error("show", "--page", str(listed), "--force")
    error("export", str(listed), "--force")
    assert listed.read_text("utf-8") == before


def test_a_page_has_no_other_format(worked: Memory) -> None:
    assert "either --page or --format" in error("context", "x", "--page", "page.html", "--format", "openai")
    assert not Path("page.html").exists()


def test_it_can_go_to_stdout(worked: Memory) -> None:
    assert "Write tests" in Dom(run("show", "--page", "-").stdout).text


@pytest.mark.parametrize("name", ["missing/page.html", "."])
def test_a_place_that_cannot_be_written_is_said(worked: Memory, name: str) -> None:
    assert "cannot be written" in error("show", "--page", name, code=1)
    assert not Path("missing").exists()


@pytest.mark.parametrize(
    ("name", "code"), [("x" * 300 + ".html", 1), ("no/such/folder/page.html", 1), ("", 2), ("  ", 2)]
)
def test_a_place_that_cannot_be_written_is_an_error_that_says_so(name: str, code: int) -> None:
    assert "bug" not in error("show", "--page", name, code=code)
