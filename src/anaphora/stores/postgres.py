"""The store for many machines: PostgreSQL with pgvector, one writer a scope, other scopes side by side."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import lru_cache
from typing import Any, TypeVar

import psycopg
from psycopg import errors as pg

from anaphora.errors import StoreError, StoreInterrupted
from anaphora.ports import Near, TermsOf
from anaphora.stores.erasing import Erasures
from anaphora.stores.forks import watch_forks
from anaphora.stores.lately import ReadMessages
from anaphora.stores.postgres_commits import Block, came_through, mark_and_commit
from anaphora.stores.postgres_server import Address, Connection, is_lost, named
from anaphora.stores.records import Row, forget_read
from anaphora.stores.rows import Rows
from anaphora.stores.vectors import best_pieces, packed, unpacked
from anaphora.stores.verification import problems_of
from anaphora.types import Message, Scope

__all__ = ["PostgresStore"]

T = TypeVar("T")

_RETRY_SECONDS = 0.05
_WITH_TEXT = "messages, documents, events, terms, vectors, vector_changes"
_SCOPE = "owner = ? AND agent = ? AND project = ?"
_FIND_SCOPE = f"SELECT id FROM scopes WHERE {_SCOPE}"
_LOCK_SCOPE = (
    "SELECT id, pg_current_xact_id()::text, commits[1], (SELECT version FROM anaphora_meta) "
    f"FROM scopes WHERE {_SCOPE} FOR UPDATE"
)
_MAKE_SCOPE = "INSERT INTO scopes (owner, agent, project) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_NEAREST = """
SELECT seq, piece, vector <#> ?::halfvec AS distance FROM vectors
WHERE scope = ? AND model = ? AND vector_dims(vector) = ? AND (?::bigint[] IS NULL OR seq = ANY(?))
ORDER BY distance, seq DESC, piece LIMIT ?
"""
_SPARE = 32  # vectors looked at beyond those asked for, since several may be of one message


class PostgresStore:
    """One connection, one lock: a thread waits for the other; a process waits for the writer of the same scope."""

    by_conversation = by_session = ""  # it knows how much there is of what, and chooses well by itself

    def __init__(self, url: str, terms_of: TermsOf, *, busy_timeout: timedelta) -> None:
        self._address = Address.of(url)
        self._terms_of = terms_of
        self._busy_seconds = busy_timeout.total_seconds()
        self._lock = threading.RLock()
        self._connection: Connection | None = None
        self._block: Block | None = None
        self._closed = False
        self._erasures = Erasures(self)
        with self._lock, self._named_errors():
            self._db()
        watch_forks(self)

    def view(self, scope: Scope) -> Rows:
        return Rows(self, scope, self._terms_of)

    @contextmanager
    def transaction(self, scope: Scope) -> Iterator[Rows]:
        with self._lock:
            if self._block is not None:
                raise StoreError("A transaction is open already.", remedy="Do both in the one that is.")
            block = self._again(lambda: self._begin(scope))
            rows = Rows(self, scope, self._terms_of, alone=True)
            try:
                yield rows  # what the caller raises in here stays the caller's
                self._commit(block)
            finally:
                rows.let_go()
                self._end(block)

    def scopes(self) -> list[Scope]:
        return [Scope(*row) for row in self.select("SELECT owner, agent, project FROM scopes ORDER BY id", ())]

    def verify(self, scope: Scope | None = None) -> list[str]:
        with self.snapshot():
            wanted = self.scopes() if scope is None else [scope]
            return [problem for one in wanted for problem in problems_of(self, one, self._terms_of)]

    def erased_elsewhere(self, scope: Scope) -> bool:
        with self._lock:
            return self._erasures.elsewhere(scope)

    def scrub(self) -> list[str]:
        """The tables are written anew without what was deleted; what the server keeps beside them is named."""
        with self._lock:
            if self._block is not None:
                raise StoreError("A transaction is open.", remedy="Scrub when it is over.")
            forget_read()
            return self._again(self._scrub)

    def close(self) -> None:
        with self._lock:
            self._let_go()
            self._closed = True

    # around a fork

    def pause(self) -> None:
        self._lock.acquire()

    def resume(self) -> None:
        self._lock.release()

    def leave_to_parent(self) -> None:
        """In a forked child: the connection and the lock are the parent's; the next use opens another."""
        self._lock = threading.RLock()
        self._block = None
        if self._connection is not None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            os.dup2(nowhere, self._connection.fileno())  # the farewell would end the parent's session
            os.close(nowhere)
            self._let_go()

    # for Rows

    def select(self, sql: str, values: Sequence[Any]) -> list[Row]:
        with self._lock:
            if self._block is not None:
                return self._execute(sql, values)
            return self._again(lambda: self._execute(sql, values))

    def write(self, sql: str, values: Sequence[Any]) -> list[Row]:
        with self._lock:
            if self._block is None or self._block.scope is None:
                raise StoreError("Writing needs a transaction.")
            self._block.wrote = True
            rows = self._execute(sql, values)
            if sql.startswith("DELETE FROM scopes"):
                self._block.erased = values[0] == self._block.home
                self._block.scopes.clear()  # what is written from here on begins the scope anew
            return rows

    def write_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        with self._lock, self._named_errors():
            if self._block is None or self._block.scope is None:
                raise StoreError("Writing needs a transaction.")
            self._block.wrote = True
            with self._db().cursor() as cursor:
                cursor.executemany(_translated(sql), rows)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        with self._lock:
            if self._block is not None:  # it sees one moment already, or no other writer can be in its scope
                yield
                return
            block = self._again(self._begin_snapshot)
            try:
                yield
            finally:
                self._end(block)

    def scope_number(self, scope: Scope, *, make: bool) -> int | None:
        """Never remembered for longer than a block: another process may erase a scope and begin it anew."""
        with self._lock:
            block, key = self._block, (scope.user, scope.agent, scope.project)
            if block is None:
                found = self.select(_FIND_SCOPE, key)
                return found[0][0] if found else None
            if scope not in block.scopes and make and block.scope is not None:
                self._hold(block, scope)
            elif scope not in block.scopes:
                block.scopes.update((scope, row[0]) for row in self.select(_FIND_SCOPE, key))
            return block.scopes.get(scope)

    def among(self, column: str, values: Iterable[Any]) -> tuple[str, Any]:
        return f"{column} = ANY(?)", list(values)

    def vector(self, values: Sequence[float]) -> str:
        """Rounded to half precision here, as every store rounds."""
        return f"[{','.join(map(repr, unpacked(packed(values))))}]"

    def lately(self, scope: int, seqs: Iterable[int], read: ReadMessages) -> Sequence[Message]:  # noqa: ARG002
        """All of them are read: what others write meanwhile cannot be told without asking the server."""
        return read(list(seqs))

    def changed(self, erased: Scope | None) -> None:
        if erased is not None:
            self._erasures.here(erased)

    def nearest(
        self, scope: int, model: str, vector: Sequence[float], k: int, among: Iterable[int] | None
    ) -> list[Near]:
        seqs, limit = None if among is None else list(among), 2 * k + _SPARE
        while k > 0 and len(vector):
            rows = self.select(_NEAREST, (self.vector(vector), scope, model, len(vector), seqs, seqs, limit))
            best = best_pieces(Near(seq, piece, -distance) for seq, piece, distance in rows)
            if len(best) >= k or len(rows) < limit:
                return best[:k]
            limit *= 4
        return []

    # a block

    def _begin(self, scope: Scope) -> Block:
        """Begun by taking the scope's row, so that no other writer is in the scope until the end."""
        self._execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", ())
        self._block = block = Block(scope)
        try:
            self._hold(block, scope)
        except BaseException:
            self._end(block)
            raise
        return block

    def _begin_snapshot(self) -> Block:
        self._execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", ())
        self._block = Block(None)
        return self._block

    def _hold(self, block: Block, scope: Scope) -> None:
        key = (scope.user, scope.agent, scope.project)
        while not (found := self._execute(_LOCK_SCOPE, key)):
            self._execute(_MAKE_SCOPE, key)
        [(id, number, mark_before, version)] = found
        self._address.check_version(version)  # a newer Anaphora may have come by since this one connected
        block.scopes[scope] = id
        if scope == block.scope:
            block.home, block.number, block.mark_before, block.erased = id, number, mark_before, False

    def _commit(self, block: Block) -> None:
        if self._block is not block:
            raise StoreInterrupted("The process was forked within a transaction, which is its parent's.")
        if not block.wrote:
            return
        db = self._db()
        try:
            with self._named_errors():
                db.execute(mark_and_commit(block))
        except StoreInterrupted:
            if self._connection is not None:
                raise  # the server itself took it back
            self._block = None
            self._learn_outcome(block)
        self._block = None

    def _learn_outcome(self, block: Block) -> None:
        """The connection broke within the commit. The server knows whether it came through."""
        deadline = time.monotonic() + self._busy_seconds
        while True:
            try:
                with self._named_errors():
                    through = came_through(self._db(), block)
            except StoreError:
                through = None  # the server is not there yet, or not at all
            if through:
                return
            if through is False:
                raise self._interrupted()
            if time.monotonic() >= deadline:
                raise StoreError(
                    f"The connection to {self._address.name} broke while a transaction was being committed; whether "
                    "it was written is not known.",
                    remedy="Once the server is back, look, or send it again with the same id: no id is stored twice.",
                )
            time.sleep(_RETRY_SECONDS)

    def _end(self, block: Block) -> None:
        """Takes back what is open still; a connection that cannot do so is let go, which does it too.

        A snapshot has nothing to take back; psycopg would forget its prepared statements with a ROLLBACK."""
        if self._block is not block:
            return
        self._block = None
        if self._connection is not None:
            try:
                self._connection.execute("COMMIT" if block.scope is None else "ROLLBACK")
            except psycopg.Error:
                self._let_go()

    # statements

    def _execute(self, sql: str, values: Sequence[Any]) -> list[Row]:
        with self._named_errors():
            cursor = self._db().execute(_translated(sql), values)
            return cursor.fetchall() if cursor.description else []

    def _again(self, step: Callable[[], T]) -> T:
        """A connection that broke while nothing was at stake is made anew, once."""
        try:
            return step()
        except StoreInterrupted:
            return step()

    def _scrub(self) -> list[str]:
        left: list[str] = []

        def note(said: psycopg.errors.Diagnostic) -> None:
            if said.severity_nonlocalized == "WARNING":  # a table that this user may not write anew is passed over
                left.append(f"the tables: {said.message_primary}")

        with self._named_errors():
            db = self._db()
            db.add_notice_handler(note)
            try:
                db.execute(f"VACUUM (FULL, ANALYZE) {_WITH_TEXT}".encode())
                db.execute("CHECKPOINT")
            except pg.InsufficientPrivilege:
                left.append("the files of the tables, until the server's next checkpoint")
            finally:
                db.remove_notice_handler(note)
        return [*left, "the server's write-ahead log until its files are used again, its archives, replicas, backups"]

    # the connection

    def _db(self) -> Connection:
        if self._closed:
            raise StoreError(f"The store {self._address.name} is closed.", remedy="Open it again.")
        if self._connection is None:
            if self._block is not None:
                raise self._interrupted()
            self._connection = self._address.connect(max(1, round(self._busy_seconds * 1000)))
        return self._connection

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _interrupted(self) -> StoreInterrupted:
        return StoreInterrupted(
            f"The connection to {self._address.name} broke; nothing was written.",
            remedy="Try again.",
        )

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        """PostgreSQL's errors as ours, each with what to do."""
        try:
            yield
        except psycopg.Error as error:
            if is_lost(error):
                self._let_go()
                raise self._interrupted() from error
            raise named(error, self._address.name, self._busy_seconds) from error


@lru_cache(512)
def _translated(sql: str) -> bytes:
    return sql.replace("%", "%%").replace("?", "%s").encode()
