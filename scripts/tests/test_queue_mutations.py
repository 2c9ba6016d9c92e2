"""Faults put into queues and schedulers, one at a time, are found by their tests.

Most of these run under seeded schedules; who is given a task is tested by one thread.

A test that nothing can make fail proves nothing. Each mutation is one replacement in a copy of a
queue's header; the copy comes first in the include path of the test.

Left out, because the queues are right without them: orders that has_room and free have where tag
and value are apart. In the tests a slot is one word, and what a consumer hands back to the next
producer is nothing but the slot itself. Left out, because the model of memory cannot show them: the
orders of juggler's rules T2 and Q4, where a store must not come before another worker's accesses,
and the fence of rule O2 in a warp that releases nothing, since a block meets by fences there.
"""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from conftest import ROOT

MACHINE = ROOT / "common/machine/include"
SPARSE = ROOT / "common/sparse/include"
TESTS = ROOT / "common/machine/tests"
WAITING = ROOT / "common/machine/src/host_waiting.cpp"  # what groups of the host pause by
SEEDS = "60"  # of each scenario and machine model; the tests by themselves run more


@dataclass(frozen=True)
class Queue:
    include: str  # folder that the header is found from
    header: str
    test: str
    under_schedules: bool = True  # whether its test runs under seeded schedules


RING = Queue(
    include="common/machine/include",
    header="gridloom/queue/mpmc_ring.hpp",
    test="common/machine/tests/queue_schedule_test.cpp",
)
SLOTS = Queue(
    include="common/machine/include",
    header="gridloom/queue/ring_slots.hpp",
    test="common/machine/tests/queue_schedule_test.cpp",
)
STACK = Queue(
    include="wavefront",
    header="wavefront/locked_stack.hpp",
    test="wavefront/tests/stack_schedule_test.cpp",
)
IN_ORDER = Queue(
    include="wavefront",
    header="wavefront/in_order.hpp",
    test="wavefront/tests/in_order_schedule_test.cpp",
)
RESULT_RING = Queue(
    include="wavefront",
    header="wavefront/result_ring.hpp",
    test="wavefront/tests/in_order_schedule_test.cpp",
)
RING_WORKER = Queue(
    include="wavefront",
    header="wavefront/ring_worker.hpp",
    test="wavefront/tests/in_order_schedule_test.cpp",
)
COMING = Queue(
    include="wavefront",
    header="wavefront/coming_rounds.hpp",
    test="wavefront/tests/in_order_schedule_test.cpp",
)
HAND_OVER = Queue(
    include="pets",
    header="pets/kernels/hand_over.hpp",
    test="pets/tests/hand_over_schedule_test.cpp",
)
FIFO = Queue(
    include="tiled_qr",
    header="tiled_qr/fifo_queue.hpp",
    test="tiled_qr/tests/queue_schedule_test.cpp",
)
DISPATCH = Queue(
    include="tiled_qr",
    header="tiled_qr/general/dispatch.hpp",
    test="tiled_qr/tests/general_schedule_test.cpp",
)
TURNS = Queue(
    include="tiled_qr",
    header="tiled_qr/grid_scheduler.hpp",
    test="tiled_qr/tests/turns_test.cpp",
    under_schedules=False,
)
IN_BLOCK = Queue(
    include="tiled_qr",
    header="tiled_qr/in_block.hpp",
    test="tiled_qr/tests/turns_test.cpp",
    under_schedules=False,
)
JUGGLER_QUEUES = Queue(
    include="juggler",
    header="juggler/queues.hpp",
    test="juggler/tests/runtime_schedule_test.cpp",
)
JUGGLER_WORKER = Queue(
    include="juggler",
    header="juggler/worker.hpp",
    test="juggler/tests/runtime_schedule_test.cpp",
)
JUGGLER_PLACES = Queue(
    include="juggler",
    header="juggler/own_queue.hpp",
    test="juggler/tests/runtime_schedule_test.cpp",
)
JUGGLER_SLOTS = Queue(
    include="juggler",
    header="juggler/slots.hpp",
    test="juggler/tests/runtime_schedule_test.cpp",
)
JUGGLER_ORDERED = Queue(
    include="juggler",
    header="juggler/lists/ordered_tasks.hpp",
    test="juggler/tests/ordered_schedule_test.cpp",
)
JUGGLER_LEFT_OUT = Queue(
    include="juggler",
    header="juggler/lists/places.hpp",
    test="juggler/tests/ordered_schedule_test.cpp",
)
JUGGLER_WORKERS = (JUGGLER_QUEUES, JUGGLER_PLACES, JUGGLER_SLOTS, JUGGLER_WORKER)
JUGGLER = (*JUGGLER_WORKERS, JUGGLER_ORDERED, JUGGLER_LEFT_OUT)
TEAM = Queue(
    include="tiled_qr",
    header="tiled_qr/panel/team.hpp",
    test="tiled_qr/tests/teams_schedule_test.cpp",
)
CLUSTER = (RESULT_RING, RING_WORKER, COMING)
TILED_QR = (FIFO, DISPATCH, TURNS, IN_BLOCK, TEAM)
QUEUES = (RING, SLOTS, STACK, IN_ORDER, *CLUSTER, HAND_OVER, *TILED_QR, *JUGGLER)


