"""The results files of MHive's programs on one machine, found by their names in one folder."""

from functools import cached_property
from pathlib import Path

from gridloom.results import read_runs
from gridloom.thesis_mhive import jacobi, rcm
from gridloom.thesis_mhive.collection import Collection


class PeerRuns:
    """Orderings by a public program, and ours with the same task on the same matrices.

    Times are those of the ordering alone. A matrix that the peer did not order has only a
    status."""

    def __init__(self, path):
        path = Path(path)
        runs = read_runs(path)
        beside = path.with_name(path.name.replace("rcm-peer", "rcm-beside-peer"))
        self.ours = rcm.prepared(read_runs(beside))
        self.name = str(runs["arm"][0])
        self.matrices = {str(key["matrix"]): rows for key, rows in runs.groups(["matrix"])}
        self.times = {
            matrix: rows.only(status="ok")["order_ms"].to_numpy(dtype=float)
            for matrix, rows in self.matrices.items()
        }

    def speedups(self, label):
        """{matrix: (ratio, resampled ratios)} of the arm `label` over the peer."""
        found = {}
        for number, (matrix, theirs) in enumerate(self.times.items()):
            ours = rcm.samples(self.ours, matrix, label, "order_ms")
            if len(theirs) and len(ours):
                found[matrix] = rcm.ratio(number, [theirs], [ours])
        return found


class Stored:
    """MACHINE.h5 of mhive-overhead, and MACHINE-generic.h5, -dynamic.h5, -rcm.h5, -jacobi.h5,
    -jacobi-every.h5.

    In -jacobi-every.h5 every version checks the residual in every iteration. -rcm-peer.h5 is from
    scripts/peers/rcm_peer.py and may be missing. -rcm-beside-peer.h5 has our arms with the same
    task."""

    def __init__(self, overhead):
        self.path = Path(overhead)

    def beside(self, name):
        return self.path.with_name(f"{self.path.stem}-{name}.h5")

    @cached_property
    def overhead(self):
        return read_runs(self.path).only(worker_size=32, status="ok")

    @cached_property
    def generic(self):
        return read_runs(self.beside("generic")).only(status="ok")

    @cached_property
    def dynamic(self):
        return read_runs(self.beside("dynamic")).only(status="ok")

    @cached_property
    def rcm(self):
        return rcm.prepared(read_runs(self.beside("rcm")))

    @cached_property
    def peer(self):
        """Runs of a public program that orders matrices, or None."""
        path = self.beside("rcm-peer")
        return PeerRuns(path) if path.is_file() else None

    @cached_property
    def inputs(self):
        """{"real": matrices of the collection, "generated": the others}, each with at least
        rcm.LARGE rows."""
        parts = rcm.real_and_generated(self.rcm, Collection(), rcm.LARGE)
        return dict(zip(("real", "generated"), parts, strict=True))

    @cached_property
    def jacobi(self):
        return jacobi.problems_of(read_runs(self.beside("jacobi")))

    @cached_property
    def jacobi_every(self):
        return jacobi.problems_of(read_runs(self.beside("jacobi-every")))

    @property
    def machine(self):
        return str(self.overhead["machine"][0])


def rcm_mean(stored, over, label, inputs, **how):
    """(mean, low, high) of rcm.speedups over the real or the generated inputs, or over all."""
    found = rcm.speedups(stored.rcm, over, label, at_least=rcm.LARGE, **how)
    names = stored.inputs.get(inputs) or found
    return rcm.geometric_mean({name: found[name] for name in names if name in found})


def peer_mean(stored, label, inputs):
    """(mean, low, high) of the speedup of `label` over the peer, for the ordering alone, or
    None."""
    found = stored.peer.speedups(label)
    names = {rcm.short(name) for name in stored.inputs[inputs]}
    found = {name: found[name] for name in found if rcm.short(name) in names}
    return rcm.geometric_mean(found) if found else None
