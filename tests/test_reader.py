"""The bundled reader and embedder: word pieces, what they cost, what they keep, and doing without them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anaphora
from anaphora.engine.doctor import examine
from anaphora.errors import MissingExtra
from anaphora.models.embedder import bundled_embedder
from anaphora.models.judging import ROOM, chosen_lines
from anaphora.models.pieces import HEAD, LONGEST, pieces_of
from anaphora.models.reader import BundledReader, bundled_reader
from anaphora.models.sessions import bundled
from anaphora.ports import Line
from anaphora.settings import Settings
from anaphora.testing import FrozenClock
from anaphora.understanding.learned import ABOUT, BOUNDARY, FILLING, USUAL

WITH_READER = True

CLS, SEP, UNKNOWN = 101, 102, 100


def line(text: str, *, mine: bool = True) -> Line:
    return Line(text, mine)


# --- word pieces --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ids", "words"),
    [
        ("Make it purple", [2191, 2009, 6379], ["Make", "it", "purple"]),
        ("naïve café", [15743, 7668], ["naïve", "café"]),
        ("foo_bar(x)", [29379, 1035, 3347, 1006, 1060, 1007], ["foo", "_", "bar", "(", "x", ")"]),
        ("日本", [1864, 1876], ["日", "本"]),
        ("a\x00b\u200bc", [5925], ["a\x00b\u200bc"]),
        ("", [], []),
        ("x" * 150, [UNKNOWN], ["x" * 150]),
    ],
)
def test_word_pieces_are_those_of_bert(text: str, ids: list[int], words: list[str]) -> None:
    pieces = pieces_of(text)
    assert pieces.ids == (CLS, *ids, SEP)
    assert [text[a:b] for a, b in pieces.spans[1:-1]] == words


def test_of_a_long_text_both_ends_are_read_and_no_more() -> None:
    text = "alpha " * 5000 + "omega"
    pieces = pieces_of(text)
    assert len(pieces) == LONGEST
    assert text[slice(*pieces.spans[-2])] == "omega"
    assert pieces.spans[HEAD - 1][1] < 1000 < pieces.spans[HEAD][0]


@given(
    st.lists(st.sampled_from(["alpha", "über", "x" * 120, "a.b(c)", "日本", "foo_bar"]), max_size=300),
    st.integers(1, 40),
)
def test_of_a_long_text_the_ends_are_cut_as_in_the_whole(words: list[str], gap: int) -> None:
    text = (" " * gap).join(words)[:8000]
    whole = pieces_of(text, longest=100_000, head=99_999)
    pieces = pieces_of(text)
    if len(whole) <= LONGEST:
        assert pieces == whole
    else:
        assert pieces.ids == whole.ids[:HEAD] + whole.ids[-(LONGEST - HEAD) :]
        assert pieces.spans == whole.spans[:HEAD] + whole.spans[-(LONGEST - HEAD) :]


# --- the reader ---------------------------------------------------------------------------------------------------


def test_a_pronoun_needs_its_context_and_points_to_it() -> None:
    lines = [line("write a function that reverses a linked list"), line("Done: reverse_list(head).", mine=False)]
    judged = bundled_reader().judge("it crashes on an empty list", lines, talk=False).pointed()
    assert judged.needs > 0.9
    gap = max(judged.gaps, key=lambda g: g.probability)
    assert gap.span == (0, 2)
    likely = max(gap.words, key=lambda w: w.probability)
    assert 0 <= likely.line < 2
    assert lines[likely.line].text[slice(*likely.span)]


def test_only_words_with_a_meaning_of_their_own_are_pointed_to() -> None:
    lines = [line("what is the size of it?"), line("The size of the cache, isn't it? (256 MB)", mine=False)]
    judged = bundled_reader().judge("make it twice as large", lines, talk=False).pointed()
    words = {lines[word.line].text[slice(*word.span)].lower() for gap in judged.gaps for word in gap.words}
    assert "cache" in words
    assert words <= {"size", "cache", "256", "mb"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I have a cat and a dog", ["cat", "dog"]),
        ("My sister plays the guitar", ["guitar"]),
        ("I like pizza", ["pizza"]),
        ("The dashboard is slow", ["dashboard"]),
        ("Add a button to the dashboard", ["button", "dashboard"]),
        ("My lamp is broken", ["lamp"]),
        ("the login form needs a captcha", ["captcha"]),
        ("Put the invoice into the folder", ["invoice", "folder"]),
        ("I moved to Berlin", ["Berlin"]),
        ("The meeting with Anna went well", ["Anna"]),
        ("Ask Peter about it", ["Peter"]),
    ],
)
def test_a_word_like_any_other_names_no_technology_file_or_function(text: str, words: list[str]) -> None:
    judged = bundled_reader().judge(text, (), talk=False)
    kinds = {text[slice(*span)]: kind for span, kind, _ in judged.entities}
    assert not [word for word in words if kinds.get(word) in ("technology", "file", "function")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We use duckdb for the analytics", "duckdb"),
        ("use vitest here", "vitest"),
        ("switch to pnpm", "pnpm"),
        ("set up grafana", "grafana"),
        ("We use Stripe for payments", "Stripe"),
        ("Let's switch to Supabase", "Supabase"),
        ("The cache of the browser is full", "browser"),
        ("it is written in python", "python"),
        ("my python is old", "python"),
    ],
)
def test_what_has_a_name_of_its_own_is_a_technology(text: str, name: str, clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock) as memory:
        kinds = {entity.text: entity.kind for entity in memory.hear(text).entities}
    assert kinds[name] == "technology"


@pytest.mark.parametrize("earlier", ["...", "is it?", "and then", "?!", " "])
def test_where_no_word_tells_anything_nothing_is_pointed_to(earlier: str) -> None:
    judged = bundled_reader().judge("make it twice as large", [line(earlier)], talk=False).pointed()
    assert not any(gap.words for gap in judged.gaps)


def test_a_second_message_does_not_change_what_the_first_pointed_to() -> None:
    """They are put together in the same place."""
    reader = bundled_reader()
    first = [line("write a function that reverses a linked list"), line("Done: reverse_list(head).", mine=False)]
    alone = reader.judge("it crashes on an empty list", first, talk=False).pointed()
    again = reader.judge("it crashes on an empty list", first, talk=False)
    reader.judge("make it wider", [line("add a search box above the table of invoices")], talk=False).pointed()
    assert again.pointed() == alone


def test_without_anything_before_it_nothing_is_pointed_to() -> None:
    judged = bundled_reader().judge("it crashes on an empty list", [], talk=False)
    assert judged.gaps == ()
    assert abs(sum(judged.intents.values()) - 1) < 0.01


def test_only_so_much_of_what_came_before_is_looked_at() -> None:
    lines = [line(f"message {n} " + "about the weather in the mountains " * 20) for n in range(40)]
    judged = bundled_reader().judge("make it shorter", lines, talk=False).pointed()
    seen = {word.line for gap in judged.gaps for word in gap.words}
    assert min(seen, default=39) >= 40 - ROOM // LONGEST


def test_the_same_words_are_judged_alike_from_many_threads() -> None:
    reader = BundledReader(bundled())
    lines = [line("compare Redis and Postgres for the queue")]
    found: list[float] = []

    def judge() -> None:
        found.append(reader.judge("which one is faster?", lines, talk=False).needs)

    threads = [threading.Thread(target=judge) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert max(found) - min(found) < 1e-6


def test_messages_that_are_read_in_one_run_are_read_as_if_alone() -> None:
    texts = ["use Redis", "", "which one is faster for a queue of a million jobs?", "日本語で", "use Redis"]
    together, alone = BundledReader(bundled()), BundledReader(bundled())
    together.prepare(*texts)
    for text in texts:
        alone.prepare(text)
        one, other = together._kept[text], alone._kept[text]
        assert one.pieces == other.pieces
        for part in ("states", "key_4", "value_4", "key_5", "value_5", "likeness"):
            assert np.array_equal(getattr(one, part), getattr(other, part))
    together.prepare()
    assert len(together._kept) == 4


def test_what_another_thread_is_at_is_waited_for_and_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = BundledReader(bundled())
    runs: list[int] = []
    begun, go_on = threading.Event(), threading.Event()
    encode = reader._encode

    def slowly(**inputs: Any) -> list[Any]:
        runs.append(len(inputs["bounds"]) - 1)
        begun.set()
        assert go_on.wait(10)
        return encode(**inputs)

    monkeypatch.setattr(reader, "_encode", slowly)
    first = threading.Thread(target=reader.prepare, args=("use Redis", "use Postgres"))
    first.start()
    assert begun.wait(10)
    second = threading.Thread(target=reader.prepare, args=("use Postgres", "use Kafka"))
    second.start()
    go_on.set()
    first.join()
    second.join()
    assert sorted(runs) == [1, 2]
    assert {*reader._kept} == {"use Redis", "use Postgres", "use Kafka"}
    assert reader._at_it == {}


def test_what_a_thread_was_at_when_it_was_interrupted_is_read_by_the_next() -> None:
    reader = BundledReader(bundled())
    reader._at_it["use Redis"] = threading.Lock()  # nobody holds it any more
    reader.prepare("use Redis")
    assert {*reader._kept} == {"use Redis"}
    assert reader._at_it == {}


def test_what_is_pointed_to_is_looked_for_only_when_asked_for() -> None:
    reader = BundledReader(bundled())
    lines = [line("write a function that reverses a linked list"), line("Done: reverse_list(head).", mine=False)]
    judged = reader.judge("it crashes on an empty list", lines, talk=False)
    assert reader._point._session is None
    assert judged.gaps
    assert not any(gap.words for gap in judged.gaps)
    pointed = judged.pointed()
    assert any(gap.words for gap in pointed.gaps)
    assert [(gap.span, gap.probability) for gap in pointed.gaps] == [(g.span, g.probability) for g in judged.gaps]
    assert pointed.pointed() is pointed


def test_a_forgotten_message_is_not_kept_by_the_reader(clock: FrozenClock) -> None:
    reader = BundledReader(bundled())
    with anaphora.open(":memory:", clock=clock, reader=reader) as memory:
        turn = memory.hear("my sister lives in Reykjavik")
        assert reader._kept
        memory.forget(message=turn.message_id)
    assert not reader._kept


# --- doing without ------------------------------------------------------------------------------------------------


class Broken:
    def judge(self, *_: object, **__: object) -> object:
        raise MissingExtra("No runtime.")

    def prepare(self, *_: str) -> object:
        raise MissingExtra("No runtime.")

    def forget(self) -> None: ...


def test_where_the_reader_cannot_read_rules_do(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, reader=Broken()) as memory:  # type: ignore[arg-type]
        memory.hear("I want to add a FAB button")
        memory.say("Done.")
        clock.advance(minutes=1)
        assert memory.hear("Make it purple").expanded == "Make the FAB button purple"


def test_the_setting_switches_it_off(clock: FrozenClock) -> None:
    with anaphora.open(":memory:", clock=clock, reader="none") as memory:
        assert {f.name for f in memory.hear("hello there").boundary.factors} == set()
        assert memory.settings.reader == "none"


def test_the_doctor_tries_it(tmp_path: Path, clock: FrozenClock) -> None:
    findings = {f.check: f for f in examine(lambda: Settings(store=str(tmp_path / "x.db")), None, clock())}
    assert findings["reader"].grade == "ok"
    off = {f.check: f for f in examine(lambda: Settings(store=":memory:", reader="none"), None, clock())}
    assert off["reader"].grade == "note"


def test_weights_that_are_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(MissingExtra, match=r"encode\.onnx.*Install anaphora again"):
        BundledReader(tmp_path).judge("hello", [], talk=False)


@pytest.mark.parametrize("name", ["encode.onnx", "read.onnx", "words.bin"])
def test_damaged_weights_are_named_and_rules_do_without(name: str, tmp_path: Path, clock: FrozenClock) -> None:
    folder = tmp_path / "weights"
    shutil.copytree(bundled(), folder)
    (folder / name).write_bytes((folder / name).read_bytes()[:1000])
    reader = BundledReader(folder)
    with pytest.raises(MissingExtra, match=r"damaged.*Install anaphora again"):
        reader.judge("hello", [], talk=False)
    with anaphora.open(":memory:", clock=clock, reader=reader) as memory:
        memory.hear("I want to add a FAB button")
        assert memory.hear("Make it purple").expanded == "Make the FAB button purple"


def test_where_only_the_pointing_is_damaged_rules_point(tmp_path: Path, clock: FrozenClock) -> None:
    folder = tmp_path / "weights"
    shutil.copytree(bundled(), folder)
    (folder / "point.onnx").write_bytes(b"nothing")
    with anaphora.open(":memory:", clock=clock, reader=BundledReader(folder)) as memory:
        memory.hear("I want to add a FAB button")
        assert memory.hear("Make it purple").expanded == "Make the FAB button purple"


@pytest.mark.requirement("K10")
def test_nothing_is_written_beside_the_store_and_nobody_is_told(tmp_path: Path) -> None:
    """Some builds of the runtime report to their maker; ours is told not to before it is loaded."""
    code = "import anaphora, time; m = anaphora.open(':memory:'); m.hear('hello'); m.hear('do it'); time.sleep(1)"
    home = tmp_path / "empty"
    home.mkdir()
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    subprocess.run([sys.executable, "-c", code], env=environment, cwd=home, check=True)
    assert list(home.rglob("*")) == []


# --- the embedder -------------------------------------------------------------------------------------------------


def test_texts_of_like_meaning_lie_close_together() -> None:
    texts = ["how do I reset my password?", "I forgot my login credentials", "the weather is nice today"]
    a, b, c = bundled_embedder().embed(texts)
    assert float(a @ b) > 0.4 > float(a @ c)
    assert np.allclose(np.linalg.norm([a, b, c], axis=1), 1, atol=1e-3)


def test_a_text_embeds_alike_alone_and_among_others() -> None:
    texts = [f"sentence {n} " + "and more words " * n for n in range(20)]
    together = bundled_embedder().embed(texts)
    alone = np.concatenate([bundled_embedder().embed([text]) for text in texts])
    assert together.shape == (20, bundled_embedder().width)
    assert np.array_equal(together, alone)  # what else is embedded changes nothing
    assert bundled_embedder().embed([]).shape == (0, bundled_embedder().width)


# --- learned weights ----------------------------------------------------------------------------------------------


def test_learned_weights_fit_the_evidence_they_weigh(clock: FrozenClock) -> None:
    assert set(BOUNDARY) == {"bias", *USUAL}
    assert all(abs(weight) < 50 for weights in (ABOUT, BOUNDARY, FILLING) for weight in weights.values())
    with anaphora.open(":memory:", clock=clock) as memory:
        memory.hear("write a function that adds two numbers")
        clock.advance(seconds=5)
        boundary = memory.hear("now subtract them").boundary
    assert {"gap", "reading"} <= {factor.name for factor in boundary.factors}
    assert boundary.decision == "same"
    assert boundary.reason.endswith(".")


def test_long_lines_fill_the_room_and_short_ones_that_are_far_back_are_not_looked_at() -> None:
    assert chosen_lines([90] * 8) == 3
    assert chosen_lines([56] * 8) == 5
    assert chosen_lines([40] * 8) == 5
    assert chosen_lines([20] * 30) == 11
    assert chosen_lines([300, 3]) == 1
    assert chosen_lines([3, 300]) == 0
    assert chosen_lines([]) == 0
