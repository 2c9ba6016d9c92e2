"""All forms of OpenMP that juggler-cc translates, and all that it refuses."""

from juggler_cc_of_c import OF_C, OF_MEANING, OF_TEXT
from juggler_cc_parts import HEAD as PARTS_HEAD
from juggler_cc_refused import NOT_SUGGESTED, SUGGESTED
from juggler_cc_refused import REFUSED as REFUSED_FORMS
from juggler_cc_regions import REGIONS
from juggler_cc_standards import (
    REFUSED_CPP_STANDARDS,
    REFUSED_STANDARDS,
    STANDARDS,
    WHOLE_STANDARDS,
)
from juggler_cc_strangers import (
    REFERENCES,
    REFUSED_REFERENCES,
    REFUSED_STRANGERS,
    STRANGERS,
    STRANGERS_HEAD,
)
from juggler_cc_tasks import TASKS
from juggler_cc_traps import REFUSED_TRAPS, TRAPS, TRAPS_HEAD, TRAPS_TAIL
from juggler_cc_whole import REFUSED_CPP as REFUSED_WHOLE
from juggler_cc_whole import WHOLE as WHOLE_PROGRAMS

__all__ = [
    "ACCEPTED", "HEAD", "NOT_SUGGESTED", "REFUSED", "REFUSED_CPP", "SUGGESTED", "TAIL", "WHOLE",
]  # fmt: skip

HEAD = PARTS_HEAD + TRAPS_HEAD + STRANGERS_HEAD
TAIL = TRAPS_TAIL
ACCEPTED = TASKS | REGIONS | TRAPS | STRANGERS | STANDARDS
REFUSED = REFUSED_FORMS | OF_C | OF_TEXT | OF_MEANING
REFUSED |= REFUSED_TRAPS | REFUSED_STRANGERS | REFUSED_STANDARDS
REFUSED_CPP = REFUSED_WHOLE | REFUSED_REFERENCES | REFUSED_CPP_STANDARDS
WHOLE = WHOLE_PROGRAMS | REFERENCES | WHOLE_STANDARDS
