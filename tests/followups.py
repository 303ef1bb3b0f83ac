"""Follow-ups of our own making, by family: what was said before, the message, and what its expansion must hold.

They were written for this test alone, from nobody's data. They must stay out of training: not in
training/conversations, not a template or a seed for made examples, not a list that weights or thresholds are chosen on
(tests/test_followups.py looks for them in training/). When one fails, mend the engine for its kind, never the row.
"""

from __future__ import annotations

from tests.followups_across import CROSS_CONVERSATION, TO_REPLY
from tests.followups_alone import NONE
from tests.followups_form import FAMILIES, Family, FollowUp
from tests.followups_pointing import DEFINITE, DEMONSTRATIVE, PRONOUN
from tests.followups_unsaid import COMPARISON, ELLIPSIS, ORDINAL

__all__ = ["FAMILIES", "FOLLOW_UPS", "Family", "FollowUp"]

FOLLOW_UPS: tuple[FollowUp, ...] = (
    *PRONOUN,
    *DEMONSTRATIVE,
    *DEFINITE,
    *ORDINAL,
    *ELLIPSIS,
    *COMPARISON,
    *CROSS_CONVERSATION,
    *TO_REPLY,
    *NONE,
)
