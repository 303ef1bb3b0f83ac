"""PostgreSQL going wrong: connections that break, servers that stop and crash, users that may not, text that stays."""

from __future__ import annotations

import select
import shutil
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from threading import Thread
from typing import Literal
from urllib.parse import urlencode
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from anaphora.errors import StoreError, StoreInterrupted, StoreUnwritable
from anaphora.stores.postgres import PostgresStore
from anaphora.stores.postgres_server import MARKS
from anaphora.stores.rows import BATCH
from anaphora.testing.conformance import terms_of
from anaphora.testing.postgres import PostgresServer
from anaphora.testing.samples import OTHER_SCOPES, SCOPE, Expect, add, contents, expect_index, said, write_everything


@pytest.fixture(scope="module")
def postgres(postgres: PostgresServer) -> Iterator[PostgresServer]:
    """One that may be stopped, whatever server the environment names."""
    if postgres.is_own:
        yield postgres
    else:
        with PostgresServer() as own:
            yield own


@contextmanager
def _opened(url: str, busy_timeout: float = 10) -> Iterator[PostgresStore]:
    store = PostgresStore(url, terms_of, busy_timeout=timedelta(seconds=busy_timeout))
    try:
        yield store
    finally:
        store.close()


def _execute(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as db:
        for statement in statements:
            db.execute(statement.encode())


def _ids(store: PostgresStore) -> list[str]:
    return [m.id for m in store.view(SCOPE).messages()]


def _name(url: str) -> str:
    return str(conninfo_to_dict(url)["dbname"])


# --- a connection that breaks -------------------------------------------------------------------------------------


def _terminate(url: str) -> None:
    """End every other session of the database, as an administrator does, and wait until they are gone."""
    with psycopg.connect(url, autocommit=True) as administrator:
        sql = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s AND pid <> %s"
        ended = administrator.execute(sql, (_name(url), administrator.info.backend_pid)).fetchall()
    assert ended == [(True,)]


def test_a_connection_that_broke_between_uses_is_made_anew(postgres_url: str) -> None:
    with _opened(postgres_url) as store:
        write_everything(store)
        before = contents(store.view(SCOPE))
        _terminate(postgres_url)
        assert store.view(SCOPE).messages() == before["messages"]
        _terminate(postgres_url)
        assert store.view(SCOPE).find(()).corpus == before["corpus"]
        _terminate(postgres_url)
        assert add(store, said("m3"))[0].seq == 3
        _terminate(postgres_url)
        assert store.verify() == []


@pytest.mark.parametrize("go_on", [True, False], ids=["with more to write", "with nothing more to write"])
def test_a_transaction_whose_connection_breaks_is_taken_back_and_may_be_run_again(
    go_on: bool, postgres_url: str
) -> None:
    with _opened(postgres_url) as store:
        add(store, said("m1"))
        with Expect(StoreInterrupted), store.transaction(SCOPE) as tx:
            tx.add(said("m2"))
            _terminate(postgres_url)
            if go_on:
                tx.add(said("m3"))
        assert _ids(store) == ["m1"]
        assert add(store, said("m2"))[0].seq == 2


def test_a_block_cannot_pass_over_a_broken_connection(postgres_url: str) -> None:
    with _opened(postgres_url) as store:
        with Expect(StoreInterrupted), store.transaction(SCOPE) as tx:
            tx.add(said("m1"))
            _terminate(postgres_url)
            for _ in range(2):
                with pytest.raises(StoreInterrupted):
                    tx.messages()
        assert _ids(store) == []


Break = Literal["before", "after", "for good"]


class _Wire:
    """Between a store and its server: passes all on, but breaks at the first COMMIT, before or after it got there."""

    def __init__(self, server: Path, breaks: Break, meanwhile: Callable[[], object]) -> None:
        self._server = str(server / ".s.PGSQL.5432")
        self._breaks = breaks
        self._meanwhile = meanwhile
        self._broken = False
        self.folder = Path(tempfile.mkdtemp(prefix="wire-"))  # the path of a socket must be short
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.folder / ".s.PGSQL.5432"))
        self._listener.listen()
        self._threads = [Thread(target=self._accept)]
        self._threads[0].start()

    def close(self) -> None:
        with suppress(OSError):  # it may be down already
            self._listener.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._listener.close()
        shutil.rmtree(self.folder)

    def _accept(self) -> None:
        with suppress(OSError):  # the listener is shut down in the end
            while True:
                client, _ = self._listener.accept()
                self._threads.append(Thread(target=self._pass_on, args=(client,)))
                self._threads[-1].start()

    def _pass_on(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(self._server)
            while True:
                for source in select.select([client, server], [], [])[0]:
                    data = source.recv(65536)
                    if not data or (source is client and self._breaks_at(data, server)):
                        return
                    (server if source is client else client).sendall(data)

    def _breaks_at(self, data: bytes, server: socket.socket) -> bool:
        if self._broken or b"COMMIT\0" not in data:
            return False
        self._broken = True
        if self._breaks == "after":
            server.sendall(data)
            assert b"COMMIT\0" in server.recv(65536)
        if self._breaks == "for good":
            self._listener.shutdown(socket.SHUT_RDWR)
        self._meanwhile()
        return True


@contextmanager
def _wired(
    server: PostgresServer,
    url: str,
    breaks: Break,
    *,
    busy_timeout: float = 10,
    meanwhile: Callable[[], object] = lambda: None,
) -> Iterator[PostgresStore]:
    with _opened(url) as store:
        write_everything(store)  # the tables are there: the first COMMIT is the test's own
    wire = _Wire(server.folder, breaks, meanwhile)
    try:
        through = f"postgresql://postgres@/{_name(url)}?{urlencode({'host': wire.folder})}"
        with _opened(through, busy_timeout) as store:
            yield store
    finally:
        wire.close()


def test_a_commit_that_got_there_is_acknowledged_though_its_answer_did_not(
    postgres: PostgresServer, postgres_url: str
) -> None:
    with _wired(postgres, postgres_url, "after") as store:
        assert add(store, said("m3"))[0].seq == 3
        assert _ids(store) == ["m1", "m2", "m3"]
        assert add(store, said("m4"))[0].seq == 4


def test_a_commit_that_did_not_get_there_is_taken_back_and_may_be_run_again(
    postgres: PostgresServer, postgres_url: str
) -> None:
    with _wired(postgres, postgres_url, "before") as store:
        with pytest.raises(StoreInterrupted, match="nothing was written"):
            add(store, said("m3"))
        assert _ids(store) == ["m1", "m2"]
        assert add(store, said("m3"))[0].seq == 3


def test_a_crash_that_gives_the_number_of_a_lost_transaction_to_another_misleads_nobody(
    postgres: PostgresServer, postgres_url: str
) -> None:
    def crash_and_go_on() -> None:
        postgres.kill()
        postgres.start()
        with _opened(postgres_url) as other:
            for n in range(5):
                add(other, said(f"other {n}"), scope=OTHER_SCOPES[0])

    with _wired(postgres, postgres_url, "before", meanwhile=crash_and_go_on) as store:
        with pytest.raises(StoreInterrupted, match="nothing was written"):
            add(store, said("m3"))
        assert _ids(store) == ["m1", "m2"]
        assert add(store, said("m3"))[0].seq == 3


def test_a_commit_that_got_there_is_known_by_its_mark_for_a_while(postgres: PostgresServer, postgres_url: str) -> None:
    def go_on(count: int) -> None:
        with _opened(postgres_url) as other:
            for n in range(count):
                add(other, said(f"other {n}"))

    with _wired(postgres, postgres_url, "after", meanwhile=lambda: go_on(MARKS - 1)) as store:
        assert add(store, said("m3"))[0].seq == 3
    with _opened(postgres_url) as store, store.transaction(SCOPE) as tx:
        tx.erase()
    with _wired(postgres, postgres_url, "after", busy_timeout=0.2, meanwhile=lambda: go_on(MARKS)) as store:
        with pytest.raises(StoreError, match="is not known"):
            add(store, said("m3"))
        assert len(_ids(store)) == MARKS + 3


def test_an_erasure_whose_answer_was_lost_is_acknowledged(postgres: PostgresServer, postgres_url: str) -> None:
    with _wired(postgres, postgres_url, "after") as store:
        with store.transaction(SCOPE) as tx:
            tx.erase()
        assert store.scopes() == []


def test_a_commit_that_cannot_be_asked_about_is_not_called_either(postgres: PostgresServer, postgres_url: str) -> None:
    with _wired(postgres, postgres_url, "for good", busy_timeout=0.2) as store:
        with pytest.raises(StoreError, match="is not known") as unknown:
            add(store, said("m3"))
        assert type(unknown.value) is StoreError
        assert "same id" in str(unknown.value)


# --- a server that stops ------------------------------------------------------------------------------------------

WRITE_ON = """
import sys, time
from datetime import timedelta
from anaphora.errors import IdConflict, StoreError
from anaphora.stores.postgres import PostgresStore
from anaphora.testing.conformance import terms_of
from anaphora.testing.samples import SCOPE, add, said
store = PostgresStore(sys.argv[1], terms_of, busy_timeout=timedelta(seconds=10))
for n in range(int(sys.argv[2])):
    while True:
        try:
            add(store, said(f"m{n}", f"red button {n}"))
            break
        except IdConflict:
            break
        except StoreError:
            time.sleep(0.01)
    print(n, flush=True)
"""


def test_a_server_that_is_restarted_and_crashes_under_load_loses_and_doubles_nothing(
    postgres: PostgresServer, postgres_url: str
) -> None:
    count = 5 * BATCH
    command = [sys.executable, "-c", WRITE_ON, postgres_url, str(count)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for line in writer.stdout:
            if int(line) == BATCH:
                postgres.restart()
            elif int(line) in (2 * BATCH, 3 * BATCH):
                postgres.kill()
                postgres.start()
    assert writer.returncode == 0
    with _opened(postgres_url) as store:
        assert [(m.seq, m.id) for m in store.view(SCOPE).messages()] == [(n + 1, f"m{n}") for n in range(count)]
        assert store.verify() == []
        expect_index(store.view(SCOPE))


def test_a_server_that_is_gone_is_named_and_found_again(postgres: PostgresServer, postgres_url: str) -> None:
    with _opened(postgres_url) as store:
        write_everything(store)
        postgres.stop()
        try:
            with pytest.raises(StoreUnwritable, match="cannot be reached") as gone:
                add(store, said("m3"))
            with pytest.raises(StoreUnwritable, match="cannot be reached"):
                _ids(store)
        finally:
            postgres.start()
        assert str(postgres.folder) in str(gone.value)
        assert _ids(store) == ["m1", "m2"]


# --- who may ------------------------------------------------------------------------------------------------------


@pytest.fixture
def user(postgres: PostgresServer, postgres_url: str) -> Iterator[str]:
    """A user of the server with the password "hunter2" and no rights."""
    name = f"user_{uuid4().hex}"
    _execute(postgres.url("postgres"), f"CREATE ROLE {name} LOGIN PASSWORD 'hunter2'")
    yield name
    _execute(postgres_url, f"DROP OWNED BY {name} CASCADE")
    _execute(postgres.url("postgres"), f"DROP ROLE {name}")


def test_a_wrong_password_or_place_is_refused_and_no_password_is_shown(
    postgres: PostgresServer, postgres_url: str, user: str
) -> None:
    name = _name(postgres_url)
    urls = [
        postgres.url(name, user, "swordfish"),
        postgres.url("nowhere", user, "hunter2"),
        postgres.url(name, user, "hunter2").replace("anaphora-pg-", "no-server-"),
    ]
    for url in urls:
        with pytest.raises(StoreUnwritable, match="cannot be reached") as refused, _opened(url):
            pass
        said_of_it = "".join(traceback.format_exception(refused.value))
        assert "hunter2" not in said_of_it
        assert "swordfish" not in said_of_it
        assert refused.value.remedy


def test_the_rights_in_the_manual_are_enough(postgres: PostgresServer, postgres_url: str, user: str) -> None:
    url = postgres.url(_name(postgres_url), user, "hunter2")
    with pytest.raises(StoreUnwritable, match="administrator run in that database: CREATE EXTENSION"), _opened(url):
        pass
    _execute(postgres_url, "CREATE EXTENSION vector")
    with pytest.raises(StoreUnwritable, match="permission denied"), _opened(url):
        pass
    _execute(postgres_url, f"CREATE SCHEMA anaphora AUTHORIZATION {user}")
    with _opened(url) as store:
        write_everything(store)
        assert store.verify() == []
        assert store.scrub()[0] == "the files of the tables, until the server's next checkpoint"


def test_a_server_without_the_extension_is_named(postgres_url: str) -> None:
    _execute(postgres_url, f"ALTER DATABASE {_name(postgres_url)} SET extension_control_path TO '/nowhere'")
    with pytest.raises(StoreError, match="does not have the extension pgvector") as refused, _opened(postgres_url):
        pass
    assert "Install it on the server" in str(refused.value)


# --- what was deleted ---------------------------------------------------------------------------------------------


def _holding(folder: Path, secret: bytes) -> list[str]:
    """The files of the tables that still hold it."""
    return [path.name for path in sorted((folder / "base").rglob("*")) if path.is_file() and secret in _bytes(path)]


def _bytes(path: Path) -> bytes:
    with suppress(FileNotFoundError):  # the server clears up on its own
        return path.read_bytes()
    return b""


def test_a_removed_text_is_nowhere_in_the_tables_once_they_are_scrubbed(
    postgres: PostgresServer, postgres_url: str
) -> None:
    with _opened(postgres_url) as store:
        add(store, *(said(f"m{n}", f"swordfish {n}" if n == 7 else f"red {n}") for n in range(2 * BATCH)))
        _execute(postgres_url, "ANALYZE", "CHECKPOINT")
        assert _holding(postgres.folder, b"swordfish") != []
        with store.transaction(SCOPE) as tx:
            tx.remove(["m7"])
        left = store.scrub()
        assert _holding(postgres.folder, b"swordfish") == []
        assert ["write-ahead log" in what and "backups" in what for what in left] == [True]
        assert store.verify() == []
