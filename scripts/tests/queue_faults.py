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


def faults_of(room, header, test, prefix="", under_schedules=True):
    """Makes faults of a header of a room: f(name, old text, new text or nothing)."""
    include = f"{room}/include" if room.startswith("common/") else room
    queue = Queue(include, header, f"{room}/tests/{test}.cpp", under_schedules)

    def fault(name, old, new=""):
        return Mutation(queue, prefix + name, old, new)

    return fault
