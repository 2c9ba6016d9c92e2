"""All forms of OpenMP that juggler-cc translates, and all that it refuses."""

import juggler_cc_of_c as c_only
import juggler_cc_parts as parts
import juggler_cc_refused as refused
import juggler_cc_regions as regions
import juggler_cc_standards as standards
import juggler_cc_strangers as strangers
import juggler_cc_tasks as tasks
import juggler_cc_traps as traps
import juggler_cc_whole as whole

MODULES = (tasks, regions, whole, refused, c_only, traps, strangers, standards)


def all_of(table):
    found = {}
    for module in MODULES:
        found |= getattr(module, table, {})
    return found


HEAD = parts.HEAD + traps.HEAD + strangers.HEAD
TAIL = traps.TAIL
ACCEPTED, REFUSED = all_of("ACCEPTED"), all_of("REFUSED")
WHOLE, REFUSED_CPP = all_of("WHOLE"), all_of("REFUSED_CPP")
