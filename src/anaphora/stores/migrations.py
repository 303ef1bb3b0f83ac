"""How a store of an older schema becomes one of the current: numbered steps, each done together with its record.

A step is never changed once it was released. `schema.create` makes the current schema at once; the tests hold it equal
to what the steps make of the first one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anaphora.errors import StoreUnreadable
from anaphora.stores.schema import Dialect

__all__ = ["MIGRATIONS", "Migration", "pending"]


@dataclass(frozen=True, slots=True)
class Migration:
    """The statements that lead to a version from the one before it, in the types of a store."""

    version: int
    statements: Callable[[Dialect], Sequence[str]]


def _second(d: Dialect) -> Sequence[str]:
    """What was understood as bytes; several vectors a message; changes of vectors counted."""
    scope = f"scope {d.integer} NOT NULL REFERENCES scopes (id) ON DELETE CASCADE"
    return [
        f"ALTER TABLE scopes ADD COLUMN last_vector {d.integer} NOT NULL DEFAULT 0",
        *(_altered() if d.alters else _made_anew(d, scope)),
        f"""CREATE TABLE vector_changes (
            {scope},
            model TEXT NOT NULL,
            block {d.integer} NOT NULL,
            change {d.integer} NOT NULL,
            PRIMARY KEY (scope, model, block)
        ){d.keyed}""",
        "INSERT INTO vector_changes SELECT DISTINCT scope, model, seq / 256, 1 FROM vectors",
        "UPDATE scopes SET last_vector = 1 WHERE id IN (SELECT scope FROM vectors)",
    ]


def _altered() -> list[str]:
    return [
        """ALTER TABLE messages ALTER found TYPE BYTEA USING CASE WHEN left(found, 1) IN ('1', '2')
            THEN convert_to(left(found, 1), 'UTF8') || decode(substr(found, 2), 'base64')
            ELSE convert_to(found, 'UTF8') END""",
        "ALTER TABLE vectors ADD COLUMN piece BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE vectors ALTER piece DROP DEFAULT",
        "ALTER TABLE vectors DROP CONSTRAINT vectors_pkey",
        "ALTER TABLE vectors ADD PRIMARY KEY (scope, model, seq, piece)",
    ]


def _made_anew(d: Dialect, scope: str) -> list[str]:
    """`found_as_bytes` is a function that the store lends to its steps."""
    return [
        "DROP INDEX messages_by_id",
        "DROP INDEX messages_by_conversation",
        "ALTER TABLE messages RENAME TO messages_1",
        f"""CREATE TABLE messages (
            {scope},
            seq {d.integer} NOT NULL,
            id TEXT NOT NULL,
            at {d.integer} NOT NULL,
            session TEXT NOT NULL,
            conversation TEXT,
            role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
            speaker TEXT NOT NULL,
            text TEXT NOT NULL,
            expanded TEXT,
            found {d.binary} NOT NULL,
            checksum {d.binary} NOT NULL,
            PRIMARY KEY (scope, seq)
        ){d.keyed}""",
        "INSERT INTO messages SELECT scope, seq, id, at, session, conversation, role, speaker, text, expanded, "
        "found_as_bytes(found), checksum FROM messages_1",
        "DROP TABLE messages_1",
        "CREATE UNIQUE INDEX messages_by_id ON messages (scope, id)",
        "CREATE INDEX messages_by_conversation ON messages (scope, conversation, seq)",
        "ALTER TABLE vectors RENAME TO vectors_1",
        f"""CREATE TABLE vectors (
            {scope},
            model TEXT NOT NULL,
            seq {d.integer} NOT NULL,
            piece {d.integer} NOT NULL,
            vector {d.vector} NOT NULL,
            PRIMARY KEY (scope, model, seq, piece)
        ){d.keyed}""",
        "INSERT INTO vectors SELECT scope, model, seq, 0, vector FROM vectors_1",
        "DROP TABLE vectors_1",
    ]


def _third(_: Dialect) -> Sequence[str]:
    """The last messages of a session without going through all that was said elsewhere since."""
    return ["CREATE INDEX messages_by_session ON messages (scope, session, seq)"]


MIGRATIONS: Sequence[Migration] = (Migration(2, _second), Migration(3, _third))


def pending(version: int, current: int) -> list[Migration]:
    """The steps from a version to the current one, in order."""
    steps = sorted((m for m in MIGRATIONS if version < m.version <= current), key=lambda m: m.version)
    if len(steps) != current - version:
        raise StoreUnreadable(
            f"There is no way from schema {version} to {current}.", remedy="Open it with an older Anaphora, and export."
        )
    return steps
