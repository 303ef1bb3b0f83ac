"""Numbers, ordinals and labels as people write them: "two", "the second", "2nd", "B"."""

from __future__ import annotations

__all__ = ["COUNT", "COUNTS", "LABEL", "MIDDLE", "NUMBERS", "ORDINAL", "ORDINALS", "PLACES", "label_number"]

ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
MIDDLE = 99  # a place that the length of the list decides
_SHORT = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th"]
PLACES = {word: place for words in (ORDINALS, _SHORT) for place, word in enumerate(words)}
PLACES |= {"last": -1, "penultimate": -2, "former": 0, "latter": 1, "middle": MIDDLE}
COUNTS = {word: n for n, word in enumerate(NUMBERS, 1)} | {str(n): n for n in range(1, 100)}
ORDINAL = rf"(?:(?:second|next)[- ]to[- ]last|last but one|{'|'.join(PLACES)})"
COUNT = "|".join(NUMBERS)
LABEL = rf"(?:\d{{1,2}}|[a-h]|{COUNT})"


def label_number(word: str) -> int:
    """The number that a label stands for: 2, two, second and B are the second."""
    return COUNTS.get(word.lower()) or PLACES.get(word.lower(), ord(word[0].lower()) - 97) + 1
