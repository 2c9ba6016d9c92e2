"""The table of scripts/pets_saga.py for pets/README.md."""

from gridloom.results import PlotError, read_meta
from gridloom.statistics import median_interval
from gridloom.text import interval, number, span, table


def peers_table(runs):
    """(table, ratios). The table has one row per graph of scripts/pets_saga.py: medians, and how
    many times as fast ours is. Of SAGA's two times, processor time and elapsed time, the one less
    favourable to us counts."""
    rows, ratios = [], []
    for key, own in runs.groups(["tasks", "edges", "processors"]):
        if set(own["status"]) != {"ok"}:
            raise PlotError(f"{key['tasks']} tasks: no schedule, or a wrong one")
        saga, ours = (own.only(peer=name) for name in ("saga", "pets"))
        times = [median_interval(column) for column in
                 (saga["elapsed_ms"], saga["cpu_ms"], ours["elapsed_ms"])]  # fmt: skip
        makespans = [set(peer["makespan"].tolist()) for peer in (saga, ours)]
        if any(len(values) != 1 for values in makespans):
            raise PlotError(f"{key['tasks']} tasks: no one schedule")
        ratios.append(min(times[0][0], times[1][0]) / times[2][0])
        rows.append(
            [f"{key[name]:,}" for name in ("tasks", "edges", "processors")]
            + list(map(interval, times))
            + [number(ratios[-1])]
            + [f"{values.pop():,}" for values in makespans]
        )
    heads = ["tasks", "edges", "processors", "SAGA ms", "on a processor", "`heft_insertion` ms"]
    return table([*heads, "times as fast", "SAGA's makespan", "ours"], rows, left=0), ratios


def peers_texts(path, runs):
    meta = read_meta(path)
    about = {"version": "saga", "python": "saga_python", "cores": "logical_cores"}
    peers, ratios = peers_table(runs)
    texts = {"peers": peers, "times-as-fast": span(ratios)}
    return texts | {name: str(meta[key]) for name, key in about.items()}
