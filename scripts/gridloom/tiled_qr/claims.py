"""The numbers behind the report's question: FR3 beside a naive program for one host thread, and
beside cuSOLVER."""

from gridloom.claims import Value
from gridloom.results import PlotError
from gridloom.text import counted
from gridloom.tiled_qr.data import PUBLISHED
from gridloom.tiled_qr.tables import Runs


def over(rival, pick, **backend):
    """The largest, or smallest, number of times that FR3 is as fast as a rival, among all sizes."""

    def value(source):
        ratios = []
        for path in source.paths:
            fr3, other = Runs(path, backend="cuda"), Runs(path, **backend)
            sizes = {*fr3.sizes("double", PUBLISHED)} & {*other.sizes("double", rival)}
            ratios += [fr3.over(other, size, rival, PUBLISHED)[0] for size in sizes]
        if not ratios:
            raise PlotError(f"no runs of {PUBLISHED} on a GPU beside {rival}")
        return Value((pick(ratios),) * 3, "×", counted(ratios, "size", "sizes"))

    return value


QUANTITIES = {
    "fr3_over_fr1_most": over("fr1", max, backend="host"),
    "fr3_over_fr1_least": over("fr1", min, backend="host"),
    "fr3_over_cusolver": over("cusolver", max, backend="cuda"),
}
