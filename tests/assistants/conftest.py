"""Collected only where the assistants are installed: `make test-assistants` says so."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.assistants.desk import Desk
from tests.assistants.model_server import ModelServer

collect_ignore_glob = [] if os.environ.get("ANAPHORA_TEST_ASSISTANTS") else ["test_*.py"]


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def desk(tmp_path: Path, model: ModelServer) -> Iterator[Desk]:
    """A home and a repository of their own, with both assistants installed into."""
    with Desk(tmp_path, model) as made:
        yield made
