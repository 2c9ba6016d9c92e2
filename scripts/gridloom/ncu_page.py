"""What scripts/profile asks Nsight Compute for, and how its raw page in CSV becomes rows.

The raw page has a row of column names, a row of units and a row for each launch of a kernel. Lines
of ncu itself begin with `==`."""

import csv
import math
import re
from typing import NamedTuple

from gridloom.results_file import Column
from gridloom_datasets.errors import InputError, reason
from gridloom_datasets.files import open_input


class Metric(NamedTuple):
    column: str
    unit: str  # a key of SCALES
    source: str  # its name in ncu
    description: str


METRICS = [
    Metric("time_us", "us", "gpu__time_duration.sum", "time of the kernel under ncu"),
    Metric("dram_percent", "%", "dram__throughput.avg.pct_of_peak_sustained_elapsed",
           "throughput of the DRAM, of its peak"),
    Metric("l2_percent", "%", "lts__throughput.avg.pct_of_peak_sustained_elapsed",
           "throughput of the L2 cache, of its peak"),
    Metric("sm_percent", "%", "sm__throughput.avg.pct_of_peak_sustained_elapsed",
           "throughput of the multiprocessors' busiest unit, of its peak"),
    Metric("occupancy_percent", "%", "sm__warps_active.avg.pct_of_peak_sustained_active",
           "resident warps, of the most that a multiprocessor holds"),
    Metric("issue_percent", "%", "smsp__issue_active.avg.pct_of_peak_sustained_active",
           "cycles in which a scheduler issues an instruction"),
    Metric("instructions", "1", "smsp__inst_executed.sum", "instructions of warps"),
    Metric("dram_read_bytes", "bytes", "dram__bytes_read.sum", "read from DRAM"),
    Metric("dram_write_bytes", "bytes", "dram__bytes_write.sum", "written to DRAM"),
    Metric("l2_sectors", "1", "lts__t_sectors.sum", "sectors of 32 bytes that the L2 looked up"),
    Metric("l2_reads", "1", "lts__t_sectors_op_read.sum", "sectors that reads looked up"),
    Metric("l2_read_misses", "1", "lts__t_sectors_op_read_lookup_miss.sum",
           "of these, sectors that the L2 did not have"),
    Metric("l2_writes", "1", "lts__t_sectors_op_write.sum", "sectors that writes looked up"),
    Metric("l2_write_misses", "1", "lts__t_sectors_op_write_lookup_miss.sum",
           "of these, sectors that the L2 did not have"),
    Metric("registers", "1", "launch__registers_per_thread", "registers per thread"),
    Metric("shared_bytes", "bytes", "launch__shared_mem_per_block", "shared memory per block"),
]  # fmt: skip
# Metrics by --counters: all of them, or few that take one or two passes without states of warps.
COUNTERS = {
    "all": [metric.column for metric in METRICS],
    "l2": ["time_us", "l2_sectors", "l2_reads", "l2_read_misses", "l2_writes", "l2_write_misses",
           "registers", "shared_bytes"],
}  # fmt: skip
SCALES = {
    "us": {"ns": 1e-3, "nsecond": 1e-3, "us": 1, "usecond": 1, "ms": 1e3, "msecond": 1e3,
           "s": 1e6, "second": 1e6},
    "%": {"%": 1},
    "bytes": {"byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "Tbyte": 1e12},
    "1": {},
}  # fmt: skip

# States of a warp. A group is what the device at hand has; the counters are those of all devices.
STATES = "barrier branch_resolving dispatch_stall drain lg_throttle long_scoreboard membar misc"
STATES += " math_pipe_throttle mio_throttle no_instruction not_selected selected short_scoreboard"
STATES += " sleeping tex_throttle wait"
STALLS = {
    "samples": ["group:smsp__pcsamp_warp_stall_reasons"],
    "counters": [
        f"smsp__average_warps_issue_stalled_{state}_per_issue_active.ratio"
        for state in STATES.split()
    ],
}
STALL_NAMES = {
    "samples": re.compile(r"smsp__pcsamp_warps_issue_stalled_(\w+?)(?<!_not_issued)"),
    "counters": re.compile(r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active\.ratio"),
}
ONE_NAME = {"no_instruction": "no_instructions", "gmma": "warpgroup_arrive"}

LAUNCH = [
    Column("name", "text", "", "name of the profile"),
    Column("pattern", "text", "", "regular expression that chose the kernel"),
    Column("launch", "whole numbers", "1", "place among the launches of kernels that match"),
]
TABLES = {
    "runs": [
        *LAUNCH,
        Column("kernel", "text", "", "kernel, as ncu writes it"),
        Column("backend", "text", "", "cuda"),
        Column("blocks", "whole numbers", "1", "blocks"),
        Column("threads", "whole numbers", "1", "threads per block"),
        *(Column(m.column, "reals", m.unit, f"{m.description} ({m.source})") for m in METRICS),
        Column("status", "text", "", "ok"),
    ],
    "stalls": [
        *LAUNCH,
        Column("state", "text", "", "what a warp was found waiting for; selected: nothing"),
        Column("measure", "text", "", "samples: of warps; counters: warps an issued instruction"),
        Column("amount", "reals", "1", "how many, by that measure"),
    ],
}


# --- what ncu wrote --------------------------------------------------------------------------


def read_raw(path):
    """Reads a raw page in CSV: units by column, and (place, fields by column) of each launch."""
    try:
        with open_input(path) as file:
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError as error:
        raise InputError(f"{path}: {reason(error)}") from error
    numbered = [(f"{path}:{k}", line) for k, line in enumerate(lines, start=1)]
    if place := next((place for place, line in numbered if "\0" in line), None):
        raise InputError(f"{place}: expected text, got a zero byte")
    start = next((k for k, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    rows = [
        (place, fields_of(place, line))
        for place, line in numbered[start:]
        if line.strip() and not line.startswith("==")
    ]
    if not rows:
        raise InputError(f"{path}: expected a CSV of ncu --page raw, got no line of its columns")
    (place, names), *rows = rows
    needed = ("Kernel Name", "Block Size", "Grid Size")
    lost = [name for name in needed if name not in names]
    if lost or len(set(names)) != len(names) or "Metric Name" in names:
        what = f'no column "{lost[0]}"' if lost else "another page or a column twice"
        raise InputError(f"{place}: expected the columns of ncu --page raw, got {what}")
    for place, fields in rows:
        if len(fields) != len(names):
            raise InputError(f"{place}: expected {len(names)} fields, got {len(fields)}")
    if not rows or rows[0][1][0]:
        place = rows[0][0] if rows else place
        raise InputError(f"{place}: expected the row of units, which has no ID")
    (_, units), *rows = rows
    return dict(zip(names, units, strict=True)), [
        (place, dict(zip(names, fields, strict=True))) for place, fields in rows
    ]


def fields_of(place, line):
    try:
        return next(csv.reader([line], strict=True))
    except csv.Error as error:
        raise InputError(f"{place}: expected a row of a CSV ({error})") from error


def number_of(text, place, name):
    """The number, or NaN if ncu does not know it."""
    if text.strip().lower() in ("", "n/a", "nan", "(!) nan"):
        return math.nan
    if not re.fullmatch(r"-?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?([eE][-+]?\d+)?", text):
        raise InputError(f'{place}: {name}: expected a number such as 1,234.5, got "{text}"')
    return float(text.replace(",", ""))


def value_of(metric, units, fields, place):
    if metric.source not in fields:
        return math.nan
    value = number_of(fields[metric.source], place, metric.source)
    unit = units[metric.source].split("/")[0]  # byte/block becomes byte
    scale = SCALES[metric.unit].get(unit)
    if metric.unit == "1":  # a count, of sectors or instructions
        scale = {"K": 1e3, "M": 1e6, "G": 1e9}.get(unit[:1], 1)
    if scale is None and not math.isnan(value):
        known = ", ".join(filter(None, SCALES[metric.unit]))
        raise InputError(
            f'{place}: {metric.source}: expected a unit of {known}, got "{units[metric.source]}"'
        )
    return value * (scale or 1)


def size(text, place):
    """The product of a size such as (132, 1, 1)."""
    if not re.fullmatch(r"\(\d+(, *\d+){2}\)", text):
        raise InputError(f'{place}: expected a size such as (132, 1, 1), got "{text}"')
    return math.prod(map(int, re.findall(r"\d+", text)))


def stalls_of(fields, place):
    """Returns (measure, amount by state), from samples if there are any, else from counters."""
    for measure, pattern in STALL_NAMES.items():
        found = {}
        for name, text in fields.items():
            if match := pattern.fullmatch(name):
                found[ONE_NAME.get(match[1], match[1])] = number_of(text, place, name)
        if any(amount > 0 for amount in found.values()):
            return measure, found
    return "samples", {}


def rows_of(options, units, launches):
    """The rows of both tables, and the names of missing values."""
    runs, stalls, missing = [], [], []
    for place, fields in launches:
        number = options.skip + len(runs)
        launch = {"name": options.name, "pattern": options.kernel, "launch": number}
        row = launch | {"kernel": fields["Kernel Name"], "backend": "cuda", "status": "ok"}
        row["blocks"] = size(fields["Grid Size"], place)
        row["threads"] = size(fields["Block Size"], place)
        row |= {m.column: value_of(m, units, fields, place) for m in METRICS}
        runs.append(row)
        measure, states = stalls_of(fields, place)
        for state, amount in states.items():
            stalls.append(launch | {"state": state, "measure": measure, "amount": amount})
        asked = COUNTERS[options.counters]
        missing += [m.source for m in METRICS if m.column in asked and math.isnan(row[m.column])]
        missing += [f"state {state}" for state, amount in states.items() if math.isnan(amount)]
        wanted = options.counters == "all"
        missing += [] if states or not wanted else ["states of warps (try --stalls counters)"]
    return {"runs": runs, "stalls": stalls}, list(dict.fromkeys(missing))
