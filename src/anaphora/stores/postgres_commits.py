"""What became of a commit whose answer was lost: asked of the server by the transaction's number, and by its mark.

The number alone will not do. A crash can take back a transaction together with the knowledge that its number was given
out, and the next one that commits gets the same number. So each commit leaves a mark of its own in its scope's row,
where the last few are kept: with the mark there, it came through; with the one before it there but not its own, it did
not.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from psycopg import errors as pg

from anaphora.stores.postgres_server import MARKS, Connection
from anaphora.types import Scope

__all__ = ["Block", "came_through", "mark_and_commit"]


@dataclass
class Block:
    """A transaction or a snapshot that is open: what it knows for as long as it lasts."""

    scope: Scope | None  # what it was begun for; a snapshot is for all
    scopes: dict[Scope, int] = field(default_factory=dict)  # the rows of those that it met
    wrote: bool = False
    erased: bool = False
    home: int = 0  # the row of its own scope
    number: str = ""  # the server's, for the transaction
    mark: int = field(default_factory=lambda: secrets.randbits(63))
    mark_before: int | None = None


def mark_and_commit(block: Block) -> bytes:
    """One trip to the server for both."""
    return (
        f"UPDATE scopes SET commits = (ARRAY[{block.mark}::bigint] || commits)[1:{MARKS}] WHERE id = {block.home}; "
        "COMMIT"
    ).encode()


def came_through(connection: Connection, block: Block) -> bool | None:
    """Whether the transaction was committed; None where that cannot be told, or not yet."""
    try:
        found = connection.execute("SELECT pg_xact_status(%s::xid8)", (block.number,)).fetchone()
    except pg.InvalidParameterValue:
        return False  # the number has not been given out: a crash took it back
    status = found and found[0]
    if status == "aborted":
        return False
    if status == "in progress":
        return None
    row = connection.execute("SELECT commits FROM scopes WHERE id = %s", (block.home,)).fetchone()
    if row is None:
        return True if block.erased else None
    marks: list[int] = row[0]
    if block.mark in marks:
        return True
    passed_over = block.mark_before in marks if block.mark_before is not None else len(marks) < MARKS
    return False if passed_over else None