@dataclass(frozen=True)
class Mutation:
    queue: Queue
    name: str
    old: str
    new: str


def ring(name, old, new=""):
    return Mutation(RING, name, old, new)


def slots(name, old, new=""):
    return Mutation(SLOTS, name, old, new)


def stack(name, old, new=""):
    return Mutation(STACK, name, old, new)


def in_order(name, old, new=""):
    return Mutation(IN_ORDER, f"in_order_{name}", old, new)


def result_ring(name, old, new=""):
    return Mutation(RESULT_RING, f"result_ring_{name}", old, new)


def ring_worker(name, old, new=""):
    return Mutation(RING_WORKER, f"ring_worker_{name}", old, new)


def coming(name, old, new=""):
    return Mutation(COMING, f"coming_{name}", old, new)


def fifo(name, old, new=""):
    return Mutation(FIFO, f"fifo_{name}", old, new)


def team(name, old, new=""):
    return Mutation(TEAM, name, old, new)


def dispatch(name, old, new=""):
    return Mutation(DISPATCH, f"dispatch_{name}", old, new)


def turns(name, old, new=""):
    return Mutation(TURNS, f"turns_{name}", old, new)


def in_block(name, old, new=""):
    return Mutation(IN_BLOCK, f"in_block_{name}", old, new)


def inbox(name, old, new=""):
    return Mutation(JUGGLER_QUEUES, f"juggler_{name}", old, new)


def entries(name, old, new=""):
    return Mutation(JUGGLER_SLOTS, f"juggler_{name}", old, new)


def worker(name, old, new=""):
    return Mutation(JUGGLER_WORKER, f"juggler_{name}", old, new)


def ordered(name, old, new=""):
    return Mutation(JUGGLER_ORDERED, f"juggler_ordered_{name}", old, new)


def left_out(name, old, new=""):
    return Mutation(JUGGLER_LEFT_OUT, f"juggler_left_out_{name}", old, new)


WRITE = "        if (!write()) return;  // H2: the count-downs depend on it\n"
COUNT_DOWNS = """\
        GRIDLOOM_UNROLL
        for (std::uint32_t j = 0; j < batch; ++j) {
          left[j] = 0;
          if (child[j].task == none) continue;
          left[j] = memory.fetch_sub_in_batch(kernel.words.missing + child[j].task, 1U);  // H2
          // Beside the count: the successors of the next task are then known where they lie.
          child[j].begin = kernel.of.graph.successors.offsets[child[j].task];
          child[j].end = kernel.of.graph.successors.offsets[child[j].task + 1];
        }
"""
# How a worker of a list looks for the parents of its next task.
FENCE_BEHIND_THE_LOOK = """        look(memory);
        if constexpr (Steps::prefetches) prefetch(warp, steps, executed + 1);
      });
      if (retrieves) ready_ = saw_all(warp);
      if (ready_ || releases) memory.batch_fence();  // O2
"""
FENCE_BEFORE_THE_LOOK = """        memory.batch_fence();
        look(memory);
        if constexpr (Steps::prefetches) prefetch(warp, steps, executed + 1);
      });
      if (retrieves) ready_ = saw_all(warp);
"""
# The last steps of an insertion into juggler's queues.
ENTRY = """\
    memory.store_relaxed(context.place(queue, index), task);
    memory.batch_fence();                                       // Q3
"""
COUNT = """\
    memory.fetch_add_in_batch(&context.inboxes[queue].iqs, 1);  // Q1, Q3
"""

