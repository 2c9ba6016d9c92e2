"""Faults put into queues and schedulers, one at a time, are found by their tests.

Each mutation is one replacement in a copy of a header. The copy comes first in the include path of
the test. Most tests run under seeded schedules; one thread tests which worker gets a task.

Some mutations are left out because the queues are right without the removed part: the memory orders
of has_room and free for separate tags and values. In the tests a slot is one word. Others are left
out because the memory model cannot show them: WK.R5 and JQ.R4, and the fence of OT.R2 in a warp
that releases nothing. In the model, blocks meet by fences there."""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

import queue_faults_juggler
import queue_faults_machine
import queue_faults_pets
import queue_faults_tiled_qr
import queue_faults_wavefront
from conftest import ROOT

MACHINE = ROOT / "common/machine/include"
GRAPHS = ROOT / "common/taskgraph/include"
TESTS = ROOT / "common/machine/tests"
WAITING = ROOT / "common/machine/src/host_waiting.cpp"  # contains how groups of the host pause
# Seeds of each scenario and machine model. The tests run more of them by themselves.
SEEDS = "60"
FAULTS = (
    queue_faults_machine, queue_faults_wavefront, queue_faults_pets, queue_faults_tiled_qr,
    queue_faults_juggler,
)  # fmt: skip
MUTATIONS = [mutation for faults in FAULTS for mutation in faults.MUTATIONS]
QUEUES = [mutation.queue for mutation in MUTATIONS]


def mutate(mutation, folder):
    """Copies the header to the folder with the mutation."""
    header = mutation.queue.header
    beside = ROOT / mutation.queue.include / header
    text = (beside if beside.exists() else ROOT / header).read_text()
    found = text.count(mutation.old)
    assert found == 1, f"{mutation.name}: {found} times in the header: {mutation.old}"
    # Sources include it from its room or from the root.
    for copy in (
        folder / mutation.queue.header,
        folder / mutation.queue.include / mutation.queue.header,
    ):
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text.replace(mutation.old, mutation.new))


def build_and_run(queue, mutation, folder):
    if mutation:
        mutate(mutation, folder)
    program = folder / "mutant"
    compiled = subprocess.run(
        [
            os.environ.get("CXX", "g++"), "-std=c++20", "-O1", "-pthread",
            "-DGRIDLOOM_HAS_CUDA=0", "-DBOOST_TEST_DYN_LINK", f"-I{folder}",
            f"-I{ROOT / queue.include}", f"-I{ROOT}", f"-I{MACHINE}", f"-I{GRAPHS}", f"-I{TESTS}",
            f"-I{ROOT / 'common/taskgraph/tests'}",
            str(ROOT / queue.test), str(TESTS / "plain_main.cpp"), str(WAITING),
            "-o", str(program),
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
    tests = {queue.test: queue for queue in QUEUES}.values()
    with ThreadPoolExecutor(max_workers=2) as pool:

        def start(queue, mutation):
            folder = tmp_path_factory.mktemp("mutant")
            return pool.submit(build_and_run, queue, mutation, folder)

        whole = {queue.test: start(queue, None) for queue in tests}
        yield whole | {m: start(m.queue, m) for m in MUTATIONS}


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
def test_a_fault_is_of_its_header_as_it_is_today(mutation, tmp_path):
    mutate(mutation, tmp_path)


def test_each_fault_has_a_unique_name():
    names = [mutation.name for mutation in MUTATIONS]
    assert len(set(names)) == len(names)


@pytest.mark.slow
@pytest.mark.parametrize("test", sorted({queue.test for queue in QUEUES}))
def test_the_queues_as_they_are_pass(outcomes, test):
    run = outcomes[test].result()
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.slow
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)
def test_a_fault_is_found(outcomes, mutation):
    run = outcomes[mutation].result()
    assert run.returncode == 201, f"survived\n{run.stdout}{run.stderr}"
    if mutation.queue.under_schedules:
        assert "again: GRIDLOOM_SCHEDULE_FIRST=" in run.stdout, "failed, but not under a schedule"
