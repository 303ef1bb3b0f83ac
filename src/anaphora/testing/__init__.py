"""For tests of programs that use Anaphora: a clock that stands still, a language model that says what it was told to
say, and the suite that every store must pass."""

from anaphora.testing import conformance
from anaphora.testing.clock import FrozenClock
from anaphora.testing.conformance import StoreConformance
from anaphora.testing.scripted_model import SILENCE, Failure, ScriptedModel

__all__ = ["SILENCE", "Failure", "FrozenClock", "ScriptedModel", "StoreConformance", "conformance"]
