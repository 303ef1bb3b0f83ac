"""The networks that ship with the package, opened when they are first needed and then kept."""

from __future__ import annotations

import os
import threading
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from anaphora.errors import MissingExtra

__all__ = ["WIDTH", "Network", "bundled"]

Array = NDArray[Any]
WIDTH = 384  # numbers that a network makes of each piece of a text
_AGAIN = "Install anaphora again."
_OPENING = threading.Lock()


def _fresh_lock() -> None:
    """A child that was forked while a network was being opened must not wait for a thread that it does not have."""
    global _OPENING
    _OPENING = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_fresh_lock)


class Network:
    """One graph. Runs on one thread of the caller's, and may be run from many at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._session: Any = None

    def __call__(self, **inputs: Array) -> list[Array]:
        session = self._session or self._open()
        try:
            return [np.asarray(one) for one in session.run(None, inputs)]
        except _failures() as error:
            raise _damaged(self._path) from error

    def _open(self) -> Any:
        with _OPENING:
            if self._session is None:
                self._session = _session(self._path)
        return self._session


def bundled() -> Path:
    """The folder of the weights that ship with the package."""
    with as_file(files("anaphora.models") / "weights") as folder:
        return folder


@lru_cache(1)
def _runtime() -> Any:
    # Some builds of it report to their maker unless told otherwise before they are loaded. Nothing leaves this machine.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    try:
        import onnxruntime
    except ImportError as error:
        raise MissingExtra("The models need onnxruntime.", remedy="Run: pip install onnxruntime.") from error
    return onnxruntime


def _session(path: Path) -> Any:
    runtime = _runtime()
    if not path.is_file():
        raise MissingExtra(f"The model {path.name} is not where it should be.", remedy=_AGAIN)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except _failures() as error:
        raise _damaged(path) from error


@lru_cache(1)
def _failures() -> tuple[type[BaseException], ...]:
    """What the runtime raises: classes of its own with no common base, and ValueError for inputs it does not know."""
    names = ("Fail", "InvalidArgument", "InvalidGraph", "InvalidProtobuf", "NoModel", "NoSuchFile", "NotImplemented")
    state = _runtime().capi.onnxruntime_pybind11_state
    return (ValueError, *(getattr(state, name) for name in (*names, "RuntimeException") if hasattr(state, name)))


def _damaged(path: Path) -> MissingExtra:
    return MissingExtra(f"The model {path.name} is damaged.", remedy=_AGAIN)
