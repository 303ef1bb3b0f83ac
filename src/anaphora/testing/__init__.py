"""For tests of programs that use Anaphora: a clock that stands still, and the suite that every store must pass."""

from anaphora.testing.clock import FrozenClock

__all__ = ["FrozenClock"]
