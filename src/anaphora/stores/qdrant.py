"""Vectors in Qdrant, everything else in the store beneath: for who runs a Qdrant already, or needs one for its size.

The store beneath keeps a mark for each message whose vectors are in Qdrant, under a name that says in which one. Only
what is marked is ever near: what was put there by a transaction that failed is not. Another Qdrant begins with nothing.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from anaphora.errors import StoreBusy, StoreError
from anaphora.ports import Near, Store, Transaction, View
from anaphora.stores.forks import watch_forks
from anaphora.stores.indexing import indexed_text
from anaphora.stores.vectors import best_pieces, packed, unpacked
from anaphora.types import Message, Scope

if TYPE_CHECKING:
    from qdrant_client import QdrantClient
    from qdrant_client.models import Filter

__all__ = ["QdrantIndex", "QdrantStore"]

_MARK = [[1.0]]  # a vector of another length than any model's
_AT_ONCE = 256  # points that are sent together
_SPARE = 32  # points looked at beyond those asked for, since several may be of one message
_NAMES = re.compile(r"[^A-Za-z0-9]+")


class QdrantIndex:
    """One Qdrant, at a URL or in a folder: a collection for each agent and model, in it points that say whose they are.

    Of a message it holds numbers alone: its vectors, its sequence number, and which piece each is of."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.models: set[str] = set()  # that were asked for
        self._lock = threading.Lock()
        watch_forks(self)

    def put(self, scope: Scope, model: str, vectors: Mapping[int, Sequence[Sequence[float]]]) -> None:
        """The vectors of all pieces of messages, in place of those they had."""
        from qdrant_client.models import PointStruct

        self.models.add(model)
        self.drop(scope, list(vectors), model)
        pieces = [(seq, n, vector) for seq in vectors for n, vector in enumerate(vectors[seq])]
        points = [
            PointStruct(
                id=str(UUID(bytes=_digest(scope.user, scope.agent, scope.project, model, str(seq), str(n)))),
                vector=list(unpacked(packed(vector))),
                payload={"user": scope.user, "project": scope.project, "seq": seq, "piece": n},
            )
            for seq, n, vector in pieces
        ]
        for width in {len(vector) for _, _, vector in pieces}:
            name = self._made(scope, model, width)
            fitting = [p for p, (_, _, vector) in zip(points, pieces, strict=True) if len(vector) == width]
            for at in range(0, len(fitting), _AT_ONCE):
                some = fitting[at : at + _AT_ONCE]
                self._ask("upsert", name, some, wait=True)

    def drop(self, scope: Scope, seqs: Sequence[int] | None, model: str | None = None) -> None:
        """Delete the vectors of messages, or of the whole scope; of one model, or of all."""
        from qdrant_client.models import FilterSelector

        if seqs is None or seqs:
            chosen = FilterSelector(filter=_within(scope, seqs))
            for name in self._collections(_name(scope, model)):
                self._ask("delete", name, chosen, wait=True)

    def search(
        self, scope: Scope, model: str, vector: Sequence[float], limit: int, among: Sequence[int] | None
    ) -> list[Near]:
        self.models.add(model)
        name = _name(scope, model, len(vector))
        if not self._collections(name):
            return []
        query, within = list(unpacked(packed(vector))), _within(scope, among)
        found = self._ask("query_points", name, query=query, query_filter=within, limit=limit, with_payload=True)
        return [Near(p.payload["seq"], p.payload["piece"], p.score) for p in found.points if p.payload is not None]

    def close(self) -> None:
        if "_client" in self.__dict__:
            self._client.close()
            del self._client

    # around a fork

    def pause(self) -> None:
        self._lock.acquire()

    def resume(self) -> None:
        self._lock.release()

    def leave_to_parent(self) -> None:
        """In a forked child: the connection is the parent's; the next use makes another."""
        self._lock = threading.Lock()
        self.__dict__.pop("_client", None)

    # asking

    def _collections(self, beginning: str) -> list[str]:
        listed = self._ask("get_collections")
        return [one.name for one in listed.collections if one.name.startswith(beginning)]

    def _made(self, scope: Scope, model: str, width: int) -> str:
        from qdrant_client.models import Distance, PayloadSchemaType, VectorParams

        name = _name(scope, model, width)
        if not self._collections(name):
            shape = VectorParams(size=width, distance=Distance.DOT)
            try:
                self._ask("create_collection", name, vectors_config=shape)
            except StoreError:
                if not self._collections(name):  # else another process was quicker
                    raise
            if self._is_server:
                whose, which = PayloadSchemaType.KEYWORD, PayloadSchemaType.INTEGER
                for field, kind in {"user": whose, "project": whose, "seq": which}.items():
                    self._ask("create_payload_index", name, field, kind)
        return name

    @property
    def _is_server(self) -> bool:
        return "://" in self.place

    @cached_property
    def _client(self) -> QdrantClient:
        from qdrant_client import QdrantClient

        if self._is_server:
            return QdrantClient(url=self.place, api_key=os.environ.get("QDRANT_API_KEY"), check_compatibility=False)
        return QdrantClient(path=self.place)

    def _ask(self, what: str, *arguments: Any, **named: Any) -> Any:
        from qdrant_client.http.exceptions import ApiException

        with self._lock:  # in a folder it serves one at a time
            try:
                return getattr(self._client, what)(*arguments, **named)
            except (ApiException, ValueError, OSError) as error:
                raise StoreError(
                    f"Qdrant at {self.place} could not do it: {error}.",
                    remedy="Check that it runs and that QDRANT_API_KEY is right, or set vectors = store.",
                ) from error
            except RuntimeError as error:
                raise StoreBusy(
                    f"The folder {self.place} is in use by another process: {error}",
                    remedy="Run a Qdrant server for several processes, and name its URL.",
                ) from error


