"""Which file system a path lies on: SQLite's log needs memory that is shared, and a network has none."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["DOUBTFUL", "file_system_of", "is_network", "mounted_at"]

_MOUNTS = Path("/proc/self/mounts")
_NETWORK = {
    *("nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "coda", "davfs", "ceph", "lustre", "beegfs", "gpfs"),
    *("fuse.sshfs", "fuse.smbnetfs", "fuse.glusterfs", "fuse.ceph", "fuse.rclone", "fuse.s3fs", "fuse.gcsfuse"),
    *("fuse.davfs2", "fuse.curlftpfs", "drvfs"),
}
# Sandboxes and virtual machines show their own disk as one of these; others share a folder of the host.
DOUBTFUL = frozenset({"9p", "virtiofs", "vboxsf", "fuse.vmhgfs-fuse"})
_ESCAPED = re.compile(r"\\([0-7]{3})")


def file_system_of(path: Path) -> str | None:
    """The type of the file system that a path is on or would be on; None where the system does not say."""
    try:
        text = _MOUNTS.read_text("utf-8", "surrogateescape")
        return mounted_at(path.expanduser().resolve(), text)
    except (OSError, RuntimeError):  # no such list on this system, or links that go in a circle
        return None


def is_network(file_system: str | None) -> bool:
    return file_system in _NETWORK


def mounted_at(path: Path, mounts: str) -> str | None:
    """The type of the innermost mount that holds the path; `mounts` is the text of /proc/mounts."""
    deepest, found = -1, None
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = Path(_ESCAPED.sub(lambda code: chr(int(code[1], 8)), fields[1]))
        # Of two mounts on one point the later one hides the earlier.
        if len(point.parts) >= deepest and path.is_relative_to(point):
            deepest, found = len(point.parts), fields[2]
    return found
