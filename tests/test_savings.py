"""What a context saves against the Markdown file that people keep by hand: the same answers in fewer tokens."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from anaphora import State
from benchmarks.store import sentence
from evals import savings

ROOMS = ("gateway", "warehouse", "printer", "archive", "billing", "search", "mail", "backup", "login", "staging")


def session(number: int) -> dict[str, object]:
    """Sixty-four messages of small talk about work; ten of them say something that is asked for later, five of these
    far behind what a line of the file holds."""
    chance = random.Random(number)
    texts = [sentence(chance) for _ in range(64)]
    questions = []
    for n, room in enumerate(ROOMS):
        port = 1000 + 100 * number + n
        fact = f"The {room} server listens on port {port}, and its certificate was renewed by Cem."
        at = 6 * n + 2
        texts[at] = f"{sentence(chance)} {sentence(chance)} {fact}" if n % 2 else fact
        question = f"Which port does the {room} server listen on?"
        questions.append(
            {"id": str(n), "category": "fact", "question": question, "answer": str(port), "gold": [str(at)]}
        )
    messages = [
        {"id": str(n), "role": ("user", "assistant")[n % 2], "text": text, "time": "March-15-2024"}
        for n, text in enumerate(texts)
    ]
    return {"id": f"s{number}", "messages": messages, "questions": questions}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "data" / savings.FILE
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(session(n)) + "\n" for n in range(10)), encoding="utf-8")
    return tmp_path / "data"


@pytest.mark.requirement("Q15")
def test_the_same_answers_take_at_least_two_fifths_fewer_tokens_than_from_the_file(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = tmp_path / "savings.json"
    assert savings.main(["--data", str(folder), "--budget", "1800", "--json", "--write"], figures=written) == 0
    report = json.loads(capsys.readouterr().out)
    assert json.loads(written.read_text(encoding="utf-8")) == report
    assert (len(report["sessions"]), report["questions"]) == (10, 100)
    assert report["saved"] >= 0.4
    assert report["in_context"] >= report["in_file"] > 40
    assert report["words_in_context"] >= report["words_in_file"] > 40


@pytest.mark.requirement("Q15")
def test_the_committed_figures_on_real_sessions_keep_to_the_bar() -> None:
    report = json.loads(savings.FIGURES.read_text(encoding="utf-8"))
    assert report["saved"] >= 0.4
    assert report["in_context"] >= report["in_file"]
    assert report["words_in_context"] >= report["words_in_file"]
    assert all(row["messages"] >= 60 and row["questions"] == 10 for row in report["sessions"])
    assert len(report["sessions"]) == 10


def test_the_file_has_a_heading_for_each_kind_and_a_line_for_each_message() -> None:
    assert savings.markdown_file(State(), ["user: hello", "assistant: hi"]) == (
        "# Current Conversation Context\n\n## Conversation\n- user: hello\n- assistant: hi"
    )


def test_a_missing_data_folder_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert savings.main(["--data", str(tmp_path / "nowhere")]) == 2
    told = capsys.readouterr().err
    assert "nowhere" in told
    assert "--data DIR" in told
