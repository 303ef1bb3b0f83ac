"""Memories beside each other: the same messages, the same questions, the same MiniLM vectors, one machine, one run.

Each peer lives in a virtual environment of its own, made once in the system's folder for temporary files, and is used
as its documentation says, with telemetry off. Vectors are made once and looked up by all; Anaphora also embeds pieces
of long messages and what a question is about, which its times hold. Each searches as it comes: by vectors alone, txtai
and Anaphora by words too. mem0 adds with infer=False, since with inference it needs a language model. LlamaIndex and
txtai write to disk only when told to, and whole: they are told after each message where processes and kills are looked
at, and not where times are taken. Each chat of BEAM is one user. Quality is the share of the gold messages among the
first ten, mean over questions.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.peers import NotInstalled
from benchmarks.rival_scripts import DRIVER, RIVALS, Rival

__all__ = ["run"]

_CHATS = 6
_KILLS = 5


@dataclass
class Figures:
    size: float
    import_ms: float
    add_ms: list[float]
    search_ms: list[float]
    quality: list[float] = field(default_factory=list)
    together: str = ""
    killed: str = ""


def run() -> list[tuple[str, str, str]]:
    data = Path("../shared/data/recall/beam_100K.jsonl")
    if not data.is_file():
        raise NotInstalled(f"There is no {data}: these benchmarks need the evaluation data.")
    with tempfile.TemporaryDirectory(prefix="anaphora-rivals-") as name:
        folder = Path(name)
        chats = [json.loads(line) for line in data.read_text("utf-8").splitlines()[:_CHATS]]
        _write_vectors(folder, chats)
        rows: list[tuple[str, str, str]] = []
        ours: Figures | None = None
        for rival in RIVALS:
            found = _measured(rival, folder)
            ours = ours or found
            rows += _rows(rival, found, ours)
        return rows


def _write_vectors(folder: Path, chats: list[dict[str, Any]]) -> None:
    from anaphora.models.embedder import bundled_embedder

    said = {message["text"] for chat in chats for message in chat["messages"]}
    texts = sorted(said | {question["question"] for chat in chats for question in chat["questions"]})
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    with (folder / "vectors.f32").open("wb") as file:
        for at in range(0, len(order), 32):
            file.write(bundled_embedder().embed([texts[i] for i in order[at : at + 32]]).astype("<f4").tobytes())
    (folder / "texts.json").write_text(json.dumps([texts[i] for i in order]), "utf-8")
    asked = [
        {
            "user": chat["id"],
            "messages": [{"id": str(m["id"]), "role": m["role"], "text": m["text"]} for m in chat["messages"]],
            "questions": [q["question"] for q in chat["questions"] if q["gold"]],
            "gold": [[str(g) for g in q["gold"]] for q in chat["questions"] if q["gold"]],
        }
        for chat in chats
    ]
    (folder / "chats.json").write_text(json.dumps(asked), "utf-8")


def _measured(rival: Rival, folder: Path) -> Figures:
    python, size = _environment(rival)
    place = folder / rival.name
    place.mkdir()
    told = _told(python, rival, folder, place, "search")
    asked = json.loads((folder / "chats.json").read_text("utf-8"))
    quality = [
        len(set(gold) & set(hits[:10])) / len(gold)
        for chat, found in zip(asked, told["hits"], strict=True)
        for gold, hits in zip(chat["gold"], found, strict=True)
    ]
    figures = Figures(size, told["import_ms"], told["add_ms"], told["search_ms"], quality)
    figures.together = _together(python, rival, folder)
    figures.killed = _killed(python, rival, folder)
    return figures


def _environment(rival: Rival) -> tuple[Path, float]:
    """The Python of a peer, and how many MB its environment takes beyond an empty one."""
    if not rival.packages:
        import anaphora

        packages = Path(sys.prefix) / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
        own = [Path(anaphora.__file__).parent, *(packages / name for name in rival.own)]
        return Path(sys.executable), sum(_size(path) for path in own) / 1e6
    home = Path(tempfile.gettempdir()) / f"anaphora-rival-{rival.name}"
    python, ready = home / "bin" / "python", home / "ready"
    if not ready.exists():
        shutil.rmtree(home, ignore_errors=True)
        made = subprocess.run([sys.executable, "-m", "venv", str(home)], capture_output=True, text=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *rival.packages]
        ran = made if made.returncode else subprocess.run(install, capture_output=True, text=True)
        if ran.returncode:
            raise NotInstalled(f"{' and '.join(rival.packages)} could not be installed: {ran.stderr.strip()[-400:]}")
        ready.touch()
    packages = home / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
    return python, (_size(packages) - _size(packages / "pip") - _size(packages / "setuptools")) / 1e6


def _size(path: Path) -> int:
    if path.is_file():
        return path.stat().st_size
    return sum(one.stat().st_size for one in path.rglob("*") if one.is_file() and "__pycache__" not in one.parts)


def _command(python: Path, rival: Rival, folder: Path, place: Path, *mode: str) -> list[str]:
    return [str(python), "-c", rival.code + DRIVER, str(folder), str(place), *mode]


def _told(python: Path, rival: Rival, folder: Path, place: Path, *mode: str) -> dict[str, Any]:
    ran = subprocess.run(_command(python, rival, folder, place, *mode), capture_output=True, text=True)
    if ran.returncode:
        raise NotInstalled(f"{rival.name} did not run: {ran.stderr.strip()[-600:]}")
    told: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return told


def _together(python: Path, rival: Rival, folder: Path) -> str:
    """Four processes add to one store: what was acknowledged, refused, and is there afterwards."""
    place = folder / f"{rival.name}-together"
    place.mkdir()
    _told(python, rival, folder, place, "write", "x", "1")  # the store is there before they come
    writers = [
        subprocess.Popen(
            _command(python, rival, folder, place, "write", f"p{n}", "50"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for n in range(4)
    ]
    said = [writer.communicate()[0].splitlines() for writer in writers]
    acknowledged = [line.split()[1] for lines in said for line in lines if line.startswith("added")]
    refused = sum(line.startswith("refused") for lines in said for line in lines)
    dead = sum(writer.returncode != 0 for writer in writers)
    there = set(_told(python, rival, folder, place, "list", *(f"p{n}" for n in range(4)))["ids"])
    lost = len(set(acknowledged) - there)
    return f"{len(acknowledged)} of 200 added, {refused} refused, {dead} processes failed, {lost} lost"


def _killed(python: Path, rival: Rival, folder: Path) -> str:
    """A process is killed while it adds: what it had acknowledged must be there."""
    place = folder / f"{rival.name}-killed"
    place.mkdir()
    acknowledged: set[str] = set()
    for number in range(_KILLS):
        with subprocess.Popen(
            _command(python, rival, folder, place, "write", f"k{number}", "2000"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as writer:
            assert writer.stdout is not None
            for _, line in zip(range(20 + 7 * number), writer.stdout, strict=False):
                acknowledged |= {line.split()[1]} if line.startswith("added") else set()
            writer.kill()
    try:
        there = set(_told(python, rival, folder, place, "list", *(f"k{n}" for n in range(_KILLS)))["ids"])
    except NotInstalled:
        return f"{len(acknowledged)} acknowledged, the store cannot be opened any more"
    return f"{len(acknowledged)} acknowledged, {len(acknowledged - there)} lost"


def _rows(rival: Rival, found: Figures, ours: Figures) -> list[tuple[str, str, str]]:
    add, search = statistics.median(found.add_ms), statistics.median(found.search_ms)

    def beside(value: float, own: float) -> str:
        return f" ({value / own:.1f}× ours)" if rival.packages else ""

    return [
        (f"{rival.name}: installed", f"{found.size:,.0f} MB{beside(found.size, ours.size)}", ""),
        (f"{rival.name}: import", f"{found.import_ms:,.0f} ms{beside(found.import_ms, ours.import_ms)}", ""),
        (f"{rival.name}: add, p50", f"{add:.2f} ms{beside(add, statistics.median(ours.add_ms))}", ""),
        (f"{rival.name}: search, p50", f"{search:.2f} ms{beside(search, statistics.median(ours.search_ms))}", ""),
        (f"{rival.name}: recall@10, {len(found.quality)} questions", f"{statistics.mean(found.quality):.3f}", ""),
        (f"{rival.name}: four processes at once", found.together, ""),
        (f"{rival.name}: killed {_KILLS} times", found.killed, ""),
    ]
