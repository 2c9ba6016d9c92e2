"""A small raw page of ncu, and a stand-in for ncu that writes one."""

from program_under_test import write_program

IDENTITY = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream"]
IDENTITY += ["Block Size", "Grid Size", "Device", "CC"]
SEARCH = "void gridloom::detail::kernel_entry<gridloom::mhive::level_search<double>>(T1)"
SWEEP = "void gridloom::detail::kernel_entry<gridloom::mhive::sweep>(T1)"
SAMPLES = "smsp__pcsamp_warps_issue_stalled_"
COUNTERS = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"

# {column: (unit, value of the first launch, value of the second)}
VALUES = {
    "gpu__time_duration.sum": ("ns", "1,250,000", "2,000"),
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": ("%", "12.5", "0.5"),
    "lts__throughput.avg.pct_of_peak_sustained_elapsed": ("%", "33.25", "1"),
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": ("%", "7.75", "2"),
    "sm__warps_active.avg.pct_of_peak_sustained_active": ("%", "50", "25"),
    "smsp__issue_active.avg.pct_of_peak_sustained_active": ("%", "n/a", "3"),
    "smsp__inst_executed.sum": ("inst", "123,456,789", "7"),
    "dram__bytes_read.sum": ("byte", "4,096", "32"),
    "dram__bytes_write.sum": ("byte", "1,024.00", "0"),
    "lts__t_sectors.sum": ("sector", "640", "64"),
    "launch__registers_per_thread": ("register/thread", "64", "32"),
    "launch__shared_mem_per_block": ("byte/block", "2,048", "0"),
    f"{SAMPLES}barrier": ("warp", "600", "1"),
    f"{SAMPLES}long_scoreboard": ("warp", "200", "1"),
    f"{SAMPLES}membar": ("warp", "100", "1"),
    f"{SAMPLES}wait": ("warp", "40", "1"),
    f"{SAMPLES}sleeping": ("warp", "10", "0"),
    f"{SAMPLES}selected": ("warp", "50", "1"),
    f"{SAMPLES}barrier_not_issued": ("warp", "599", "1"),
}


def quoted(fields):
    return ",".join(f'"{field}"' for field in fields)


def lines_of(values=VALUES, kernels=(SEARCH, SWEEP)):
    """The lines of a page; line 3 has the names, 4 the units, 5 and on the launches."""
    lines = ["==PROF== Connected to process 7 (/bin/mhive-rcm)", "==PROF== Disconnected"]
    lines += [quoted([*IDENTITY, *values]), quoted([""] * len(IDENTITY) + [v[0] for v in
              values.values()])]  # fmt: skip
    for k, kernel in enumerate(kernels):
        own = [k, 7, "mhive-rcm", "127.0.0.1", kernel, 1, 7, "(256, 1, 1)", "(132, 2, 1)", 0, "9.0"]
        lines.append(quoted([*own, *(value[1 + k % 2] for value in values.values())]))
    return lines


def write_page(path, *arguments, **named):
    path.write_text("\n".join(lines_of(*arguments, **named)) + "\n")
    return path


FAKE = """#!/bin/sh
# Writes the page to the file after --log-file, as ncu does, and its arguments beside the page.
if [ "$1" = --version ]; then echo 'Version 2025.3.1.0 (build 1)'; exit 0; fi
printf '%s\\n' "$@" > {folder}/arguments
while [ "$1" != --log-file ]; do
    [ "$1" = --metrics ] && metrics=$2
    shift
done
log=$2
shift 2
{body}
"""


def fake_ncu(folder, body='cp {folder}/page.csv "$log"; "$@"'):
    """A program for --ncu; `body` runs with $log, $metrics and the program in "$@"."""
    path = folder / "ncu"
    write_program(path, FAKE.format(folder=folder, body=body.format(folder=folder)))
    return path
