"""Every error that Anaphora raises on purpose. Each says what happened, to what, and what to do.

AnaphoraError
├── SettingsError          an unknown key, a bad value, an unreadable settings file
├── InputError             what was handed in cannot be taken; nothing was changed
│   ├── BadText            empty, too long, or not storable as text
│   ├── BadTime            a naive datetime, or something that is no time
│   ├── IdConflict         the id is taken by a message with another text
│   ├── NotFound           no such message, conversation or question
│   └── FormatError        a file that is not in the format it should be in
├── StoreError             the store could not do it; what was acknowledged before is safe
│   ├── StoreBusy          another process held the store for too long
│   ├── StoreInterrupted   the connection broke; the transaction was taken back and may be run again
│   ├── StoreUnreadable    not a store, damaged, or written by a newer version
│   │   └── StoreNewer     the last of these
│   └── StoreUnwritable    no permission, a read-only place, or a full disk
├── ServiceUnavailable     a service that the user configured gave no answer, or none of its form
└── MissingExtra           an optional part is not installed; the message has the command
"""

from __future__ import annotations

__all__ = [
    "AnaphoraError",
    "BadText",
    "BadTime",
    "FormatError",
    "IdConflict",
    "InputError",
    "MissingExtra",
    "NotFound",
    "ServiceUnavailable",
    "SettingsError",
    "StoreBusy",
    "StoreError",
    "StoreInterrupted",
    "StoreNewer",
    "StoreUnreadable",
    "StoreUnwritable",
]


class AnaphoraError(Exception):
    """The root. `remedy` is what the user can do about it, where there is something."""

    def __init__(self, message: str, *, remedy: str | None = None) -> None:
        super().__init__(message)
        self.remedy = remedy

    def __str__(self) -> str:
        text = super().__str__()
        return f"{text} {self.remedy}" if self.remedy else text


class SettingsError(AnaphoraError):
    pass


class InputError(AnaphoraError):
    pass


class BadText(InputError):
    pass


class BadTime(InputError):
    pass


class IdConflict(InputError):
    pass


class NotFound(InputError):
    pass


class FormatError(InputError):
    pass


class StoreError(AnaphoraError):
    pass


class StoreBusy(StoreError):
    pass


class StoreInterrupted(StoreError):
    pass


class StoreUnreadable(StoreError):
    pass


class StoreNewer(StoreUnreadable):
    """A newer Anaphora has been at the store: this program is the one to make room."""


class StoreUnwritable(StoreError):
    pass


class ServiceUnavailable(AnaphoraError):
    pass


class MissingExtra(AnaphoraError):
    pass
