"""Whether a message is in another language than English: what points back in it is left as it is, since English words
put into it would garble it."""

from __future__ import annotations

from anaphora.function_words import word_set
from anaphora.understanding.patterns import expression

__all__ = ["is_foreign"]

# the small words of each that no English sentence is made of
_OTHERS = (
    word_set(
        "der das und ist nicht ich ein eine mit auf für auch wie wir sie es den dem zu von wenn aber oder bitte kannst "
        "mir mich noch schon hier warum wann wer wird sind habe hat kein keine mach gib zeig daraus dazu damit er war "
        "wurde waren kann soll geht gibt was"
    ),
    word_set(
        "el los las una es y que qué cómo para por con del está esta esto pero más muy cuál cuánto quién ella él yo tú "
        "mi hay puedo puedes dame hazlo hola gracias también lo se"
    ),
    word_set(
        "le les une est et que qui dans pour pas avec sur je tu il elle nous vous ce cette mais où quel quelle combien "
        "peux fais merci aussi très plus en un du des il elle fait là ça au aux ne"
    ),
    word_set(
        "il lo gli una è e che per non con sono come dove quanto quale questo questa anche più puoi grazie di della nel"
    ),
    word_set(
        "o os uma é e que para não com você eu isso esta este mais muito como onde qual quanto pode obrigado também"
    ),
    word_set("het een van niet ik wij jullie zijn en met voor dat deze maar ook naar waarom hoe wat kan maak geef"),
)
_ENGLISH = word_set(
    "the a an is are was were be to of and in for on with it this that i you we they he she my your can could what how "
    "why when who which do does did not no yes please make add use as or if then from at by so but have has had will "
    "would me there about need want get same one all any"
)
_WORD = expression(r"[^\W\d_]+")
_READ = 300  # characters
_FEW = 2  # words
_LATIN = "\u024f"
_OF_OTHER_LETTERS = 0.3


def is_foreign(text: str) -> bool:
    """By its letters, or by its small words."""
    words = frozenset(_WORD.findall(text[:_READ].lower()))
    letters = "".join(words)
    if sum(letter > _LATIN for letter in letters) > _OF_OTHER_LETTERS * len(letters):
        return True
    return any(len(words & small) >= max(_FEW, len(words & _ENGLISH) + 1) for small in _OTHERS)
