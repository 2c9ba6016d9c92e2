"""The results files of MHive's programs on one machine, found beside each other by their names."""

from functools import cached_property
from pathlib import Path

from gridloom.results import read_runs
from gridloom.thesis_mhive import jacobi, rcm
from gridloom.thesis_mhive.collection import Collection


class Stored:
    """MACHINE.h5 of mhive-overhead, and MACHINE-generic.h5, -rcm.h5, -jacobi.h5, -jacobi-every.h5.

    -jacobi-every.h5 has every version judge the residual in every iteration. -rcm-peer.h5, of
    scripts/peers/rcm_peer.py, need not be there.
    """

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
    def rcm(self):
        return rcm.prepared(read_runs(self.beside("rcm")))

    @cached_property
    def peer(self):
        """Runs of a public program that orders matrices, or None."""
        path = self.beside("rcm-peer")
        return read_runs(path).only(status="ok") if path.is_file() else None

    @cached_property
    def inputs(self):
        """{"real": matrices of the collection, "generated": the others}, all of rcm.LARGE rows."""
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
    """(mean, low, high) of the ordering alone by `label` over that of the peer, or None."""
    found = {}
    for number, matrix in enumerate(stored.inputs[inputs]):
        theirs = stored.peer.only(matrix=matrix)["order_ms"].to_numpy()
        ours = rcm.samples(stored.rcm, matrix, label, "order_ms")
        if len(theirs) and len(ours):
            found[matrix] = rcm.ratio(number, [theirs], [ours])
    return rcm.geometric_mean(found) if found else None


def jacobi_mean(problems, over, wanted, below=None, at_least=0):
    """(mean, low, high) of the fastest arm of `wanted` over the fastest of `over`, by entries."""
    found = {}
    for seed, p in enumerate(problems):
        if at_least <= p.entries < (below or float("inf")):
            found[p.name] = jacobi.speedup(p.fastest(over), p.fastest(wanted), seed)
    return rcm.geometric_mean(found)


def is_base(arm):
    return arm.version == jacobi.BASE
