#!/usr/bin/env python3
"""PETS: times by device (Messina, 5), the same kernels on the GPU and on host threads.

A time is that of levels, ranks and order. Graphs have 4,096 tasks as in the thesis; if there are
none of that size, the largest."""

from gridloom.charts import dot_chart, left_out_note
from gridloom.figure import main
from gridloom.labels import MACHINE
from gridloom.pets.data import GRAPH, Results, implementations_of, numbers, only_algorithm, order_ms
from gridloom.pets.drawing import ALGORITHM_OPTION, ARMS
from gridloom.text import number

THESIS_TASKS = 4096


def draw(results, algorithm="pets_append"):
    runs = only_algorithm(results.table("runs"), algorithm)
    tasks = THESIS_TASKS if (runs["tasks"] == THESIS_TASKS).any() else int(runs["tasks"].max())
    runs, groups = runs.only(tasks=tasks), {}
    for graph, rows in runs.groups(GRAPH):
        dots = groups.setdefault(f"{graph['graph']}, {int(rows['edges'][0]):,} edges", [])
        for name in implementations_of(rows):
            for device, own in rows.only(implementation=name, status="ok").groups([*MACHINE]):
                samples = numbers(order_ms(own))
                config = device | {"arm": name}
                dots.append((config, samples if len(samples) else None, "not timed by itself"))
    notes = [
        "Levels, ranks and order. Layouts and csr use all threads of a host, host one thread.",
        *left_out_note(runs, "implementation"),
    ]
    title = f"PETS: times by device, {tasks:,} tasks (5)"

    def family_of(config):
        return ARMS.family(config["arm"])

    return dot_chart(groups, title, "ms", number, MACHINE, family_of, note="\n".join(notes))


if __name__ == "__main__":
    main("pets_devices", __doc__, draw, more=ALGORITHM_OPTION, read=Results)
