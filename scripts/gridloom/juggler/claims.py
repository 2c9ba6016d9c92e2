"""The numbers behind the paper's observations (6.2), from a file of `juggler`.

They are of runs at the paper's task counts. Ratios are over its baseline if the file has it, else
over one launch per level."""

from gridloom.claims import Value
from gridloom.juggler import data
from gridloom.results import PlotError
from gridloom.text import counted


def cases(source):
    return [case for case in data.cases_of(source.runs) if case.experiment == "paper"]


def sizes_of(first, others):
    """At how many sizes `first` is faster than all `others`."""

    def value(source):
        found = [
            case.fastest([first, *others]) == first
            for case in source.of(cases)
            if {first, *others} <= case.methods.keys()
        ]
        if not found:
            raise PlotError("no such methods at the paper's task counts")
        return Value((sum(found),) * 3, f"of {len(found)} sizes", "run alone")

    return value


def most_over_baseline(apps, methods):
    """The largest ratio among some methods of some applications: at most 1 if none gains."""

    def value(source):
        found, baselines = [], set()
        for case in source.of(cases):
            known = [b for b in (data.BARRIERS_SYNC, data.BARRIERS) if b in case.methods]
            if case.app in apps and known:
                there = [method for method in methods if method in case.methods]
                found += [case.ratio(known[0], method) for method in there]
                baselines.add(known[0])
        if not found:
            raise PlotError("no such methods beside barriers at the paper's task counts")
        what = counted(found, "ratio", "ratios")
        return Value(max(found), "×", f"{what} over {' and '.join(sorted(baselines))}")

    return value


QUANTITIES = {
    "grr_first": sizes_of("grr", ["lrr", "lf"]),
    "lf_before_lrr": sizes_of("lf", ["lrr"]),
    "jacobi_grr": most_over_baseline(["jacobi"], ["grr"]),
    "jacobi_lf": most_over_baseline(["jacobi"], ["lf"]),
    "lrr_lf_in_three": most_over_baseline(["dtw", "int_hist", "sw"], ["lrr", "lf"]),
    "lf_in_lud": most_over_baseline(["lud"], ["lf"]),
    "grr_in_four": most_over_baseline(["dtw", "int_hist", "lud", "sw"], ["grr"]),
}
