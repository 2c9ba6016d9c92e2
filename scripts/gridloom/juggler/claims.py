"""The numbers behind the paper's observations (6.2), from a file of `juggler`.

They are of runs at the paper's task counts. As in the paper's figure 4, the times of policies
include all overhead, and those of barriers have none; `_alone` compares the runs. Ratios are over
the paper's baseline if the file has it, else over one launch per level."""

from gridloom.claims import Value
from gridloom.juggler import data
from gridloom.results import PlotError
from gridloom.text import counted


def cases(source):
    return [case for case in data.cases_of(source.runs) if case.experiment == "paper"]


ALONE, WHOLE = "elapsed_ms", "with_overhead_ms"
SAID = {ALONE: "run alone", WHOLE: "with all overhead"}


def sizes_of(first, others, column):
    """At how many sizes `first` is faster than all `others`."""

    def value(source):
        found = [
            case.fastest([first, *others], column) == first
            for case in source.of(cases)
            if {first, *others} <= case.methods.keys()
        ]
        if not found:
            raise PlotError("no such methods at the paper's task counts")
        return Value((sum(found),) * 3, f"of {len(found)} sizes", SAID[column])

    return value


def most_over_baseline(apps, methods, column):
    """The largest ratio among some methods of some applications: at most 1 if none gains."""

    def value(source):
        found, baselines = [], set()
        for case in source.of(cases):
            known = [b for b in (data.BARRIERS_SYNC, data.BARRIERS) if b in case.methods]
            if case.app in apps and known:
                there = [method for method in methods if method in case.methods]
                found += [case.ratio(known[0], method, column) for method in there]
                baselines.add(known[0])
        if not found:
            raise PlotError("no such methods beside barriers at the paper's task counts")
        what = counted(found, "ratio", "ratios")
        what += f" over {' and '.join(sorted(baselines))}"
        return Value(max(found), "×", f"{what}, {SAID[column]}")

    return value


QUANTITIES = {
    "grr_first": sizes_of("grr", ["lrr", "lf"], WHOLE),
    "grr_first_alone": sizes_of("grr", ["lrr", "lf"], ALONE),
    "lf_before_lrr": sizes_of("lf", ["lrr"], WHOLE),
    "jacobi_grr": most_over_baseline(["jacobi"], ["grr"], WHOLE),
    "jacobi_grr_alone": most_over_baseline(["jacobi"], ["grr"], ALONE),
    "jacobi_lf": most_over_baseline(["jacobi"], ["lf"], WHOLE),
    "lrr_lf_in_three": most_over_baseline(["dtw", "int_hist", "sw"], ["lrr", "lf"], WHOLE),
    "lf_in_lud": most_over_baseline(["lud"], ["lf"], WHOLE),
    "grr_in_four": most_over_baseline(["dtw", "int_hist", "lud", "sw"], ["grr"], WHOLE),
    "grr_in_four_alone": most_over_baseline(["dtw", "int_hist", "lud", "sw"], ["grr"], ALONE),
}
