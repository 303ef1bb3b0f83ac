"""Where the daemon listens, what is said over its socket, and how it is started. Little is imported here: hooks start
with it."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from anaphora.folders import state_folder
from anaphora.version import __version__

if TYPE_CHECKING:
    import socket

__all__ = ["ask", "identity", "is_held", "lock_path", "read_line", "send_line", "socket_path", "start"]

_LONGEST_PATH = 100  # of a socket; systems differ between 104 and 108
_LONGEST_LINE = 64 * 2**20
_TAKEN_WITHIN = 0.5  # seconds until the daemon says that it has the request
_KEPT = ("ANAPHORA_", "XDG_", "HOME", "PATH", "USER", "LANG", "LC_", "TZ", "TMPDIR", "PYTHON", "LD_", "VIRTUAL_ENV")


def identity() -> str:
    """Which program this is. A daemon of another one is replaced."""
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    changed = os.stat(os.path.join(here, "version.py")).st_mtime_ns
    return f"{__version__} {changed} {here}"


def socket_path(env: Mapping[str, str], *, make: bool = True) -> str:
    """In a folder that only the user can enter, made if need be; who only asks need not `make` it."""
    folder = os.path.join(state_folder(env), "run")
    path = os.path.join(folder, "daemon.sock")
    if len(os.fsencode(path)) > _LONGEST_PATH:
        from hashlib import sha256

        folder = f"/tmp/anaphora-{os.getuid()}-{sha256(os.fsencode(path)).hexdigest()[:12]}"
        path = os.path.join(folder, "daemon.sock")
    if make:
        os.makedirs(os.path.dirname(folder), mode=0o700, exist_ok=True)
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            _keep_private(folder)
    elif os.path.lexists(folder):
        _keep_private(folder)
    return path


def _keep_private(folder: str) -> None:
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise PermissionError(f"{folder} is not a folder of yours")
    if found.st_mode & 0o077:
        os.chmod(folder, 0o700)


def lock_path(path: str) -> str:
    return path.removesuffix(".sock") + ".lock"


def ask(path: str, request: Mapping[str, Any], wait: float) -> dict[str, Any] | Literal["busy"] | None:
    """The daemon's answer. None: there is no daemon, or it did not take the request; "busy": it has the request and
    will see to it, but the answer did not come in time."""
    import socket

    taken = False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        try:
            connection.settimeout(_TAKEN_WITHIN)
            connection.connect(path)
            send_line(connection, {"identity": identity(), **request})
            with connection.makefile("rb") as lines:
                taken = read_line(lines) is not None
                connection.settimeout(wait)
                return read_line(lines) if taken else None
        except TimeoutError:
            return "busy" if taken else None
        except OSError:
            return None


def send_line(connection: socket.socket, value: Mapping[str, Any]) -> None:
    connection.sendall(json.dumps(value).encode() + b"\n")


def read_line(lines: Any) -> dict[str, Any] | None:
    """The next object; None where there is none, or it is not whole."""
    line = lines.readline(_LONGEST_LINE)
    if not line.endswith(b"\n"):
        return None
    value = json.loads(line)
    return value if isinstance(value, dict) else None


def is_held(lock: str) -> bool:
    """Whether a daemon runs, or is about to."""
    import fcntl

    try:
        file = os.open(lock, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def start(env: Mapping[str, str]) -> None:
    """Start a daemon that outlives us, and do not wait for it. That only one runs it sees to itself."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    try:
        os.posix_spawn(
            sys.executable,
            # -P: a file of the project that the hook runs in must not be taken for a module
            [sys.executable, "-P", "-m", "anaphora.interfaces.daemon"],
            {k: v for k, v in env.items() if k.startswith(_KEPT)},  # an assistant's keys are no business of ours
            file_actions=[(os.POSIX_SPAWN_DUP2, nowhere, n) for n in (0, 1, 2)],
            setsid=True,
        )
    finally:
        os.close(nowhere)
