"""What every test gets: a machine of its own, a frozen clock, a memory; and at the end the count of requirements."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from hypothesis import settings

from tests.requirements import REQUIREMENTS
from tests.talk import BOTH_STORES

if TYPE_CHECKING:
    from anaphora import Memory
    from anaphora.testing import FrozenClock
    from anaphora.testing.postgres import PostgresServer

settings.register_profile(
    "anaphora", deadline=None, database=None, max_examples=60, derandomize=os.environ.get("CI") == "true"
)
settings.load_profile("anaphora")

_HOMES = {
    "HOME": "",
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_CACHE_HOME": ".cache",
    "XDG_STATE_HOME": ".local/state",
}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        return  # a worker of xdist: the controller speaks for all
    left = [requirement.id for requirement in REQUIREMENTS if requirement.open is not None]
    proven = len(REQUIREMENTS) - len(left)
    terminalreporter.write_line(
        f"requirements: {proven} of {len(REQUIREMENTS)} proven" + (f"; open: {' '.join(left)}" if left else "")
    )


@pytest.fixture(autouse=True)
def _own_machine(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the settings, the stores or the working directory of whoever runs it.

    What the engine does with an understanding is tested on the rules, which never change their mind; a module that
    tests the understanding itself says `WITH_READER = True`, and one that looks for meaning `WITH_EMBEDDER = True`."""
    home = tmp_path / "home"
    home.mkdir()
    for name, folder in _HOMES.items():
        monkeypatch.setenv(name, str(home / folder))
    for name in os.environ:
        if name.startswith("ANAPHORA_") and not name.startswith("ANAPHORA_TEST_"):
            monkeypatch.delenv(name)
    if not getattr(request.module, "WITH_READER", False):
        monkeypatch.setenv("ANAPHORA_READER", "none")
    if not getattr(request.module, "WITH_EMBEDDER", False):
        monkeypatch.setenv("ANAPHORA_EMBEDDER", "none")
    monkeypatch.setenv("ANAPHORA_BACKGROUND", "off")  # a test says itself when work that can wait is done
    monkeypatch.setenv("ANAPHORA_DAEMON", "off")  # none is left behind; a test of the daemon starts its own
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)


# The package is imported inside the fixtures, so that the guards still run when it cannot be imported.


@pytest.fixture
def clock() -> FrozenClock:
    from anaphora.testing import FrozenClock

    return FrozenClock(datetime(2025, 11, 3, 14, 20, tzinfo=UTC))


@pytest.fixture
def memory(clock: FrozenClock) -> Iterator[Memory]:
    import anaphora

    with anaphora.open(":memory:", clock=clock) as opened:
        yield opened


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return tmp_path / "anaphora.db"


@pytest.fixture(params=BOTH_STORES)
def any_memory(request: pytest.FixtureRequest, clock: FrozenClock) -> Iterator[Memory]:
    """The same test on every store."""
    import anaphora

    with anaphora.open(request.param, clock=clock) as opened:
        yield opened


@pytest.fixture(params=["read", "by rules"])
def any_reading(
    request: pytest.FixtureRequest, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Memory]:
    """A memory in which messages are read, and one that goes by rules alone."""
    import anaphora

    if request.param == "read":
        monkeypatch.delenv("ANAPHORA_READER")
    with anaphora.open(":memory:", clock=clock) as opened:
        yield opened


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server, one a worker. Where none can be started the tests that ask for it fail."""
    from anaphora.testing.postgres import PostgresServer

    with PostgresServer.for_tests() as server:
        yield server


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """A database of the test's own."""
    import psycopg

    name = f"anaphora_{uuid4().hex}"
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as administrator:
        administrator.execute(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0".encode())
    yield postgres.url(name)
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as administrator:
        administrator.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
