"""Forms of OpenMP that juggler-cc takes, and forms that it refuses."""

from juggler_cc_parts import HEAD
from juggler_cc_refused import REFUSED, SUGGESTED
from juggler_cc_regions import REGIONS
from juggler_cc_tasks import TASKS
from juggler_cc_whole import REFUSED_CPP, WHOLE

__all__ = ["ACCEPTED", "HEAD", "REFUSED", "REFUSED_CPP", "SUGGESTED", "WHOLE"]

ACCEPTED = TASKS | REGIONS
