"""Standard Task Graph Set (Kasahara laboratory): the number of tasks n, then n + 2 tasks. The first
and the last are dummies of zero time that precede and follow all others. They are kept.

Without communication costs a task is one line: its number, processing time, number of predecessors,
and their numbers. With communication costs each predecessor has its own line, with the cost of the
edge. The two forms cannot be confused. The line of a task with predecessors has more than three
numbers in the first form and exactly three in the second. '#' begins a comment."""

from . import dag
from .quantities import whole_number


class _Lines:
    """The lines that hold numbers, with their line numbers."""

    def __init__(self, source):
        self.source = source
        self.lines = source.lines()
        self.line = 0

    def next(self):
        """The numbers of the next line, or None at the end."""
        for text in self.lines:
            self.line += 1
            if words := text.split("#", 1)[0].split():
                about = "a number of the graph", self.line
                return [self.source.number(whole_number, word, *about) for word in words]
        return None

    def error(self, what):
        return self.source.error(what, self.line)


def read(source):
    """Reads an STG file into a checked dag.Dag; raises InputError."""
    lines = _Lines(source)
    first = lines.next()
    if first is None:
        raise lines.error("expected the number of tasks, got the end of the file")
    if len(first) != 1:
        raise lines.error(
            f"expected the number of tasks alone, got {len(first)} numbers"
            + (" (the prototype format is not read)" if len(first) == 2 else "")
        )
    # n is only compared, so a wrong number reserves no memory.
    n = first[0] + 2
    if n > dag.MAX_TASKS:
        raise lines.error(f"expected at most {dag.MAX_TASKS - 2} tasks, got {first[0]}")
    costs, edges, with_costs = [], {}, None
    for task in range(n):
        numbers = lines.next()
        if numbers is None:
            raise lines.error(f"expected {n} tasks with the two dummies, got {task}")
        if len(numbers) < 3:
            what = "a task's number, time and number of predecessors"
            raise lines.error(f"expected {what}, got {len(numbers)} numbers")
        if numbers[0] != task:
            raise lines.error(f"expected task {task}, got {numbers[0]}")
        costs.append(numbers[1])
        degree, predecessors = numbers[2], numbers[3:]
        if degree > 0:
            apart = not predecessors
            if with_costs not in (None, apart):
                raise lines.error(
                    "expected all tasks with communication costs or none, got both in one file"
                )
            with_costs = apart
            if apart:
                _read_pairs(lines, task, degree, n, edges)
                continue
        if len(predecessors) != degree:
            raise lines.error(f"expected {degree} predecessors, got {len(predecessors)} numbers")
        for parent in predecessors:
            _add_edge(lines, edges, parent, task, n, 0)
    if (numbers := lines.next()) is not None:
        raise lines.error(f"expected the end after {n} tasks, got another line of numbers")
    names, about = [f"T{task}" for task in range(n)], {"format": "STG"}
    about["format"] += " with communication costs" if with_costs else ""
    return dag.build(source, names, costs, edges, units=("1", "1"), attributes=about)


def _read_pairs(lines, task, degree, n, edges):
    for k in range(degree):
        pair = lines.next()
        if pair is None or len(pair) != 2:
            got = "the end of the file" if pair is None else f"{len(pair)} numbers"
            raise lines.error(
                f"expected predecessor {k + 1} of {degree} of task {task} and its cost, got {got}"
            )
        _add_edge(lines, edges, pair[0], task, n, pair[1])


def _add_edge(lines, edges, parent, task, n, weight):
    if parent >= n:
        raise lines.error(f"expected a predecessor below {n}, got {parent}")
    if parent == task:
        raise lines.error(f"expected another task as predecessor, got {parent} itself")
    if (parent, task) in edges:
        raise lines.error(f"expected each predecessor once, got {parent} again")
    edges[parent, task] = weight
