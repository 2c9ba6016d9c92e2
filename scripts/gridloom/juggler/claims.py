"""The numbers behind the paper's claims on speed and misses (section 6.2).

Speeds are of data that fill the memory and of sizes whose widest wave is that of Table 1 relative
to the multiprocessors, or else of the paper's task counts. As in the paper's figure 4, the times of
policies include all overhead, and those of barriers have none. Ratios over `barriers_sync`, whose
host waits, are those of the paper's regime, and ratios over `barriers` those of today. GRR beside
barriers is the paper's reading (Case.reading); beside other policies it retrieves tasks as they
do."""

from gridloom.claims import Value
from gridloom.juggler import data, misses
from gridloom.results import PlotError
from gridloom.text import counted

WHOLE, SAID = "with_overhead_ms", "with all overhead"
SYNC, TODAY = data.BARRIERS_SYNC, data.BARRIERS


def cases(source):
    """The cases of the paper's regime, or else those with its numbers of tasks."""
    every = data.cases_of(source.runs)
    own = [case for case in every if case.experiment in ("filled", "ratio")]
    return own or [case for case in every if case.experiment == "paper"]


def share_of(source, holds, methods, words):
    """At how many sizes, of those with all these methods, a condition on a case holds."""
    found = [holds(case) for case in source.of(cases) if {*methods} <= case.methods.keys()]
    if not found:
        raise PlotError("no such methods at these sizes")
    return Value((sum(found),) * 3, f"of {len(found)}", words)


def fastest(first, others):
    """At how many sizes `first` is faster than all `others`, with all overhead."""
    every = [first, *others]
    return lambda source: share_of(
        source, lambda case: case.fastest(every, WHOLE) == first, every, SAID
    )


def most_even(source):
    """At how many sizes the loads under GRR are the most even of the three policies."""
    return share_of(
        source,
        lambda case: min(data.PUBLISHED, key=lambda m: data.deviation(case.methods[m])) == "grr",
        data.PUBLISHED,
        "busiest worker minus idlest, in the mean",
    )


def gains(baseline):
    """At how many sizes GRR is ahead of barriers, with all overhead."""
    return lambda source: share_of(
        source,
        lambda case: case.ratio(baseline, case.reading("grr"), WHOLE)[0] > 1,
        [baseline, "grr"],
        f"over {baseline}, {SAID}",
    )


def over(baseline, methods, apps=tuple(data.APPS), pick=max):
    """The largest, or another, ratio over barriers among some methods of some applications."""

    def value(source):
        found = [
            case.ratio(baseline, case.reading(method), WHOLE)[0]
            for case in source.of(cases)
            if case.app in apps and baseline in case.methods
            for method in methods
            if method in case.methods
        ]
        if not found:
            raise PlotError(f"no such methods beside {baseline} at these sizes")
        what = f"{counted(found, 'ratio', 'ratios')} over {baseline}, {SAID}"
        return Value((pick(found),) * 3, "×", what)

    return value


def most_overhead(source):
    """GRR's largest overhead, in percent of the time with it."""
    own = [case.methods[case.reading("grr")] for case in source.of(cases) if "grr" in case.methods]
    if not own:
        raise PlotError("no runs of grr at these sizes")
    most = 100 * max(data.overhead_share(rows)[0] for rows in own)
    return Value((most,) * 3, "%", counted(own, "size", "sizes"))


def most_overhead_by_equal_ranges(source):
    """The same where the inspection has the paper's rule, of the sizes that were run so."""
    rows = source.runs.only(status="ok", experiment="matching", matching="one_to_one")
    own = [part for _, part in rows.groups(data.SIZE)]
    if not own:
        raise PlotError("no runs with --label matching --matching one_to_one")
    most = 100 * max(data.overhead_share(part)[0] for part in own)
    return Value((most,) * 3, "%", counted(own, "size", "sizes"))


def lf_misses_less(counts):
    """For how many applications LF's reads miss the L2 less than those of barriers, by their rate
    or by their count."""

    def value(source):
        reads = [
            [own[method]["reads"] for method in ("lf", data.BARRIERS)]
            for own in misses.sums(source.runs).values()
            if {"lf", data.BARRIERS} <= own.keys()
        ]
        if not reads:
            raise PlotError("no profiles of lf beside barriers")
        found = [
            lf < barriers if counts else lf / all_lf < barriers / all_barriers
            for (all_lf, lf), (all_barriers, barriers) in reads
        ]
        return Value((sum(found),) * 3, f"of {len(found)}", "misses of the L2 under Nsight Compute")

    return value


THREE, FOUR = ["dtw", "int_hist", "sw"], ["dtw", "int_hist", "lud", "sw"]
QUANTITIES = {
    "overhead_most": most_overhead,
    "overhead_by_equal_ranges": most_overhead_by_equal_ranges,
    "grr_first": fastest("grr", ["lrr", "lf"]),
    "grr_most_even": most_even,
    "lf_before_lrr": fastest("lf", ["lrr"]),
    "lf_rate": lf_misses_less(counts=False),
    "lf_count": lf_misses_less(counts=True),
}
for regime, baseline in (("sync", SYNC), ("today", TODAY)):
    QUANTITIES |= {
        f"grr_most_{regime}": over(baseline, ["grr"]),
        f"grr_least_{regime}": over(baseline, ["grr"], pick=min),
        f"grr_gains_{regime}": gains(baseline),
        f"jacobi_grr_{regime}": over(baseline, ["grr"], ["jacobi"]),
        f"jacobi_lf_{regime}": over(baseline, ["lf"], ["jacobi"]),
        f"lrr_lf_in_three_{regime}": over(baseline, ["lrr", "lf"], THREE),
        f"lf_in_lud_{regime}": over(baseline, ["lf"], ["lud"]),
        f"grr_in_four_{regime}": over(baseline, ["grr"], FOUR, pick=min),
    }
