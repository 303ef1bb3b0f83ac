"""Given names that are mostly a woman's, or mostly a man's: the common ones, without those that are both."""

from __future__ import annotations

from anaphora.function_words import word_set

__all__ = ["ALSO_WORDS", "HERS", "HIS", "is_named"]

HERS = word_set(
    "abigail ada alice alicia amanda amelia amy ana angela anja anke anna anne annie antonia barbara beatrice beatriz "
    "bella bianca brigitte camila carla carmen carol carolina caroline catherine cecilia charlotte chiara chloe "
    "christina christine clara claudia daniela deborah denise diana donna doris dorothy eileen elena eleanor elisa "
    "elisabeth elizabeth ella ellen emilia emily emma erika esther eva evelyn fatima fiona florence franziska frida "
    "gabriela gina giulia gloria grace greta hannah heather heidi helen helena helga ida ingrid irene iris isabel "
    "isabella jana jane janet jasmine jennifer jenny jessica joan johanna josephine joyce juana judith julia juliana "
    "julie karen karin katharina katherine kathleen kathryn katja kelly laila laura lea lena leonie leticia lily lina "
    "linda lisa lotte louise lucia lucy luisa madeleine magdalena margaret margarita maria mariana marie marina "
    "martha martina mary maya megan melanie melissa mia michelle mila miriam monica monika nadia nadine naomi natalia "
    "natalie nicole nina nora olga olivia pamela patricia paula pauline petra pilar rachel rebecca renate rita rosa "
    "rose ruth sabine samantha sandra sara sarah silvia sofia sonia sophia sophie stella stephanie susan "
    "susanne sylvia tanja tatiana teresa tina ulrike ursula valentina valeria vanessa vera veronica victoria virginia "
    "wendy yvonne zoe"
)
HIS = word_set(
    "aaron adam adrian ahmed albert alberto alejandro alexander alfred ali alan andreas andrew anthony antonio armin "
    "arnold arthur barack ben benjamin bernard bernd bill bob brandon brian bruno carl carlos charles christian "
    "christoph christopher claus clemens craig daniel dave david dennis diego dieter dirk dominik donald douglas "
    "edward emil enrique eric erik ernst ethan eugene fabian felix fernando florian francesco francisco franz fred "
    "frank frederick fritz gary georg george gerald gerhard giovanni giuseppe gordon greg gregory guido gustav hans "
    "harald harold harry heinrich helmut henri henry herbert hugo ian ibrahim ivan jack jacob jacques jakob james "
    "jason javier jeff jeffrey jeremy jerry jim joachim joe joel johannes john johnny jonas jonathan jorge jose joseph "
    "joshua juan julian jens jürgen justin karl keith kenneth kevin klaus konrad kurt larry lars leander leo leon "
    "leonardo lorenzo louis luca lucas luis luke lukas marc marco marcel marcus mario mark markus martin mateo matt "
    "matteo matthew matthias max maximilian michael miguel mike mohamed mohammed moritz nathan nicholas nick niklas "
    "nils noah norbert oliver oscar oskar otto pablo patrick paul paolo pedro peter philip philipp pierre rafael ralf "
    "ralph ray raymond ricardo richard rob robert roberto roger roland roman ron ronald rudolf ryan scott sebastian "
    "sergio simon stefan stephen steve steven sven theo theodor thomas tim timothy tobias todd tom tony uwe vincent "
    "viktor walter werner wilhelm william wolfgang"
)
ALSO_WORDS = word_set("bill carol frank grace iris jack mark max ray rob rose")  # written small they are no names


def is_named(words: str) -> bool:
    """Whether words begin with a given name."""
    first = words.partition(" ")[0].lower()
    return first in HERS or first in HIS
