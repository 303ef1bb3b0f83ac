"""The context for one prompt: what is worked on, what was just said, what is remembered; never over its budget."""

from anaphora.assembly.building import assemble
from anaphora.assembly.material import Material
from anaphora.memory.periods import local_time

__all__ = ["Material", "assemble", "local_time"]
