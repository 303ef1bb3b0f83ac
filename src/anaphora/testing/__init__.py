"""For tests of programs that use Anaphora: a clock that stands still, and the suite that every store must pass."""

from anaphora.testing import conformance
from anaphora.testing.clock import FrozenClock
from anaphora.testing.conformance import StoreConformance

__all__ = ["FrozenClock", "StoreConformance", "conformance"]