class QdrantStore:
    """A store whose vectors are in Qdrant. What is not about vectors is the store beneath."""

    def __init__(self, beneath: Store, index: QdrantIndex) -> None:
        self._beneath = beneath
        self._index = index

    def __getattr__(self, name: str) -> Any:
        return getattr(self._beneath, name)

    def view(self, scope: Scope) -> View:
        return cast(View, _Scoped(cast(Transaction, self._beneath.view(scope)), self._index, scope))

    @contextmanager
    def transaction(self, scope: Scope) -> Iterator[Transaction]:
        """Qdrant is changed when the block has ended, right before the commit: a block that fails changes nothing."""
        scoped: _Scoped | None = None
        try:
            with self._beneath.transaction(scope) as tx:
                scoped = _Scoped(tx, self._index, scope)
                yield cast(Transaction, scoped)
                scoped.flush()
        except BaseException:
            if scoped is not None:
                self._unmark(scope, scoped.changed)
            raise

    def scopes(self) -> list[Scope]:
        return self._beneath.scopes()

    def verify(self, scope: Scope | None = None) -> list[str]:
        return self._beneath.verify(scope)

    def erased_elsewhere(self, scope: Scope) -> bool:
        return self._beneath.erased_elsewhere(scope)

    def scrub(self) -> list[str]:
        return [*self._beneath.scrub(), f"Qdrant at {self._index.place} until it next tidies its files; its snapshots"]

    def close(self) -> None:
        self._index.close()
        self._beneath.close()

    def _unmark(self, scope: Scope, changed: Mapping[str, set[int]]) -> None:
        """What was changed in Qdrant by a transaction that then failed is to be embedded again."""
        if any(changed.values()):
            with suppress(StoreError), self._beneath.transaction(scope) as tx:
                for mark, seqs in changed.items():
                    tx.put_vectors(mark, {seq: [] for seq in seqs})


