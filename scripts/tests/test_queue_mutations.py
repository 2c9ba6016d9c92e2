"""Faults put into the queues, one at a time, are found by their seeded-schedule tests.

A test that nothing can make fail proves nothing. Each mutation is one replacement in a copy of a
queue's header; the copy comes first in the include path of the test.

Left out, because the queues are right without them: the acquire of try_publish, the release by
which try_take frees a slot, and the order of accept's store. The value and its sequence are one
word, and what a consumer hands back to the next producer is nothing but the slot itself.
"""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from conftest import ROOT

pytestmark = pytest.mark.slow

MACHINE = ROOT / "common/machine/include"
TESTS = ROOT / "common/machine/tests"
SEEDS = "60"  # of each scenario and machine model; the tests by themselves run more


@dataclass(frozen=True)
class Queue:
    include: str  # folder that the header is found from
    header: str
    test: str


RING = Queue(
    include="common/machine/include",
    header="gridloom/queue/mpmc_ring.hpp",
    test="common/machine/tests/queue_schedule_test.cpp",
)
STACK = Queue(
    include="common/machine/include",
    header="gridloom/queue/locked_stack.hpp",
    test="common/machine/tests/queue_schedule_test.cpp",
)


@dataclass(frozen=True)
class Mutation:
    queue: Queue
    name: str
    old: str
    new: str


def ring(name, old, new=""):
    return Mutation(RING, name, old, new)


def stack(name, old, new=""):
    return Mutation(STACK, name, old, new)


MUTATIONS = [
    ring(
        "take_without_acquire",
        "content = memory.load_acquire(slot);",
        "content = memory.load_relaxed(slot);",
    ),
    ring(
        "publish_without_release",
        "memory.store_release(slot, word(ticket + 1, value));",
        "memory.store_relaxed(slot, word(ticket + 1, value));",
    ),
    ring(
        "publish_without_looking",
        "if (sequence(memory.load_acquire(slot)) != ticket) return false;",
    ),
    ring("take_without_looking", "if (sequence(content) != ticket + 1) return false;"),
    ring(
        "take_does_not_free_its_slot",
        "memory.store_release(slot, word(ticket + capacity(), 0));",
    ),
    ring(
        "take_frees_for_the_same_lap",
        "memory.store_release(slot, word(ticket + capacity(), 0));",
        "memory.store_release(slot, word(ticket, 0));",
    ),
    ring(
        "claim_by_store",
        "if (memory.compare_exchange_relaxed(mine, from, from + n)) {",
        "memory.store_relaxed(mine, from + n); {",
    ),
    ring("claim_without_bound", "if (room <= 0) return 0;"),
    ring("claim_more_than_there_is", "room < wanted ? room : wanted", "wanted"),
    ring("push_under_the_first_ticket", "try_publish(memory, first + rank, value)",
         "try_publish(memory, first, value)"),
    ring("pop_under_the_first_ticket", "try_take(memory, first + rank, value)",
         "try_take(memory, first, value)"),
    ring(
        "peek_without_order",
        "return memory.load_in_batch(slots_ + (ticket & mask_));",
        "return memory.load_relaxed(slots_ + (ticket & mask_));",
    ),
    ring("accept_without_looking", "if (sequence(peeked) != ticket + 1) return false;"),
    ring("reserve_one_only", "memory.fetch_add_relaxed(&words_->tail, n)",
         "memory.fetch_add_relaxed(&words_->tail, 1U)"),
    stack(
        "lock_without_acquire",
        "return memory.compare_exchange_acquire(",
        "return memory.compare_exchange_relaxed(",
    ),
    stack(
        "unlock_without_release",
        "(void)memory.compare_exchange_release(",
        "(void)memory.compare_exchange_relaxed(",
    ),
    stack("pop_from_empty", "if (size == 0) return false;"),
    stack("push_to_full", "if (size == capacity_) return false;"),
    stack("pop_does_not_shrink", "memory.store_relaxed(&words_->size, size - 1);"),
]  # fmt: skip


def mutate(mutation, folder):
    """Copies the header to the folder with the mutation."""
    text = (ROOT / mutation.queue.include / mutation.queue.header).read_text()
    found = text.count(mutation.old)
    assert found == 1, f"{mutation.name}: {found} times in the header: {mutation.old}"
    copy = folder / mutation.queue.header
    copy.parent.mkdir(parents=True)
    copy.write_text(text.replace(mutation.old, mutation.new))


def build_and_run(queue, mutation, folder):
    if mutation:
        mutate(mutation, folder)
    program = folder / "mutant"
    compiled = subprocess.run(
        [
            os.environ.get("CXX", "g++"), "-std=c++20", "-O1", "-pthread",
            "-DGRIDLOOM_HAS_CUDA=0", "-DBOOST_TEST_DYN_LINK", f"-I{folder}",
            f"-I{ROOT / queue.include}", f"-I{MACHINE}", f"-I{TESTS}",
            str(ROOT / queue.test), str(TESTS / "plain_main.cpp"), "-o", str(program),
            "-lboost_unit_test_framework",
        ],
        capture_output=True, text=True,
    )  # fmt: skip
    assert compiled.returncode == 0, compiled.stderr
    env = os.environ | {"GRIDLOOM_SCHEDULE_SEEDS": SEEDS, "GRIDLOOM_SCHEDULE_FIRST": "1"}
    # The limit is there to end a hang.
    return subprocess.run(
        [str(program), "--color_output=no"], capture_output=True, text=True, timeout=900, env=env
    )


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """Futures of all runs, two at a time."""
    if shutil.which(os.environ.get("CXX", "g++")) is None:
        pytest.skip("no C++ compiler: set CXX")
    tests = {queue.test: queue for queue in (RING, STACK)}.values()
    with ThreadPoolExecutor(max_workers=2) as pool:

        def start(queue, mutation):
            folder = tmp_path_factory.mktemp("mutant")
            return pool.submit(build_and_run, queue, mutation, folder)

        whole = {queue.test: start(queue, None) for queue in tests}
        yield whole | {m.name: start(m.queue, m) for m in MUTATIONS}


@pytest.mark.parametrize("test", sorted({RING.test, STACK.test}))
def test_the_queues_as_they_are_pass(outcomes, test):
    run = outcomes[test].result()
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
def test_a_fault_is_found(outcomes, mutation):
    run = outcomes[mutation.name].result()
    assert run.returncode == 201, f"survived\n{run.stdout}{run.stderr}"
    assert "again: GRIDLOOM_SCHEDULE_FIRST=" in run.stdout, "failed, but not under a schedule"
