"""The tables of the SQLite store."""

from __future__ import annotations

__all__ = ["APPLICATION_ID", "SCHEMA", "VERSION"]

APPLICATION_ID = 0x416E6170  # "Anap": tells our files from other programs' databases
VERSION = 1

# Everything of a scope lies together, since every key begins with it. Times are microseconds since 1970, UTC.
# Messages, documents and events are canonical; terms is the word index, made from the messages. A row of it holds
# the postings of one term over a run of messages that begins with `first`; messages after scopes.indexed are not in
# it yet and are read themselves when a search is made.
SCHEMA = """
CREATE TABLE scopes (
    id INTEGER PRIMARY KEY,
    user TEXT NOT NULL, agent TEXT NOT NULL, project TEXT NOT NULL,
    last_seq INTEGER NOT NULL DEFAULT 0,
    last_event INTEGER NOT NULL DEFAULT 0,
    last_document INTEGER NOT NULL DEFAULT 0,
    indexed INTEGER NOT NULL DEFAULT 0,
    indexed_messages INTEGER NOT NULL DEFAULT 0,
    indexed_terms INTEGER NOT NULL DEFAULT 0,
    UNIQUE (user, agent, project)
) STRICT;

CREATE TABLE messages (
    scope INTEGER NOT NULL REFERENCES scopes (id),
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    session TEXT NOT NULL,
    conversation TEXT,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    speaker TEXT NOT NULL,
    text TEXT NOT NULL,
    found TEXT NOT NULL,
    PRIMARY KEY (scope, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX messages_by_id ON messages (scope, id);
CREATE INDEX messages_by_conversation ON messages (scope, conversation, seq);

CREATE TABLE documents (
    scope INTEGER NOT NULL REFERENCES scopes (id),
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    made INTEGER NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (scope, kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    scope INTEGER NOT NULL REFERENCES scopes (id),
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    session TEXT NOT NULL,
    conversation TEXT,
    message TEXT,
    author TEXT,
    data TEXT NOT NULL,
    PRIMARY KEY (scope, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE terms (
    scope INTEGER NOT NULL REFERENCES scopes (id),
    term TEXT NOT NULL,
    first INTEGER NOT NULL,
    postings BLOB NOT NULL,
    PRIMARY KEY (scope, term, first)
) STRICT, WITHOUT ROWID;
"""
