"""A fault of a queue: a replacement in its header, and the test that has to find it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Queue:
    include: str  # folder that the header is found from; else it is found from the root
    header: str
    test: str
    under_schedules: bool = True  # whether its test runs under seeded schedules


@dataclass(frozen=True)
class Mutation:
    queue: Queue
    name: str
    old: str
    new: str


def faults_of(queue, prefix=""):
    """Makes faults of a queue: f(name, old text, new text or nothing)."""

    def fault(name, old, new=""):
        return Mutation(queue, prefix + name, old, new)

    return fault
