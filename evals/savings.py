"""`python -m evals.savings`: the same answers from a context as from a Markdown file kept by hand, in how many tokens?

The file is the one that people keep for an assistant: every goal, decision, constraint, file and next step under its
heading, and one line of at most 200 characters a message; it is sent whole with each question. The context is what
`memory.context(question)` gives. An answer is there where each message that holds it is: by at least half of its
content words, in one line. The stricter count, by the words of the answer itself, stands beside it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from anaphora import Memory, State
from anaphora.errors import FormatError
from anaphora.models.tokens import token_counter
from evals import data, metrics
from evals.__main__ import BAD_USE, DATA, fresh_memory
from evals.tasks import Replay, ingest

__all__ = ["FIGURES", "Saving", "compare", "main", "markdown_file", "measure"]

FIGURES = Path(__file__).with_name("savings.json")
FILE = "recall/beam_100K.jsonl"
LINE = 200  # characters of a message in the file
BUDGET = 7000
SESSIONS, LEAST_MESSAGES, QUESTIONS = 10, 60, 10
OPEN_ENDED = frozenset(  # no message holds the answer, or nothing says when it is complete
    ["abstention", "event_ordering", "summarization", "instruction_following", "preference_following"]
)
ANSWERED = 0.8  # of the answer's own words, those of the question aside


@dataclass(frozen=True, slots=True)
class Saving:
    """One session: tokens a question, and how many answers were there, by the file and by our contexts."""

    session: str
    messages: int
    questions: int
    file_tokens: int
    context_tokens: float
    in_file: int
    in_context: int
    words_in_file: int
    words_in_context: int

    @property
    def saved(self) -> float:
        return 1 - self.context_tokens / self.file_tokens


def measure(chat: data.Chat, budget: int) -> Saving:
    """Hear the whole session, then ask."""
    with Replay(fresh_memory, chat.id) as replay:
        ingest(chat, replay)
        replay.now += timedelta(days=1)
        assert isinstance(replay.memory, Memory)
        return compare(chat, replay.memory, budget)


def compare(chat: data.Chat, memory: Memory, budget: int) -> Saving:
    """The file and the contexts of a memory that has heard the session."""
    queries = [q for q in chat.queries if q.gold and q.category not in OPEN_ENDED][:QUESTIONS]
    said = {message.id: message.text for message in chat.messages}
    count = token_counter("o200k").count
    lines = {message.id: _line(message) for message in chat.messages}
    file = markdown_file(memory.state, list(lines.values()))
    contexts = [memory.context(query.text, budget) for query in queries]
    shown = [[part.text for part in context.parts if part.tier != "query"] for context in contexts]
    return Saving(
        session=chat.id,
        messages=len(chat.messages),
        questions=len(queries),
        file_tokens=count(file),
        context_tokens=round(sum(context.tokens for context in contexts) / len(queries), 1),
        in_file=sum(all(metrics.holds(lines[id], said[id]) for id in query.gold) for query in queries),
        in_context=sum(
            all(any(metrics.holds(text, said[id]) for text in texts) for id in query.gold)
            for query, texts in zip(queries, shown, strict=True)
        ),
        words_in_file=sum(_says(file, query) for query in queries),
        words_in_context=sum(_says("\n".join(texts), query) for query, texts in zip(queries, shown, strict=True)),
    )


def markdown_file(state: State, lines: Sequence[str]) -> str:
    """The file as its keeper would have written it by now."""
    sections: Mapping[str, Sequence[str]] = {
        "Active Goals": [goal.text for goal in state.goals],
        "Key Decisions Made": [d.text + (f" ({d.because})" if d.because else "") for d in state.decisions],
        "Constraints": [note.text for note in state.constraints],
        "Current Focus": state.files.files,
        "Next Steps": [action.text for action in state.actions],
        "Conversation": lines,
    }
    parts = [f"## {title}\n" + "\n".join(f"- {line}" for line in items) for title, items in sections.items() if items]
    return "\n\n".join(["# Current Conversation Context", *parts])


def _line(message: data.ChatMessage) -> str:
    return f"{message.role}: {' '.join(message.text.split())[:LINE]}"


def _says(text: str, query: data.Query) -> bool:
    words = metrics.added_words(query.text, query.answer)
    return len(words & metrics.content_words(text)) >= ANSWERED * len(words)


def main(argv: Sequence[str] | None = None, *, figures: Path = FIGURES) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.savings", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR", help="the data folder")
    parser.add_argument("--budget", type=int, default=BUDGET, metavar="N", help=f"of a context ({BUDGET:,})")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--write", action="store_true", help="make these the committed figures (evals/savings.json)")
    options = parser.parse_args(argv)
    try:
        chats = [c for c in data.read_chats(options.data / FILE) if len(c.messages) >= LEAST_MESSAGES][:SESSIONS]
    except FileNotFoundError as error:
        print(f"There is no {error.filename}. {data.WHERE}", file=sys.stderr)
        return BAD_USE
    except (FormatError, OSError) as error:
        print(error, file=sys.stderr)
        return BAD_USE
    console = Console(stderr=True)
    rows = [measure(chat, options.budget) for chat in track(chats, console=console, transient=True)]
    report = _report(rows, options.budget)
    if options.json:
        print(json.dumps(report, indent=2))
    else:
        Console().print(_table(rows, report))
    if options.write:
        figures.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0


def _report(rows: Sequence[Saving], budget: int) -> dict[str, object]:
    file = sum(row.file_tokens * row.questions for row in rows)
    ours = sum(row.context_tokens * row.questions for row in rows)
    names = ("questions", "in_file", "in_context", "words_in_file", "words_in_context")
    return {
        "budget": budget,
        "saved": round(1 - ours / file, 4),
        **{name: sum(getattr(row, name) for row in rows) for name in names},
        "sessions": [asdict(row) for row in rows],
    }


def _table(rows: Sequence[Saving], report: Mapping[str, object]) -> Table:
    table = Table("session", "messages", "file", "context", "saved", "answers", "by their words")
    for row in rows:
        table.add_row(
            row.session,
            str(row.messages),
            f"{row.file_tokens:,}",
            f"{row.context_tokens:,.0f}",
            f"{row.saved:.0%}",
            f"{row.in_file} → {row.in_context} of {row.questions}",
            f"{row.words_in_file} → {row.words_in_context}",
        )
    table.add_section()
    answers = f"{report['in_file']} → {report['in_context']} of {report['questions']}"
    words = f"{report['words_in_file']} → {report['words_in_context']}"
    table.add_row("all", "", "", "", f"{report['saved']:.0%}", answers, words)
    return table


if __name__ == "__main__":
    sys.exit(main())
