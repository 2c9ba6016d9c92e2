"""Quality of schedules on published task graphs, from the results of scripts/pets_workflows.py."""

from gridloom.pets.data import ALGORITHMS, shares_of_best
from gridloom.results import PlotError, read_runs
from gridloom.text import in_order, table

FAMILIES = {
    "stg": "Standard Task Graphs",
    "workflows": "workflows, processors alike",
    "mixed": "workflows, speeds 1 and 2",
}
BOUNDS = {
    "stg": "the optimum, or the published bound where it is not known",
    "workflows": "the lower bound",
    "mixed": "the lower bound",
}


class Workflows:
    """`ratios`: {(family, processors): graph × algorithm, makespan over the smallest known}, for
    graphs that have all schedules."""

    def __init__(self, path):
        runs = read_runs(path)
        if set(runs["status"]) != {"ok"}:
            raise PlotError(f"{path}: a schedule is not ok")
        self.algorithms = in_order(runs["algorithm"].tolist(), ALGORITHMS)
        self.ratios, self.best, self.known = {}, {}, {}
        for key, rows in runs.groups(["family", "processors"]):
            made = rows.pivot_table(index="graph", columns="algorithm", values="makespan")
            if made.isna().any().any() or sorted(made.columns) != sorted(self.algorithms):
                raise PlotError(f"{path}: expected a schedule by every algorithm of every graph")
            about = rows.groupby("graph").first()
            low = about["optimum_low"].where(about["optimum_low"] >= 0, about["lower_bound"])
            place = str(key["family"]), int(key["processors"])
            values = made[self.algorithms].to_numpy(dtype=float)
            self.ratios[place] = values / low.loc[made.index].to_numpy(dtype=float)[:, None]
            self.best[place] = shares_of_best(values)
            proved = (about["optimum_low"] >= 0) & (about["optimum_low"] == about["optimum_high"])
            self.known[place] = int(proved.sum())
        self.families = in_order({family for family, _ in self.ratios}, list(FAMILIES))
        if not self.families:
            raise PlotError(f"{path}: no rows of a family {', '.join(FAMILIES)} in /runs")

    def processors(self, family):
        return sorted(count for own, count in self.ratios if own == family)

    def graphs(self, family):
        return len(self.ratios[family, self.processors(family)[0]])


def quality_table(study, family):
    """One row per algorithm: the mean of makespan over bound, and how often it is best."""
    counts = study.processors(family)
    means = {p: study.ratios[family, p].mean(axis=0) for p in counts}
    best = {p: 100 * study.best[family, p].mean(axis=0) for p in counts}
    rows = [
        [f"`{name}`", *(f"{means[p][k]:.3f} ({best[p][k]:.0f} %)" for p in counts)]
        for k, name in enumerate(study.algorithms)
    ]
    return table(["algorithm", *(f"P = {p}" for p in counts)], rows)


def texts_of(path):
    study = Workflows(path)
    texts = {}
    for family in study.families:
        texts[f"{family}-quality"] = quality_table(study, family)
    if "stg" in study.families:
        counts = study.processors("stg")
        texts["stg-proved"] = f"{sum(study.known['stg', p] for p in counts):,}"
        texts["stg-cases"] = f"{len(counts) * study.graphs('stg'):,}"
    return texts
