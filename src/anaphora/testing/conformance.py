"""What every store must do, as tests that any backend can run.

Give it a fixture that yields a fresh, empty store made with `terms_of`:

    from anaphora.testing import StoreConformance, conformance

    class TestMyStore(StoreConformance):
        @pytest.fixture
        def store(self) -> Iterator[Store]:
            opened = MyStore(terms_of=conformance.terms_of)
            yield opened
            opened.close()

Nothing here needs pytest: each test is a method that takes a store and asserts. With pytest, say
`pytest.register_assert_rewrite("anaphora.testing")` before the import to see the values that differ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import product
from threading import Thread
from typing import Any

from anaphora.errors import IdConflict, NotFound, StoreError
from anaphora.ports import Corpus, Document, Store
from anaphora.testing.samples import (
    EVERYTHING,
    MINUTE,
    NOON,
    OTHER_SCOPES,
    SCOPE,
    STEP,
    TEXTS,
    WORDS,
    Expect,
    Stop,
    add,
    contents,
    defaulted,
    expect_index,
    said,
    talk,
    terms_of,
    write_everything,
)
from anaphora.testing.upkeep import Erasing, Vectors
from anaphora.types import Event

__all__ = ["StoreConformance", "terms_of"]


class _Messages:
    def test_a_new_scope_is_empty(self, store: Store) -> None:
        view = store.view(SCOPE)
        nothing: dict[str, Any] = {key: [] for key in ("messages", "numbered", "documents", "events")}
        nothing["corpus"] = Corpus(0, 0)
        assert contents(view, ["red"]) == {**nothing, "postings": {"red": []}}
        assert view.message("m1") is None
        assert view.document("goal", "g1") is None
        assert view.find([]).postings == {}

    def test_messages_are_numbered_from_one_in_the_order_of_arrival(self, store: Store) -> None:
        added = add(store, said("z", at=NOON), said("a", at=NOON - MINUTE, seq=77))
        added += add(store, said("m", at=NOON + MINUTE))
        assert [(m.id, m.seq) for m in added] == [("z", 1), ("a", 2), ("m", 3)]
        assert store.view(SCOPE).messages() == added
        assert [store.view(SCOPE).message(m.id) for m in added] == added

    def test_numbers_have_no_gaps_and_are_never_used_twice(self, store: Store) -> None:
        add(store, said("m1"), said("m2"))
        with Expect(Stop), store.transaction(SCOPE) as tx:
            tx.add(said("m3"))
            raise Stop
        with store.transaction(SCOPE) as tx:
            tx.remove(["m2"])
            assert tx.add(said("m2")).seq == 3
        assert add(store, said("m4"))[0].seq == 4
        assert [m.seq for m in store.view(SCOPE).messages()] == [1, 3, 4]

    def test_an_id_that_is_taken_is_refused_and_nothing_changes(self, store: Store) -> None:
        write_everything(store)
        before = contents(store.view(SCOPE))
        with store.transaction(SCOPE) as tx:
            with Expect(IdConflict):
                tx.add(said("m1", "something blue"))
            assert contents(tx) == before
        with Expect(IdConflict), store.transaction(SCOPE) as tx:
            tx.add(said("m3"))
            tx.add(said("m3"))
        assert contents(store.view(SCOPE)) == before
        assert add(store, said("m3"))[0].seq == 3

    def test_a_replaced_message_keeps_its_id_and_its_place(self, store: Store) -> None:
        add(store, said("m1", "red"), said("m2", "green", metadata={"k": 1}), said("m3", "blue"))
        new = said("m2", "purple", seq=50, at=NOON + MINUTE, session="other", conversation_id="c9")
        with store.transaction(SCOPE) as tx:
            tx.replace(new)
        assert [m.text for m in store.view(SCOPE).messages()] == ["red", "purple", "blue"]
        assert store.view(SCOPE).message("m2") == replace(new, seq=2)
        expect_index(store.view(SCOPE), gone=["green"])

    def test_a_message_that_is_not_there_cannot_be_replaced(self, store: Store) -> None:
        add(store, said("m1"))
        with Expect(NotFound), store.transaction(SCOPE) as tx:
            tx.replace(said("m2"))
        assert [m.id for m in store.view(SCOPE).messages()] == ["m1"]

    def test_removed_messages_are_gone_and_counted(self, store: Store) -> None:
        add(store, *(said(f"m{n}", f"button {word}") for n, word in enumerate(WORDS)))
        with store.transaction(SCOPE) as tx:
            assert tx.remove(iter(["m1", "m3", "m1", "unknown"])) == 2
            assert tx.remove([]) == 0
        assert [m.id for m in store.view(SCOPE).messages()] == ["m0", "m2", "m4"]
        assert store.view(SCOPE).message("m1") is None
        expect_index(store.view(SCOPE), gone=["green"])


class _RoundTrips:
    def test_every_field_of_a_message_comes_back(self, store: Store) -> None:
        assert defaulted(EVERYTHING) == []
        assert add(store, EVERYTHING) == [replace(EVERYTHING, seq=1)]
        assert store.view(SCOPE).messages() == [replace(EVERYTHING, seq=1)]
        other = replace(said(EVERYTHING.id), seq=1)
        for stored in (other, replace(EVERYTHING, seq=1)):
            with store.transaction(SCOPE) as tx:
                tx.replace(stored)
            assert store.view(SCOPE).message(EVERYTHING.id) == stored

    def test_every_field_of_an_event_comes_back(self, store: Store) -> None:
        assert defaulted(STEP) == []
        with store.transaction(SCOPE) as tx:
            assert tx.emit(STEP) == replace(STEP, seq=1)
        assert store.view(SCOPE).events() == [replace(STEP, seq=1)]

    def test_any_text_comes_back_as_it_was(self, store: Store) -> None:
        texts = [*TEXTS, "wörd 👍 " * 100_000]  # more than a megabyte
        added = add(store, *(said(text[:40], text, expanded=text) for text in texts))
        with store.transaction(SCOPE) as tx:
            for text in texts:
                tx.put("note", text[:40], {"text": text, text[:40]: [text]})
                tx.emit(Event(text[:40], NOON, text[:40], data={"text": text}))
        view = store.view(SCOPE)
        assert view.messages() == added
        assert [view.message(text[:40]) for text in texts] == added
        assert [d.body for d in view.documents("note")] == [{"text": t, t[:40]: [t]} for t in texts]
        assert [(e.kind, e.session, e.data) for e in view.events()] == [(t[:40], t[:40], {"text": t}) for t in texts]
        expect_index(view)

    def test_times_come_back_to_the_microsecond(self, store: Store) -> None:
        first, last = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
        east = NOON.astimezone(timezone(timedelta(hours=5, minutes=45)))
        times = [first, NOON.replace(microsecond=999_999), east, NOON.replace(year=1969, microsecond=1), last]
        add(store, *(said(f"m{n}", at=at) for n, at in enumerate(times)))
        with store.transaction(SCOPE) as tx:
            for at in times:
                tx.emit(Event("said", at, "main"))
        view = store.view(SCOPE)
        assert [m.at for m in view.messages()] == times
        assert [e.at for e in view.events()] == times
        assert [m.id for m in view.messages(since=first, until=last)] == ["m0", "m1", "m2", "m3"]
        assert [m.id for m in view.messages(since=last)] == ["m4"]

    def test_plain_data_is_not_shared_with_the_caller(self, store: Store) -> None:
        given: dict[str, Any] = {"list": [1]}

        def spoil(*shared: Any) -> None:
            for data in shared:
                data["list"].append("spoiled")

        with store.transaction(SCOPE) as tx:
            returned = tx.add(said("m1", metadata=given)), tx.emit(Event("said", NOON, "main", data=given))
            tx.put("goal", "g1", given)
            spoil(given, returned[0].metadata, returned[1].data)
        for _ in range(2):
            message, document = store.view(SCOPE).message("m1"), store.view(SCOPE).document("goal", "g1")
            assert message is not None
            assert document is not None
            listed, events = store.view(SCOPE).messages()[0], store.view(SCOPE).events()
            shown = [message.metadata, listed.metadata, document.body, events[0].data]
            shown += [d.body for d in store.view(SCOPE).documents("goal")]
            assert shown == [{"list": [1]}] * 5
            spoil(*shown)


class _Filters:
    def test_filters_hold_together_and_alone(self, store: Store) -> None:
        added = add(
            store,
            *(
                said(
                    f"m{n}",
                    at=NOON + MINUTE * (n * 7 % 10),
                    session=("main", "side")[n % 2],
                    conversation_id=(None, "c1", "c2")[n % 3],
                )
                for n in range(12)
            ),
        )
        view = store.view(SCOPE)
        limits = (None, NOON, NOON + 5 * MINUTE, NOON + 20 * MINUTE)
        places = product((None, "c1", "c9"), (None, "main", "nobody"), (None, [], [2, 9, 5, 5, 400]))
        for (conversation, session, seqs), since, until, last in product(places, limits, limits, (None, 0, 2, 50)):
            fitting = [
                m
                for m in added
                if conversation in (None, m.conversation_id)
                and session in (None, m.session)
                and (seqs is None or m.seq in seqs)
                and (since is None or m.at >= since)
                and (until is None or m.at < until)
            ]
            expected = fitting if last is None else fitting[max(len(fitting) - last, 0) :]
            found = view.messages(
                conversation=conversation,
                session=session,
                seqs=None if seqs is None else iter(seqs),
                since=since,
                until=until,
                last=last,
            )
            assert found == expected, (conversation, session, seqs, since, until, last)

    def test_since_is_inclusive_and_until_is_not(self, store: Store) -> None:
        tick = timedelta(microseconds=1)
        add(store, *(said(f"m{n}", at=NOON + n * tick) for n in (-1, 0, 1)))
        assert [m.id for m in store.view(SCOPE).messages(since=NOON)] == ["m0", "m1"]
        assert [m.id for m in store.view(SCOPE).messages(until=NOON)] == ["m-1"]
        assert [m.id for m in store.view(SCOPE).messages(since=NOON, until=NOON + tick)] == ["m0"]

    def test_what_came_after_is_read_from_the_oldest_on(self, store: Store) -> None:
        added = add(store, *(said(f"m{n}", conversation_id=("c1", "c2")[n % 2]) for n in range(8)))
        view, mine = store.view(SCOPE), added[::2]
        assert view.messages(conversation="c1", after=mine[0].seq, first=2) == mine[1:3]
        assert view.messages(conversation="c1", after=mine[0].seq) == mine[1:]
        assert view.messages(after=added[-1].seq) == view.messages(first=0) == []


class _Documents:
    def test_the_version_of_a_document_counts_its_changes(self, store: Store) -> None:
        for version in (1, 2, 3):
            with store.transaction(SCOPE) as tx:
                assert tx.put("goal", "g1", {"text": f"draft {version}"}) == version
        assert store.view(SCOPE).document("goal", "g1") == Document("goal", "g1", 3, {"text": "draft 3"})
        assert store.view(SCOPE).document("note", "g1") is None
        assert store.view(SCOPE).document("goal", "g2") is None

    def test_documents_come_in_the_order_in_which_they_were_first_put(self, store: Store) -> None:
        with store.transaction(SCOPE) as tx:
            for id in ("b", "c", "a"):
                tx.put("goal", id, {})
                tx.put("note", id, {"of": "another kind"})
        with store.transaction(SCOPE) as tx:
            tx.put("goal", "b", {"changed": True})
        assert [(d.id, d.version) for d in store.view(SCOPE).documents("goal")] == [("b", 2), ("c", 1), ("a", 1)]

    def test_a_dropped_document_is_gone_and_may_begin_again(self, store: Store) -> None:
        with store.transaction(SCOPE) as tx:
            for id in ("a", "b"):
                tx.put("goal", id, {})
            assert tx.put("goal", "a", {}) == 2
            assert tx.drop("goal", "a") is True
            assert tx.drop("goal", "a") is False
            assert tx.drop("note", "b") is False
        assert store.view(SCOPE).document("goal", "a") is None
        with store.transaction(SCOPE) as tx:
            assert tx.put("goal", "a", {}) == 1
        assert [d.id for d in store.view(SCOPE).documents("goal")] == ["b", "a"]


class _Events:
    def test_events_are_numbered_and_read_on_from_any_of_them(self, store: Store) -> None:
        for start in (1, 4):
            with store.transaction(SCOPE) as tx:
                emitted = [tx.emit(Event(f"step {n}", NOON - n * MINUTE, "main")) for n in range(start, start + 3)]
            assert [e.seq for e in emitted] == [start, start + 1, start + 2]
        view = store.view(SCOPE)
        assert [(e.seq, e.kind) for e in view.events()] == [(n, f"step {n}") for n in range(1, 7)]
        assert [e.seq for e in view.events(since=4)] == [5, 6]
        assert [e.seq for e in view.events(since=1, limit=2)] == [2, 3]
        assert view.events(since=6) == view.events(since=600) == view.events(limit=0) == []


class _Index:
    """The sizes are such that an index written in batches, or in pieces, meets its own borders."""

    def test_words_are_found_as_soon_as_they_are_said(self, store: Store) -> None:
        with store.transaction(SCOPE) as tx:
            tx.add(said("m1", "Red, red BUTTON"))
            assert tx.find(["red", "button", "blue"]).postings == {
                "red": [(1, 2, 3)],
                "button": [(1, 1, 3)],
                "blue": [],
            }
            assert tx.find(()).corpus == Corpus(1, 3)
        add(store, said("m2", "Make it blue", expanded="Make the button blue"))
        assert list(store.view(SCOPE).find(["button", "button"]).postings["button"]) == [(1, 1, 3), (2, 1, 7)]
        expect_index(store.view(SCOPE))

    def test_the_index_follows_every_single_message(self, store: Store) -> None:
        for n in range(140):
            add(store, said(f"m{n}", talk(n)))
            with store.transaction(SCOPE) as tx:
                if n % 10 == 7:
                    tx.replace(said(f"m{n // 2}", f"changed {talk(n)}"))
                if n % 10 == 9:
                    tx.remove([f"m{n // 3}", f"m{n}"])
            if n % 9 == 0 or n % 64 in (62, 63, 0, 1):
                expect_index(store.view(SCOPE), gone=["never", *(f"n{k}" for k in range(n))])

    def test_the_index_follows_many_messages_at_once(self, store: Store) -> None:
        add(store, *(said(f"m{n}", talk(n)) for n in range(1300)))
        expect_index(store.view(SCOPE))
        with store.transaction(SCOPE) as tx:
            for n in (0, 63, 64, 511, 512, 513, 700, 1023, 1024, 1279, 1280, 1299):
                tx.replace(said(f"m{n}", f"changed twice, changed {n} later"))
            assert tx.remove(f"m{n}" for n in range(500, 640)) == 140
            expect_index(tx, gone=["n0", "n63", "n500", "n639"])
            for n in (0, 64, 1299):
                tx.replace(said(f"m{n}", talk(n)))
            tx.add(said("m513", talk(513)))
        expect_index(store.view(SCOPE), gone=["n512"])

    def test_a_long_text_is_counted_in_full(self, store: Store) -> None:
        add(store, said("m0", "red " * 70_000), *(said(f"m{n}", talk(n)) for n in range(1, 70)))
        expect_index(store.view(SCOPE))

    def test_the_index_forgets_all_when_all_is_removed(self, store: Store) -> None:
        add(store, *(said(f"m{n}", talk(n)) for n in range(150)))
        with store.transaction(SCOPE) as tx:
            assert tx.remove(m.id for m in tx.messages()) == 150
        expect_index(store.view(SCOPE), gone=[*WORDS, *(f"n{n}" for n in range(150))])
        add(store, *(said(f"m{n}", talk(n)) for n in range(70)))
        expect_index(store.view(SCOPE), gone=["n149"])

    def test_the_index_of_a_failed_transaction_is_taken_back(self, store: Store) -> None:
        add(store, *(said(f"m{n}", talk(n)) for n in range(100)))
        before = contents(store.view(SCOPE))
        with Expect(Stop), store.transaction(SCOPE) as tx:
            for n in range(100, 230):
                tx.add(said(f"m{n}", f"never {talk(n)}"))
            tx.replace(said("m3", "never"))
            tx.replace(said("m99", "never"))
            tx.remove(f"m{n}" for n in range(20, 200))
            raise Stop
        assert contents(store.view(SCOPE)) == before
        expect_index(store.view(SCOPE), gone=["never", "n100", "n229"])


class _Transactions:
    def test_a_transaction_that_raises_leaves_nothing(self, store: Store) -> None:
        write_everything(store)
        before = contents(store.view(SCOPE))
        for error in (Stop, OSError, KeyboardInterrupt):
            with Expect(error), store.transaction(SCOPE) as tx:
                tx.add(said("m3", "purple"))
                tx.replace(said("m1", "green", conversation_id="c2"))
                tx.replace(said("m1", "green and purple"))
                tx.remove(["m2", "m3"])
                tx.add(said("m2", "another green one"))
                tx.put("goal", "g1", {"text": "changed"})
                tx.drop("goal", "g1")
                tx.put("goal", "g1", {"text": "made anew"})
                tx.put("note", "n1", {})
                tx.emit(Event("ended", NOON, "main"))
                raise error
            assert contents(store.view(SCOPE)) == before
        with store.transaction(SCOPE) as tx:
            assert tx.add(said("m3")).seq == 3
            assert tx.emit(Event("ended", NOON, "main")).seq == 2
            assert tx.put("goal", "g1", {}) == 2

    def test_a_transaction_that_raises_in_a_new_scope_leaves_nothing(self, store: Store) -> None:
        for _ in range(2):
            with Expect(Stop), store.transaction(SCOPE) as tx:
                assert tx.add(said("m1")).seq == 1
                assert tx.emit(STEP).seq == 1
                raise Stop
        write_everything(store, OTHER_SCOPES[0])
        assert store.view(SCOPE).messages() == []
        assert add(store, said("m1"))[0].seq == 1

    def test_a_transaction_reads_its_own_writes(self, store: Store) -> None:
        with store.transaction(SCOPE) as tx:
            first = tx.add(said("m1", "red", session="side", conversation_id="c1"))
            tx.put("goal", "g1", {"n": 1})
            step = tx.emit(Event("started", NOON, "main"))
            assert tx.message("m1") == first
            assert tx.messages(conversation="c1", session="side", seqs=[1], last=1) == [first]
            assert tx.document("goal", "g1") == Document("goal", "g1", 1, {"n": 1})
            assert tx.documents("goal") == [Document("goal", "g1", 1, {"n": 1})]
            assert tx.events() == [step]
            tx.replace(said("m1", "blue"))
            assert tx.messages(conversation="c1") == []
            expect_index(tx, gone=["red"])
            tx.remove(["m1"])
            tx.drop("goal", "g1")
            assert (tx.message("m1"), tx.messages(), tx.documents("goal")) == (None, [], [])
            expect_index(tx, gone=["red", "blue"])

    def test_nobody_else_sees_a_transaction_before_it_is_committed(self, store: Store) -> None:
        view, seen = store.view(SCOPE), list[object]()
        reads: list[Callable[[], object]] = [
            lambda: view.message("m1"),
            lambda: view.messages() or None,
            lambda: view.document("goal", "g1"),
            lambda: view.documents("goal") or None,
            lambda: view.events() or None,
            lambda: view.find(["button"]).postings["button"] or None,
            lambda: view.find(()).corpus.messages or None,
        ]
        readers = [Thread(target=lambda read=read: seen.append(read())) for read in reads]
        with Expect(Stop), store.transaction(SCOPE) as tx:
            tx.add(said("m1"))
            tx.put("goal", "g1", {})
            tx.emit(STEP)
            for reader in readers:
                reader.start()
                reader.join(0.02)  # a store may answer at once, or let the reader wait for the end
            raise Stop
        for reader in readers:
            reader.join()
        assert seen == [None] * len(readers)

    def test_writers_take_turns(self, store: Store) -> None:
        def count_up() -> None:
            for _ in range(10):
                with store.transaction(SCOPE) as tx:
                    known = tx.document("count", "c")
                    tx.put("count", "c", {"value": 1 if known is None else known.body["value"] + 1})

        writers = [Thread(target=count_up) for _ in range(4)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        assert store.view(SCOPE).document("count", "c") == Document("count", "c", 40, {"value": 40})

    def test_a_transaction_that_is_over_takes_nothing_more(self, store: Store) -> None:
        with store.transaction(SCOPE) as tx:
            tx.add(said("m1"))
        with Expect(StoreError):
            tx.add(said("m2"))
        with Expect(StoreError):
            tx.put("goal", "g1", {})
        assert [m.id for m in store.view(SCOPE).messages()] == ["m1"]


class _Scopes:
    def test_scopes_hold_the_same_ids_and_know_nothing_of_each_other(self, store: Store) -> None:
        for number, scope in enumerate(OTHER_SCOPES):
            assert contents(store.view(scope))["corpus"] == Corpus(0, 0)
            write_everything(store, scope)
            with store.transaction(scope) as tx:
                tx.replace(said("m1", f"purple {number}"))
        before = [contents(store.view(scope)) for scope in OTHER_SCOPES]
        assert [found["messages"][0].text for found in before] == [f"purple {n}" for n in range(len(OTHER_SCOPES))]
        add(store, *(said(f"m{n}", "green") for n in range(70)))
        with store.transaction(SCOPE) as tx:
            tx.replace(said("m1", "green"))
            tx.remove(["m1", "m2"])
            tx.put("goal", "g1", {"text": "mine"})
            tx.put("goal", "g2", {})
            tx.drop("goal", "g1")
            tx.emit(STEP)
        assert [contents(store.view(scope)) for scope in OTHER_SCOPES] == before
        assert [len(store.view(scope).messages(seqs=range(80))) for scope in OTHER_SCOPES] == [2] * len(OTHER_SCOPES)
        mine = store.view(SCOPE)
        assert len(mine.messages()) == mine.find(()).corpus.messages == 68
        assert [d.id for d in mine.documents("goal")] == ["g2"]
        assert mine.events() == [replace(STEP, seq=1)]
        expect_index(mine, gone=["purple", "red", "blue", "button"])


class _Closing:
    def test_a_closed_store_refuses_to_be_used(self, store: Store) -> None:
        write_everything(store)
        view = store.view(SCOPE)
        store.close()
        store.close()
        for read in (view.messages, view.events, lambda: view.find(()), lambda: store.view(SCOPE).messages()):
            with Expect(StoreError):
                read()
        with Expect(StoreError), store.transaction(SCOPE) as tx:
            tx.add(said("m3"))


class StoreConformance(
    _Messages, _RoundTrips, _Filters, _Documents, _Events, _Index, _Transactions, _Scopes, _Closing, Vectors, Erasing
):
    """Every behaviour of the port `Store`. Subclass it and give it a fixture `store`."""
