"""The closed classes of English: words that hold a sentence together and have no topic of their own."""

from __future__ import annotations

__all__ = [
    "AUXILIARIES",
    "DETERMINERS",
    "FUNCTION_WORDS",
    "NEGATIONS",
    "PREPOSITIONS",
    "SUBJECTS",
    "word_set",
]


def word_set(text: str) -> frozenset[str]:
    """The words of a line, as a set."""
    return frozenset(text.split())


DETERMINERS = word_set(
    "a an the this that these those my your our his her its their some any each every another no both all"
)
PREPOSITIONS = word_set(
    "to for in on at from with without into onto of by about as like after before under over between through during "
    "inside outside within across against via per than until near instead"
)
SUBJECTS = word_set("i we you they he she it one")
AUXILIARIES = word_set(
    "is are was were be been being am do does did have has had can could should would will shall may might must "
    "isn't aren't wasn't weren't don't doesn't didn't can't couldn't shouldn't wouldn't won't haven't hasn't i'm i'd "
    "i'll i've we'll we're we've you're it's that's there's what's let's lets cannot gonna wanna need needs"
)
NEGATIONS = word_set("not no without never nor rather")
_OTHER = word_set(
    "and or but so if then else when while because since although though that which who whom whose what where why how "
    "here there now again already also too just only even still yet maybe perhaps please actually really very quite "
    "first next last later soon ok okay yes yeah yep hey hi hello thanks thank sure well instead back up down out off "
    "away such same other me him them us mine yours something anything nothing everything someone anyone once twice "
    "today yesterday tomorrow tonight ago more most less much many few lot lots bit little kind sort etc eg ie vs "
    "myself yourself itself themselves good great right wrong fine today's like want wants wanted trying going able "
    "whether either neither however anyway alright oh um uh think know guess mean means say says said tell show see "
    "look looks seem seems get gets got thing things stuff way ways"
)
FUNCTION_WORDS = DETERMINERS | PREPOSITIONS | SUBJECTS | AUXILIARIES | NEGATIONS | _OTHER
