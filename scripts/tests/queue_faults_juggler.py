"""Faults put into juggler's queues and workers, and those of lists, see test_queue_mutations.py."""

from queue_faults import faults_of

SHORTER = "juggler/ours/local_then_shorter.hpp"
TASKGRAPH = "common/taskgraph"
ORDERED_TASKS = "gridloom/taskgraph/rivals/ordered_tasks.hpp"
TASK_PLACES = "gridloom/taskgraph/rivals/task_places.hpp"
inbox = faults_of("juggler", "juggler/queues.hpp", "runtime_schedule_test", "juggler_")
entries = faults_of("juggler", "juggler/ours/slots.hpp", "runtime_schedule_test", "juggler_")
worker = faults_of("juggler", "juggler/worker.hpp", "runtime_schedule_test", "juggler_")
keeping = faults_of("juggler", SHORTER, "runtime_schedule_test", "juggler_")
kept = faults_of("juggler", SHORTER, "kept_chain_test", "juggler_kept_", under_schedules=False)
ordered = faults_of(TASKGRAPH, ORDERED_TASKS, "ordered_schedule_test", "ordered_")
left_out = faults_of(TASKGRAPH, TASK_PLACES, "ordered_schedule_test", "left_out_")


# How a worker of a list looks for the parents of its next task.
FENCE_BEHIND_THE_LOOK = """        look(memory);
        if constexpr (prefetching<Tasks>) prefetch(warp, executed + 1);
      });
      if (retrieves) ready_ = saw_all(warp);
      if (ready_ || releases) memory.batch_fence();  // OT.R2
"""
FENCE_BEFORE_THE_LOOK = """        memory.batch_fence();
        look(memory);
        if constexpr (prefetching<Tasks>) prefetch(warp, executed + 1);
      });
      if (retrieves) ready_ = saw_all(warp);
"""
# The last steps of an insertion.
ENTRY = """\
    memory.store_relaxed(context.place(queue, index), task);
    memory.batch_fence();                                       // JQ.R3
"""
COUNT = """\
    memory.fetch_add_in_batch(&context.inboxes[queue].iqs, 1);  // JQ.R1, JQ.R3
"""
# Lowers a queue's IQS, the number of tasks in it.
LOWERED = "      memory.fetch_add_relaxed(&context.inboxes[own.number].iqs, -done);\n"
# Empties the place of a sign to leave.
SIGN_TAKEN = """\
          if (number == sign_to_leave)
            memory.store_relaxed(context.place(own.number, own.start), empty);  // SL.R1
"""
places = faults_of("juggler", "juggler/own_queue.hpp", "runtime_schedule_test", "juggler_")
reserved = faults_of(
    "juggler", "juggler/own_queue.hpp", "own_queue_test", "juggler_", under_schedules=False
)
policies = faults_of("juggler", SHORTER, "policies_test", "juggler_", under_schedules=False)
MUTATIONS = [
    inbox("insert_without_fence", ENTRY[ENTRY.index("\n") + 1 :]),
    inbox("count_before_the_entry", ENTRY + COUNT, COUNT + ENTRY),
    inbox("look_without_fence", "    if (iqs > 0) memory.batch_fence();  // JQ.R2, JQ.R3\n"),
    inbox("end_is_not_compared",
          "    if (end - own.start != static_cast<std::uint32_t>(iqs)) return false;\n"),
    inbox("done_is_not_taken_out", "-done) - done", "0)"),
    inbox("nobody_is_dismissed", "memory.store_relaxed(&context.inboxes[queue].iqs, -1)", "{}"),
    places("ring_writes_over_an_entry", "< context.queue_length)",
             "<= context.queue_length)"),
    places("short_queue_goes_on", "  memory.store_relaxed(context.stop, 1U);\n"),
    reserved("another_queue_is_named", "overflowed, 1U + queue)", "overflowed, 1U)"),
    policies("no_second_choice",
             "scaled((mixed_child ^ mixed_child >> 15) * 668265263U, context.workers)", "first"),
    policies("own_length_of_another_queue", "context.inboxes[by.worker].iqs",
             "context.inboxes[first].iqs"),
    entries("entries_are_not_counted",
            "    memory.fetch_add_relaxed(&context.inboxes[queue].iqs, 1);\n"),
    entries("taken_entries_stay_counted", LOWERED),
    entries("taken_entries_are_counted_out_twice", LOWERED + "      own.in_work = 0;\n", LOWERED),
    entries("write_without_fence",
            "    memory.batch_fence();                                                // SL.R2\n"),
    entries("take_without_fence", "        memory.batch_fence();  // SL.R2\n"),
    entries("taken_entries_stay", "        empty_places(memory, warp, context, own, found);\n"),
    entries("sign_stays", SIGN_TAKEN),
    entries("sign_behind_its_place", "place(queue, end), sign", "place(queue, end + 1U), sign"),
    worker("ring_start_is_not_published", "if (context_.is_ring)", "if (false)"),
    worker("count_down_without_fence",
           "    if (first_of_warp < children.size) memory.batch_fence();  // WK.R1\n"),
    worker("ready_before_its_time", "child, 1U) == 1;", "child, 1U) <= 2;"),
    keeping("keep_without_order", "memory.fetch_sub_acq_rel(", "memory.fetch_sub_relaxed("),
    keeping("kept_task_is_lost", "      keeping_.kept = by.ordinal + 1;\n"),
    keeping("kept_ready_before_its_time", "child, 1U) == 1;", "child, 1U) <= 2;"),
    keeping("keep_without_meeting", "        block.sync();  // LT.R2\n"),
    worker("dismiss_before_the_end", "more) + more ==", "more) + more + 1 >="),
    worker("dismiss_without_meeting", "      warp.sync();  // WK.R5\n"),
    worker("idle_worker_ends_the_run_again", "    if (more == 0) return false;\n"),
    worker("finished_twice", "    reported = executed;\n"),
    kept("chain_to_its_end", "most_kept = 64", "most_kept = 1048576"),
    ordered("word_without_fence", "if (ready_ || releases)", "if (ready_)"),
    ordered("fence_before_the_look", FENCE_BEHIND_THE_LOOK, FENCE_BEFORE_THE_LOOK),
    ordered("wait_without_acquire", "load_acquire(view_.done", "load_relaxed(view_.done"),
    ordered("word_of_another_run", "open = seen != view_.run;", "open = seen == 0;"),
    ordered("look_at_another_run", "awaits_ && seen_ != view_.run", "awaits_ && seen_ == 0"),
    ordered("look_of_one_lane", "return !warp.any(!looks_", "return !(!looks_"),
    ordered("go_without_meeting", "      block.sync();  // OT.R2\n"),
    ordered("tickets_go_on", "if (leads && number_ == 0 && has_tickets())", "if (false)"),
    ordered("place_is_taken_again", "      ++place_;\n"),
    ordered("first_lane_is_forgotten", "if (waiting == 0)", "if (waiting <= 1)"),
    ordered("one_place_for_two_tasks", "shared_.early[ordinal % 2];", "shared_.early[0];"),
    ordered("released_by_the_first_lane", "in_last_warp && warp.thread_rank() == 0", "false"),
    left_out("parents_of_all_lists", "if (owner == list)", "if (owner <= list)"),
    left_out("first_parent_of_a_list", "} else if (place >", "} else if (place <"),
    left_out("children_of_parents", "is_before_any(parent, all)", "!is_before_any(parent, all)"),
]  # fmt: skip
