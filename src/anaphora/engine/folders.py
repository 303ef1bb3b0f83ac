"""The folder layout `.quaid/context/`, in and out: its sessions with their state, last messages and summaries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from anaphora.engine import conversations, summarising
from anaphora.engine.files import write_private
from anaphora.engine.place import Place
from anaphora.engine.sessions import read_session
from anaphora.engine.states import change_state, read_state
from anaphora.engine.transfer import secrets_in, take_conversations
from anaphora.errors import FormatError, InputError, StoreUnwritable
from anaphora.formats import quaid
from anaphora.memory.digest import Digest
from anaphora.memory.items import merged
from anaphora.memory.structured import read_summary
from anaphora.ports import Transaction, View
from anaphora.types import Conversation, Ingested, State
from anaphora.understanding.redaction import redact_all

__all__ = ["export_folder", "import_folder", "is_folder"]

_LISTS = ("goals", "actions", "decisions", "constraints", "notes")
_LARGEST = 64 * 2**20  # bytes of one file


def export_folder(place: Place, path: Path) -> int:
    """Write every session into the folder; how many messages it holds. Sessions that are there and not here stay."""
    folder = _context(path)
    saved, active = place.change(lambda tx: _saved(tx, place))
    kept = _text(folder / quaid.INDEX).splitlines()
    for name, lines in quaid.write(saved, active, user=place.scope.user, kept=kept):
        target = folder / name
        try:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnwritable(
                f"{target.parent} cannot be made: {error.strerror or error}.", remedy="Name a folder that is yours."
            ) from error
        write_private(target, lines)
    return sum(len(one.conversation.messages) for one in saved)


def is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError as error:  # a name that is too long, or a folder that may not be looked into
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from error


def import_folder(place: Place, path: Path, now: datetime) -> Ingested:
    """Take in the sessions of such a folder, all or, if one is damaged, none; the active one is gone on with."""
    try:
        active, found = _read(place, path)
    except OSError as error:
        raise InputError(f"{error.filename or path} cannot be read: {error.strerror or error}.") from error
    ids = [one.conversation.id for one in found]
    if len(set(ids)) < len(ids):
        raise FormatError(f"{path} has two folders of the same session.")
    found.sort(key=lambda s: (s.conversation.id == active, s.conversation.started, s.conversation.id))
    return place.change(lambda tx: _take(tx, place, found, now))


def _read(place: Place, path: Path) -> tuple[str, list[quaid.Saved]]:
    """The id of the active session, and all of them."""
    folder = _context(path)
    if not (folder / quaid.SESSIONS).is_dir():
        raise InputError(
            f"{path} is a folder without sessions.", remedy="Name the folder .quaid/context or its parent."
        )
    found = []
    for one in sorted(p for p in (folder / quaid.SESSIONS).iterdir() if p.is_dir()):
        texts = {file.name: _text(file) for file in sorted(one.iterdir()) if file.is_file()}
        where = f"{quaid.SESSIONS}/{one.name}"
        found.append(quaid.read_session(texts, where=where, session=place.session, user=place.scope.user))
    return _text(folder / quaid.ACTIVE).strip(), found


def _context(path: Path) -> Path:
    """The folder itself, or the one inside of what was named."""
    if path.name == "context" or (path / quaid.SESSIONS).is_dir() or (path / quaid.INDEX).is_file():
        return path
    return path / "context" if path.name == ".quaid" else path / ".quaid" / "context"


def _text(path: Path) -> str:
    try:
        if not path.is_file():
            return ""
        if path.stat().st_size > _LARGEST:
            raise FormatError(f"{path} is too large for a file of this format.")
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not UTF-8 text.") from error


# --- out ----------------------------------------------------------------------------------------------------------


def _saved(tx: Transaction, place: Place) -> tuple[list[quaid.Saved], str | None]:
    everything = [*conversations.past_of(tx), *conversations.queue_of(tx)]
    open_id = read_session(tx, place.session).conversation_id
    active = next((c.id for c in everything if c.id == open_id), None)
    newest = active or (everything[-1].id if everything else "")
    parts = _divided(tx, read_state(tx), newest)
    last = place.settings.conversation_history_limit or 1
    saved = []
    for found in everything:
        state = parts.get(found.id, State())
        messages = tuple(tx.messages(conversation=found.id, last=last))
        digest = summarising.digest_in(tx, found.id, place.settings)
        text = summarising.told(place, digest, state, found)
        saved.append(quaid.Saved(replace(found, messages=messages), state, text, found.message_count))
    return saved, active


def _divided(view: View, state: State, newest: str) -> dict[str, State]:
    """What each conversation has of the state: what was said in it; the newest has what belongs to none."""
    homes: dict[str | None, str] = {}

    def home(message_id: str | None) -> str:
        if message_id not in homes:
            message = None if message_id is None else view.message(message_id)
            homes[message_id] = (message.conversation_id if message else None) or newest
        return homes[message_id]

    parts: dict[str, State] = {newest: State(files=state.files, entities=state.entities)}
    for name in _LISTS:
        for item in getattr(state, name):
            id = home(item.message_id)
            part = parts.setdefault(id, State())
            parts[id] = replace(part, **{name: (*getattr(part, name), item)})  # type: ignore[arg-type]
    return parts


# --- in -----------------------------------------------------------------------------------------------------------


def _take(tx: Transaction, place: Place, found: Iterable[quaid.Saved], now: datetime) -> Ingested:
    found = list(found)
    here = {one.conversation.id for one in found if conversations.read_conversation(tx, one.conversation.id)}
    done = take_conversations(tx, place, [one.conversation for one in found], now)
    for one in found:
        secrets = secrets_in(one.conversation.messages)
        state = redact_all(one.state, secrets)
        change_state(tx, place, [lambda known, new=state: merged(known, new)], now, place.author)  # type: ignore[misc]
        if one.conversation.id not in here and one.summary.strip():
            digest = read_summary(redact_all(one.summary, secrets), one.conversation.id)
            summarising.write_digest(tx, _gone_on_with(tx, digest, one.conversation, one.count))
    return done


def _gone_on_with(view: View, digest: Digest, conversation: Conversation, count: int) -> Digest:
    """The summary tells of the messages that are here, and of older ones that are not."""
    messages = view.messages(conversation=conversation.id)
    last = messages[-1] if messages else None
    replies = sum(m.role == "assistant" for m in messages)
    return replace(
        digest,
        upto=last.seq if last else 0,
        at=last.at if last else None,
        messages=max(1, count),
        replies=replies,
        told=True,
    )
