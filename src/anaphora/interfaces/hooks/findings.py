"""What `doctor` says about hooks and the daemon."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

from anaphora.engine.doctor import Finding
from anaphora.interfaces.daemon import wire
from anaphora.interfaces.hooks import journal

__all__ = ["findings"]

_LATELY = timedelta(days=7)
_WAIT = 2.0  # seconds for the daemon to answer


def findings(env: Mapping[str, str], now: datetime) -> Iterator[Finding]:
    yield _troubles(env, now)
    if hasattr(os, "posix_spawn"):
        yield _daemon(env)


def _troubles(env: Mapping[str, str], now: datetime) -> Finding:
    since = (now - _LATELY).timestamp()
    lately = [entry for entry in journal.entries(env) if entry["at"] >= since]
    if not lately:
        return Finding("hooks", "ok", "nothing went wrong in the last seven days")
    last = lately[-1]
    when = datetime.fromtimestamp(last["at"], UTC)
    who = " ".join(str(last[key]) for key in ("host", "event") if last.get(key))
    what = ": ".join(str(last[key]) for key in ("what", "says", "where") if last.get(key))
    times = "once" if len(lately) == 1 else f"{len(lately):,} times"
    says = f"{times} in the last seven days something went wrong, last {when:%Y-%m-%d %H:%M} UTC in {who}: {what}"
    return Finding("hooks", "note", says, str(last.get("remedy") or "") or f"All of it: {journal.path_of(env)}")


def _daemon(env: Mapping[str, str]) -> Finding:
    try:
        path = wire.socket_path(env, make=False)
        found = wire.ask(path, {"ask": "status"}, _WAIT)
    except OSError as error:
        return Finding("daemon", "wrong", f"its folder cannot be used: {error}", "Make it a folder of your own.")
    if isinstance(found, dict):
        return Finding("daemon", "ok", f"runs as process {found['pid']}")
    if wire.is_held(wire.lock_path(path)):
        says = "it starts at this moment, or it hangs; hooks do without it"
        return Finding("daemon", "note", says, "Look again in a few seconds. If it still hangs, end its process.")
    return Finding("daemon", "ok", "not running; a hook starts it when it is needed")
