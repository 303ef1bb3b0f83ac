"""Cutting: at sentence borders, around what the query is about, marked, and never longer than asked for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.assembly.cutting import CUT, Focus, beginning, excerpt, sentences
from anaphora.models.tokens import token_counter

COUNT = token_counter("o200k").count
LONG = (
    "We met on Monday. The gateway listens on port 8443. Lunch was late, as always. Nobody liked the soup. "
    "The certificate of the gateway runs out in May. Then we talked about holidays. It rained."
)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=400) | st.lists(
    st.sampled_from(["One thing. ", "Two things?\n", "port ", "日本語。", "x" * 50, "\n\n", "e.g. this! ", CUT]),
    max_size=40,
).map("".join)


@pytest.mark.parametrize(
    ("query", "most", "made"),
    [
        ("Which port does the gateway use?", 16, "We met on Monday. The gateway listens on port 8443. …"),
        (
            "the gateway",
            24,
            "… The gateway listens on port 8443. … The certificate of the gateway runs out in May. …",
        ),
        ("what about rain and raining?", 7, "… It rained."),
        ("Who was at the meeting?", 8, "We met on Monday. …"),
        ("gateway certificate", 200, LONG),
    ],
)
def test_the_sentences_that_match_the_query_stay(query: str, most: int, made: str) -> None:
    assert excerpt(LONG, most, COUNT, Focus(query)) == made


def test_words_are_found_in_any_of_their_forms() -> None:
    found = Focus("the stories about validating deploys").places("A story, its validation; deploy_all, redeploy")
    assert [word for _, word in found] == ["story", "valid", "deploy"]


def test_of_sentences_that_match_as_well_the_first_stay() -> None:
    """Whatever order their words are added up in: the same text is cut alike in every process."""
    said = [[f"{start}{n // spread}" for start, spread in (("pa", 2), ("ko", 3), ("mi", 5))] for n in range(30)]
    text = " ".join(f"Say {' '.join(words)}." for words in said)
    query = " ".join(word for words in said for word in words)
    assert excerpt(text, 50, COUNT, Focus(query)).startswith(
        "Say pa0 ko0 mi0. Say pa0 ko0 mi0. Say pa1 ko0 mi0. Say pa1"
    )


def test_a_sentence_that_alone_is_too_long_is_cut_between_words_around_the_match() -> None:
    text = "word " * 300 + "and the port is 8443 " + "word " * 300
    made = excerpt(text, 12, COUNT, Focus("which port?"))
    assert "port is 8443" in made
    assert made.startswith(CUT)
    assert made.endswith(CUT)
    assert COUNT(made) <= 12


def test_a_very_long_text_is_looked_at_where_the_query_points() -> None:
    text = "Nothing to see here. " * 20_000 + "The port is 8443. " + "Nothing to see here. " * 20_000
    made = excerpt(text, 40, COUNT, Focus("port"))
    assert "The port is 8443." in made
    assert made.startswith(CUT)
    assert made.endswith(CUT)


@given(texts, texts, st.integers(1, 80))
def test_an_excerpt_keeps_to_its_length_its_text_and_its_marks(text: str, query: str, most: int) -> None:
    made = excerpt(text, most, COUNT, Focus(query))
    assert COUNT(made) <= most
    if COUNT(text) <= most:
        assert made == text
    else:
        assert CUT in made or made == ""
    rest = " ".join(text.split())
    for piece in re.split(rf"\s*{CUT}\s*", made):
        assert " ".join(piece.split()) in rest


@given(texts)
def test_sentences_are_the_text_in_pieces(text: str) -> None:
    assert "".join(text[start:end] for start, end in sentences(text)) == text


@given(texts, st.integers(1, 60))
def test_a_beginning_keeps_to_its_length(text: str, most: int) -> None:
    made = beginning(text, most, COUNT)
    assert COUNT(made) <= most
    assert text.startswith(made.removesuffix(CUT))