MUTATIONS = [
    slots(
        "take_without_acquire",
        "return memory.get_tagged(slot_of(ticket), ticket + 1, value);",
        "return memory.get_tagged_alone(slot_of(ticket), ticket + 1, value);",
    ),
    slots(
        "look_without_looking",
        "return memory.get_tagged_alone(slot_of(ticket), ticket + 1, value);",
        "static_cast<void>(memory.get_tagged_alone(slot_of(ticket), ticket + 1, value));"
        "return true;",
    ),
    slots("publish_without_its_tag", "put_tagged(slot_of(ticket), ticket + 1, value)",
          "put_tagged(slot_of(ticket), ticket, value)"),
    slots("free_for_the_same_lap", "ticket + capacity, value", "ticket, value"),
    ring("push_without_fence", "    memory.batch_fence();  // S2\n"),
    ring("publish_without_looking", "if (!has_room(memory, ticket)) return false;"),
    ring("take_without_looking", "if (!get(memory, ticket, seen)) return false;",
         "static_cast<void>(get(memory, ticket, seen));"),
    ring("take_does_not_free_its_slot", "    free(memory, ticket, seen);\n"),
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
    in_order("words_of_the_run_before", "get_tagged_alone(word, run_, value)",
             "get_tagged_alone(word, run_ - 1, value)"),
    in_order("one_word_is_enough", "lacking |= task.tag[j] ^ run_;",
             "lacking &= task.tag[j] ^ run_;"),
    in_order("one_batch_is_enough", "if (first == task.at.from.size()) return true;",
             "return true;"),
    in_order("looks_at_the_wrong_round", "(warp_.count() * warp_.num_threads())",
             "(warp_.num_threads())"),
    in_order("tagged_with_another_run", "task.word, run_, own", "task.word, 0, own"),
    in_order("written_in_another_place", "task.word, run_",
             "shared_.words + task.at.task, run_"),
    in_order("block_writes_without_fence", "    probe_.batch_fence();  // R5\n    publish",
             "    publish"),
    in_order("block_reads_without_fence",
             "        probe_.batch_fence();  // R5\n        probe_.begin",
             "        probe_.begin"),
    in_order("rounds_fall", "take(round * size)", "take((rounds - 1 - round) * size)"),
    in_order("rounds_twice", "round + static_cast<std::uint32_t>(warp_.count())", "round + 1"),
    in_order("all_draw_the_same", "probe_.fetch_add_relaxed(shared_.next_round, 1U)",
             "probe_.load_relaxed(shared_.next_round)"),
    in_order("warps_go_on_with_the_first_lane", "open = warp_.any(waits());",
             "open = !warp_.any(!waits());"),
    in_order("words_of_one_batch_are_all", "begin_batch(task, first, from);\n    return false;",
             "task.n = task.at.from.size() - first < batch ? task.at.from.size() - first : batch;\n"
             "    task.next = first;\n    return false;"),
    in_order("handed_on_before_it_is_done", "if (near == 0 || (done >> lane & 1U) == 0) continue;",
             "if (near == 0) continue;"),
    in_order("handed_on_by_another_lane", "near == 0 ? 0 : near - 1", "near == 0 ? 0 : near / 2"),
    in_order("looks_ahead_for_itself", "if (ahead_ != most_ahead) fetch", "if (false) fetch"),
    in_order("every_lane_draws", "if (warp_.thread_rank() == 0) round =", "round ="),
    result_ring("without_patience", "seen > wanted || turns % Patience == 0", "seen > wanted"),
    result_ring("tag_of_the_slot", "return position + 1;", "return position % Slots + 1;"),
    result_ring("tag_of_an_empty_slot", "return position + 1;", "return position;"),
    result_ring("tag_for_a_value", "<< 32 | value", "<< 32 | tag_of(position)"),
    ring_worker("words_of_the_run_before", "get_tagged_alone(word, shared_.run",
                "get_tagged_alone(word, shared_.run - 1"),
    ring_worker("any_word_in_memory",
                "if (probe_.get_tagged_alone(word, shared_.run, task.value[j]))",
                "static_cast<void>(probe_.get_tagged_alone(word, shared_.run, task.value[j]));"),
    ring_worker("one_result_is_enough", "lacking |= task.tag[j]", "lacking &= task.tag[j]"),
    ring_worker("one_batch_is_enough", "if (task.next + task.n == task.at.from.size()) {",
                "if (true) {"),
    ring_worker("tagged_with_another_run", "task.position, shared_.run, own",
                "task.position, 0, own"),
    ring_worker("written_in_another_place", "shared_.words + task.position",
                "shared_.words + task.at.task"),
    ring_worker("first_batch_again", "coming_.fetch(task.at, first, from);",
                "coming_.fetch(task.at, 0, from);"),
    ring_worker("memory_of_another_task",
                "shared_.words + Ring::position_of(task.wanted[j]);", "shared_.words;"),
    ring_worker("any_tag", "Ring::tag_of(from[j]) : 0", "Ring::tag_of(0) : 0"),
    ring_worker("never_in_memory", "for (held& task : held_) look_in_memory(task);"),
    ring_worker("warps_go_on_with_the_first_lane", "open = warp_.any(waits());",
                "open = !warp_.any(!waits());"),
    ring_worker("rounds_twice", "first += step", "first += size"),
    coming("rows_of_another_round",
           "first + further * where_.step + entry;", "first + entry;"),
    coming("last_row_without_end", "entry + 1 == where_.size || position + 1 == n_",
           "entry + 1 == where_.size"),
    coming("first_edges_again", "= at.copied + first;", "= at.copied;"),
    coming("edges_over_those_of_the_next_round", "copy_edges(first, ahead);  // A2",
           "copy_edges(first, ahead + 1);"),
    coming("rows_over_those_of_the_next_round", "copy_rows(first, 2 * ahead);",
           "copy_rows(first, 2 * ahead + 1);"),
    coming("computed_again", "prepare(first + where_.step);", "prepare(first);"),
    fifo("put_without_release", "memory.compare_exchange_release(slot_of(ticket)",
         "memory.compare_exchange_relaxed(slot_of(ticket)"),
    fifo("take_without_acquire", "memory.load_acquire(slot_of(ticket))",
         "memory.load_relaxed(slot_of(ticket))"),
    fifo("put_into_any_lap", "if (ahead == 0 && value_of(seen) == 0) {",
         "if (value_of(seen) == 0) {"),
    fifo("slots_stay_in_their_lap", "(static_cast<std::uint32_t>(seen >> 32U) + 1U) & lap_mask()",
         "static_cast<std::uint32_t>(seen >> 32U)"),
    fifo("hints_run_ahead", "(word, hint, ticket + 1)", "(word, hint, ticket + 2)"),
    Mutation(HAND_OVER, "places_after_count_downs", WRITE + COUNT_DOWNS, COUNT_DOWNS + WRITE),
    Mutation(HAND_OVER, "slots_before_places",
             "        if (!write()) return;  // H2: before another warp can take them\n", ""),
    team("come_without_release", "memory.store_release(meetings_",
         "memory.store_relaxed(meetings_"),
    team("go_on_without_waiting",
         "    if (!wait(panel_words{meetings_, share_.members, came_})) return false;"),
    team("wait_for_all_but_one", "share_.members, came_}", "share_.members - 1, came_}"),
    team("wait_for_the_meeting_before", "share_.members, came_}", "share_.members, came_ - 1}"),
    team("one_buffer_for_all_meetings", "static_cast<int>(came_ & 1U)", "0"),
    team("store_while_others_read", "    if (!steps.meet(panel)) return false;  // R4\n"),
    team("tell_before_it_is_stored",
         "  steps.store(panel);  // R4\n  steps.tell_reflectors(panel);",
         "  steps.tell_reflectors(panel);\n  steps.store(panel);"),
    dispatch("count_down_without_fence", "    memory.batch_fence();  // H1\n    ready_task kept;",
             "    ready_task kept;"),
    dispatch("keep_without_fence", "memory.batch_fence();                          // H1\n"),
    dispatch("hand_on_without_fence", "    memory.batch_fence();  // H1\n    std::uint32_t const",
             "    std::uint32_t const"),
    dispatch("lock_without_acquire", "memory.compare_exchange_acquire(locks",
             "memory.compare_exchange_relaxed(locks"),
    dispatch("give_back_without_release", "memory.store_release(locks",
             "memory.store_relaxed(locks"),
    dispatch("failed_try_keeps_locks", "        give_back(memory, task, u);  // C3\n"),
    dispatch("failed_try_loses_the_task", "        put(memory, warp, next, patience);  // C3\n"),
    dispatch("kept_task_is_lost", "          put(memory, warp, kept, patience);\n"),
    dispatch("ready_before_its_time", "if (open_word::count(before) == 1)",
             "if (open_word::count(before) <= 2)"),
    dispatch("leave_before_the_end", "finished == graph.tasks", "finished + 1 >= graph.tasks"),
    dispatch("lowest_class_first", "static_cast<std::uint32_t>(first_lane(waiting));\n"
             "    waiting &= waiting - 1U;",
             "31U - static_cast<std::uint32_t>(__builtin_clz(waiting));\n"
             "    waiting &= ~(1U << first);"),
    dispatch("kept_task_before_higher_classes",
             "if (kept.is_there() && (waiting & lanes_below(static_cast<int>(kept.priority_class)))"
             " == 0) {", "if (kept.is_there()) {"),
    turns("all_to_the_first_block", "turn_ = turn_ + 1 < queues_.blocks ? turn_ + 1 : 0;",
          "turn_ = 0;"),
    turns("weights_are_not_owed", "owed += cost - parts_of_single;", "owed += 0;"),
    turns("singles_are_weighted", "is_double ? queues_.double_parts : parts_of_single",
          "is_double ? parts_of_single : queues_.double_parts"),
    turns("owed_is_never_paid", "owed -= parts_of_single;", "owed = 0;"),
    in_block("factorisations_last", "!of.factorises() ? 1 : 0", "of.factorises() ? 1 : 0"),
    in_block("one_queue_for_all",
             "order == priority::factorisations_first && !of.factorises() ? 1 : 0", "0"),
    inbox("insert_without_fence", ENTRY[ENTRY.index("\n") + 1 :]),
    inbox("count_before_the_entry", ENTRY + COUNT, COUNT + ENTRY),
    inbox("look_without_fence", "    if (iqs > 0) memory.batch_fence();  // Q2, Q3\n"),
    inbox("end_is_not_compared",
          "    if (end - own.start != static_cast<std::uint32_t>(iqs)) return false;\n"),
    inbox("done_is_not_taken_out", "-done) - done", "0)"),
    inbox("nobody_is_dismissed", "memory.store_relaxed(&context.inboxes[queue].iqs, -1)", "{}"),
    Mutation(JUGGLER_PLACES, "juggler_ring_writes_over_an_entry", "< context.queue_length)",
             "<= context.queue_length)"),
    entries("write_without_fence",
            "    memory.batch_fence();                                                // H2\n"),
    entries("take_without_fence", "        memory.batch_fence();  // H2\n"),
    entries("taken_entries_stay", "        empty_places(memory, warp, context, own, found);\n"),
    entries("sign_behind_its_place", "place(queue, end), sign", "place(queue, end + 1U), sign"),
    worker("ring_start_is_not_published", "if (context_.is_ring)", "if (false)"),
    worker("count_down_without_fence",
           "      if (first_of_warp < children.size) memory.batch_fence();  // D1\n"),
    worker("keep_without_order", "memory.fetch_sub_acq_rel(open", "memory.fetch_sub_relaxed(open"),
    worker("kept_task_is_lost", "        shared_.kept = by.ordinal + 1;\n"),
    worker("ready_before_its_time", "+ child) == 1;  // D1, D2", "+ child) <= 2;  // D1, D2"),
    worker("dismiss_before_the_end", "more) + more ==", "more) + more + 1 >="),
    worker("keep_without_meeting", "          block.sync();  // D1, D3\n"),
    worker("dismiss_without_meeting", "      warp.sync();  // T2: for all lanes\n"),
    worker("finished_twice", "    reported = executed;\n"),
    ordered("word_without_fence", "if (ready_ || releases)", "if (ready_)"),
    ordered("fence_before_the_look", FENCE_BEHIND_THE_LOOK, FENCE_BEFORE_THE_LOOK),
    ordered("wait_without_acquire", "load_acquire(view_.done", "load_relaxed(view_.done"),
    ordered("word_of_another_run", "open = seen != view_.run;", "open = seen == 0;"),
    ordered("look_at_another_run", "awaits_ && seen_ != view_.run", "awaits_ && seen_ == 0"),
    ordered("look_of_one_lane", "return !warp.any(!looks_", "return !(!looks_"),
    ordered("go_without_meeting", "      block.sync();  // O2\n"),
    ordered("tickets_go_on", "if (leads && number_ == 0 && has_tickets())", "if (false)"),
    ordered("place_is_taken_again", "      ++place_;\n"),
    ordered("first_lane_is_forgotten", "if (waiting == 0)", "if (waiting <= 1)"),
    ordered("one_place_for_two_tasks", "shared_.what[executed % 2]", "shared_.what[0]"),
    ordered("released_by_the_first_lane", "in_last_warp && warp.thread_rank() == 0", "false"),
    left_out("parents_of_all_lists", "if (owner == list)", "if (owner <= list)"),
    left_out("first_parent_of_a_list", "} else if (place >", "} else if (place <"),
    left_out("children_of_parents", "is_before_any(parent, all)", "!is_before_any(parent, all)"),
]  # fmt: skip


def mutate(mutation, folder):
    """Copies the header to the folder with the mutation."""
    text = (ROOT / mutation.queue.include / mutation.queue.header).read_text()
    found = text.count(mutation.old)
    assert found == 1, f"{mutation.name}: {found} times in the header: {mutation.old}"
    copy = folder / mutation.queue.header
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
            f"-I{ROOT / queue.include}", f"-I{MACHINE}", f"-I{SPARSE}", f"-I{TESTS}",
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


def test_each_fault_has_a_name_of_its_own():
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
