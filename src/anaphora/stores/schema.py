"""The tables that the SQL stores share, written once; each store names its own types.

Everything of a scope lies together, since every key begins with it. Times are microseconds since 1970, UTC. Messages,
documents, events and deletions are canonical, each message, document and event with a checksum of its own. Terms (the
word index) and vectors are derived: `terms` holds the postings of one term over a run of messages that begins with
`first`; messages after `scopes.indexed` are not in it yet and are read themselves when a search is made. A long message
has several vectors, one a piece. `vector_changes` says when the vectors of a block of messages last changed, counted
by `scopes.last_vector`: who holds them in memory reads no more than what is new. Under no model's name it says when
something was last erased.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BLOCK", "DERIVED", "TABLES", "VERSION", "Dialect", "create"]

VERSION = 3
BLOCK = 256  # messages whose vectors are noted together as changed
TABLES = ("scopes", "messages", "deletions", "documents", "events", "terms", "vectors", "vector_changes")
DERIVED = ("terms", "vectors", "vector_changes")
_INDEXES = (
    "CREATE UNIQUE INDEX messages_by_id ON messages (scope, id)",
    "CREATE INDEX messages_by_conversation ON messages (scope, conversation, seq)",
    "CREATE INDEX messages_by_session ON messages (scope, session, seq)",
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs: the type of a number that counts up by itself, of bytes and of a vector, table options, and whether
    the type of a column can be altered."""

    counter: str
    integer: str
    binary: str
    vector: str
    rowed: str = ""
    keyed: str = ""
    alters: bool = False


def create(dialect: Dialect) -> list[str]:
    """The statements that make an empty store of the current version."""
    d = dialect
    scope = f"scope {d.integer} NOT NULL REFERENCES scopes (id) ON DELETE CASCADE"
    return [
        f"""CREATE TABLE scopes (
            id {d.counter},
            owner TEXT NOT NULL, agent TEXT NOT NULL, project TEXT NOT NULL,
            last_seq {d.integer} NOT NULL DEFAULT 0,
            last_event {d.integer} NOT NULL DEFAULT 0,
            last_document {d.integer} NOT NULL DEFAULT 0,
            indexed {d.integer} NOT NULL DEFAULT 0,
            indexed_messages {d.integer} NOT NULL DEFAULT 0,
            indexed_terms {d.integer} NOT NULL DEFAULT 0,
            last_vector {d.integer} NOT NULL DEFAULT 0,
            UNIQUE (owner, agent, project)
        ){d.rowed}""",
        f"""CREATE TABLE messages (
            {scope},
            seq {d.integer} NOT NULL,
            id TEXT NOT NULL,
            at {d.integer} NOT NULL,
            session TEXT NOT NULL,
            conversation TEXT,
            role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
            speaker TEXT NOT NULL,
            text TEXT NOT NULL,
            expanded TEXT,
            found {d.binary} NOT NULL,
            checksum {d.binary} NOT NULL,
            PRIMARY KEY (scope, seq)
        ){d.keyed}""",
        *_INDEXES,
        f"CREATE TABLE deletions ({scope}, seq {d.integer} NOT NULL, PRIMARY KEY (scope, seq)){d.keyed}",
        f"""CREATE TABLE documents (
            {scope},
            kind TEXT NOT NULL,
            id TEXT NOT NULL,
            made {d.integer} NOT NULL,
            version {d.integer} NOT NULL,
            body TEXT NOT NULL,
            checksum {d.binary} NOT NULL,
            PRIMARY KEY (scope, kind, id)
        ){d.keyed}""",
        f"""CREATE TABLE events (
            {scope},
            seq {d.integer} NOT NULL,
            at {d.integer} NOT NULL,
            kind TEXT NOT NULL,
            session TEXT NOT NULL,
            conversation TEXT,
            message TEXT,
            author TEXT,
            data TEXT NOT NULL,
            checksum {d.binary} NOT NULL,
            PRIMARY KEY (scope, seq)
        ){d.keyed}""",
        *_derived(d, scope),
    ]


def _derived(d: Dialect, scope: str) -> list[str]:
    return [
        f"""CREATE TABLE terms (
            {scope},
            term TEXT NOT NULL,
            first {d.integer} NOT NULL,
            postings {d.binary} NOT NULL,
            PRIMARY KEY (scope, term, first)
        ){d.keyed}""",
        f"""CREATE TABLE vectors (
            {scope},
            model TEXT NOT NULL,
            seq {d.integer} NOT NULL,
            piece {d.integer} NOT NULL,
            vector {d.vector} NOT NULL,
            PRIMARY KEY (scope, model, seq, piece)
        ){d.keyed}""",
        f"""CREATE TABLE vector_changes (
            {scope},
            model TEXT NOT NULL,
            block {d.integer} NOT NULL,
            change {d.integer} NOT NULL,
            PRIMARY KEY (scope, model, block)
        ){d.keyed}""",
    ]
