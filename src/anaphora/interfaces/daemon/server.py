"""The daemon: one a user, by a lock that the system lets go of when the process dies. It takes what hooks hand it,
each session in its order, and ends itself when nobody has come for a while."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from anaphora.errors import StoreNewer
from anaphora.interfaces.daemon import wire
from anaphora.interfaces.hooks import journal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from anaphora.interfaces.daemon.memories import Memories

__all__ = ["run"]

_TICK = 0.5  # seconds between two looks at the clock
_LEAVING = 2.0  # seconds to wait for one that is about to end
_SLOW = 600.0  # seconds that a peer may take


def run() -> bool:
    """Listen until nobody comes any more; False if another one does already."""
    path = wire.socket_path(os.environ)
    os.chdir("/")  # no folder of a project is held, nor taken for that of the daemon
    with _only_one(path) as alone:
        if not alone:
            return False
        try:
            _Daemon(path).serve()
        except Exception as error:  # the outermost edge of the process: nobody sees its stderr
            journal.note(os.environ, "daemon", "", error)
            raise
    return True


@contextmanager
def _only_one(path: str) -> Iterator[bool]:
    """The lock is taken before anything heavy is imported: many may be started at once. Who has it takes the file away
    at its end, so that whoever waited for that file takes the one that is there now."""
    import fcntl

    lock = wire.lock_path(path)
    file = _opened(lock)
    until = time.monotonic() + _LEAVING
    try:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                if os.path.exists(path) or time.monotonic() > until:
                    yield False
                    return
                time.sleep(_TICK / 10)
                continue
            if _is_there(file, lock):
                break
            os.close(file)
            file = _opened(lock)
        try:
            yield True
        finally:
            with suppress(OSError):
                os.unlink(lock)
                os.rmdir(os.path.dirname(lock))  # not where someone else begins already
    finally:
        os.close(file)


def _opened(lock: str) -> int:
    while True:
        with suppress(FileNotFoundError):
            return os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
        wire.socket_path(os.environ)  # one that ended took the folder away


def _is_there(file: int, lock: str) -> bool:
    """Whether the file still has its name."""
    try:
        return os.path.samestat(os.fstat(file), os.stat(lock))
    except FileNotFoundError:
        return False


class _Daemon:
    def __init__(self, path: str) -> None:
        from anaphora.configuration import load
        from anaphora.interfaces.daemon.memories import Memories

        self._path = path
        self._idle = load().settings.daemon_idle.total_seconds()
        self._memories: Memories = Memories()
        self._began = time.time()
        self._last = time.monotonic()
        self._events = 0
        self._seconds = 0.0  # spent on them
        self._at_work = 0
        self._leaving = False
        self._lock = threading.Lock()  # guards the five above

    def serve(self) -> None:
        self._memories.warm()
        with self._listening() as listener:
            while not self._is_over():
                with suppress(TimeoutError):
                    self._receive(listener.accept()[0])
            self._withdraw()
            listener.settimeout(0)
            with suppress(BlockingIOError):
                while True:  # who came before the door was closed
                    self._receive(listener.accept()[0])
        while self._at_work:
            time.sleep(_TICK / 10)
        self._memories.close()

    @contextmanager
    def _listening(self) -> Iterator[socket.socket]:
        """The socket appears under its name when it is ready, for its owner alone."""
        fresh = f"{self._path}.{os.getpid()}"
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            before = os.umask(0o177)
            try:
                listener.bind(fresh)
            finally:
                os.umask(before)
            listener.listen(128)
            listener.settimeout(_TICK)
            os.replace(fresh, self._path)  # over one that a killed daemon left
            try:
                yield listener
            finally:
                self._withdraw()

    def _withdraw(self) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self._path)

    def _is_over(self) -> bool:
        with self._lock:
            idle = not self._at_work and time.monotonic() - self._last > self._idle
            return self._leaving or idle

    def _receive(self, connection: socket.socket) -> None:
        with self._lock:
            self._at_work += 1
        threading.Thread(target=self._talk, args=(connection,), name="hook").start()

    def _talk(self, connection: socket.socket) -> None:
        try:
            with connection, connection.makefile("rb") as lines:
                connection.settimeout(_SLOW)
                request = wire.read_line(lines)
                if request is not None:
                    wire.send_line(connection, {"taken": True})
                    answer = self._answer(request)
                    with suppress(OSError):  # it did not wait so long
                        wire.send_line(connection, answer)
        except (OSError, ValueError) as error:  # whoever it was left, or said what is no request
            journal.note(os.environ, "daemon", "", error)
        finally:
            with self._lock:
                self._at_work -= 1
                self._last = time.monotonic()

    def _answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        match request.get("ask"):
            case "status":
                return {
                    "pid": os.getpid(),
                    "identity": wire.identity(),
                    "began": self._began,
                    "events": self._events,
                    "seconds": self._seconds,
                }
            case "stop":
                self._leave()
                return {"pid": os.getpid()}
        if request.get("identity") != wire.identity():
            self._leave()  # it comes from a newer program, or from an older one that was put back
            return {"stale": True}
        begun = time.perf_counter()
        try:
            return {"output": self._memories.take(request)}
        except StoreNewer as error:
            # this program is the older one: the hook does it by itself, and starts a daemon of its own kind
            journal.note(request["environ"], str(request["host"]), str(request["event"] or ""), error)
            self._leave()
            return {"stale": True}
        except Exception as error:  # noqa: BLE001 - the outermost edge of a request: the next must still be answered
            journal.note(request["environ"], str(request["host"]), str(request["event"] or ""), error)
            return {"output": ""}
        finally:
            with self._lock:
                self._events += 1
                self._seconds += time.perf_counter() - begun

    def _leave(self) -> None:
        with self._lock:
            self._leaving = True