class _Scoped:
    """A view or a transaction of the store beneath, but for its vectors; those not in Qdrant yet are looked at here."""

    def __init__(self, beneath: Transaction, index: QdrantIndex, scope: Scope) -> None:
        self._beneath = beneath
        self._index = index
        self._scope = scope
        self._new: dict[str, dict[int, Sequence[Sequence[float]]]] = {}  # by model
        self._gone: set[int] = set()
        self._erased = False
        self.changed: dict[str, set[int]] = {}  # in Qdrant, by mark

    def __getattr__(self, name: str) -> Any:
        return getattr(self._beneath, name)

    def nearest(self, model: str, vector: Sequence[float], k: int, among: Iterable[int] | None = None) -> list[Near]:
        from anaphora.stores.nearness import nearest_of  # here, since numpy takes time to load

        some = None if among is None else list(among)
        new = self._new.get(model, {})
        wanted = new.keys() if some is None else new.keys() & set(some)
        rows = [(seq, n, packed(piece)) for seq in wanted for n, piece in enumerate(new[seq])]
        limit = 2 * k + _SPARE
        while k > 0 and some != []:
            found = self._index.search(self._scope, model, vector, limit, some)
            known = [near for near in found if near.seq not in new] + nearest_of(rows, vector, k)
            marked = self._marked(model, [near.seq for near in known])
            best = best_pieces(near for near in known if near.seq in marked)
            if len(best) >= k or len(found) < limit:
                return best[:k]
            limit *= 4
        return []

    def without_vector(self, model: str, limit: int, after: int = 0) -> list[Message]:
        return self._beneath.without_vector(self._mark(model), limit, after)

    def has_vectors(self, model: str) -> bool:
        return self._beneath.has_vectors(self._mark(model))

    def put_vectors(self, model: str, vectors: Mapping[int, Sequence[Sequence[float]]]) -> None:
        there = {message.seq: vectors[message.seq] for message in self._beneath.messages(seqs=vectors)}
        self._beneath.put_vectors(self._mark(model), {seq: _MARK if there[seq] else [] for seq in there})
        self._new.setdefault(model, {}).update(there)

    def replace(self, message: Message) -> None:
        before = self._beneath.message(message.id)
        self._beneath.replace(message)
        if before is not None and indexed_text(before) != indexed_text(message):
            self._take_out([before.seq])

    def remove(self, ids: Iterable[str]) -> int:
        gone = [message for message in map(self._beneath.message, dict.fromkeys(ids)) if message is not None]
        self._take_out([message.seq for message in gone])
        return self._beneath.remove([message.id for message in gone])

    def erase(self) -> None:
        self._beneath.erase()
        self._new.clear()
        self._erased = True

    def flush(self) -> None:
        """Do in Qdrant what was done here."""
        for model in self._index.models | self._new.keys():
            touched = self._gone | self._new.get(model, {}).keys()
            self.changed[self._mark(model)] = touched
        if self._erased:
            self._index.drop(self._scope, None)
        self._index.drop(self._scope, list(self._gone))
        for model, vectors in self._new.items():
            self._index.put(self._scope, model, vectors)

    def _take_out(self, seqs: Sequence[int]) -> None:
        self._gone.update(seqs)
        for new in self._new.values():
            for seq in seqs:
                new.pop(seq, None)

    def _mark(self, model: str) -> str:
        return f"{model} in {self._index.place}"

    def _marked(self, model: str, seqs: Sequence[int]) -> set[int]:
        return {near.seq for near in self._beneath.nearest(self._mark(model), _MARK[0], len(seqs), among=seqs)}


def _name(scope: Scope, model: str | None = None, width: int | None = None) -> str:
    """What a collection is called, or how those of an agent, or of a model, begin."""
    agent = f"anaphora-{_NAMES.sub('-', scope.agent)[:60]}-{_digest(scope.agent).hex()[:12]}-"
    if model is None:
        return agent
    return f"{agent}{_NAMES.sub('-', model)[:60]}-{_digest(model).hex()[:12]}-" + ("" if width is None else f"{width}.")


def _within(scope: Scope, seqs: Sequence[int] | None) -> Filter:
    from qdrant_client.models import FieldCondition, Filter, MatchAny, MatchValue

    must: list[Any] = [
        FieldCondition(key="user", match=MatchValue(value=scope.user)),
        FieldCondition(key="project", match=MatchValue(value=scope.project)),
    ]
    if seqs is not None:
        must.append(FieldCondition(key="seq", match=MatchAny(any=list(seqs))))
    return Filter(must=must)


def _digest(*names: str) -> bytes:
    """The same names always give the same, others another."""
    mixed = blake2b(digest_size=16)
    for name in names:
        mixed.update(f"{len(name)} {name}".encode())
    return mixed.digest()
