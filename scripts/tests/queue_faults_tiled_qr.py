"""Faults put into tiled_qr's queues and schedulers, see test_queue_mutations.py."""

from queue_faults import faults_of

TURNS = "turns_test"
fifo = faults_of("tiled_qr", "tiled_qr/fifo_queue.hpp", "queue_schedule_test", "fifo_")
team = faults_of("tiled_qr", "ours/panel/team.hpp", "teams_schedule_test")
dispatch = faults_of(
    "tiled_qr", "tiled_qr/general/dispatch.hpp", "general_schedule_test", "dispatch_"
)
turns = faults_of("tiled_qr", "tiled_qr/grid_scheduler.hpp", TURNS, "turns_", under_schedules=False)
grid = faults_of("tiled_qr", "tiled_qr/task_grid.hpp", TURNS, "grid_", under_schedules=False)
in_block = faults_of("tiled_qr", "ours/in_block.hpp", TURNS, "in_block_", under_schedules=False)


MUTATIONS = [
    fifo("put_without_release", "memory.compare_exchange_release(slot_of(ticket)",
         "memory.compare_exchange_relaxed(slot_of(ticket)"),
    fifo("take_without_acquire", "memory.load_acquire(slot_of(ticket))",
         "memory.load_relaxed(slot_of(ticket))"),
    fifo("put_into_any_lap", "if (ahead == 0 && value_of(seen) == 0) {",
         "if (value_of(seen) == 0) {"),
    fifo("slots_stay_in_their_lap", "(static_cast<std::uint32_t>(seen >> 32U) + 1U) & lap_mask()",
         "static_cast<std::uint32_t>(seen >> 32U)"),
    fifo("hints_run_ahead", "(word, hint, ticket + 1)", "(word, hint, ticket + 2)"),
    fifo("counted_put_without_release", "memory.store_release(slot_of(ticket)",
         "memory.store_relaxed(slot_of(ticket)"),
    fifo("warp_takes_without_acquire", "memory.load_acquire(slot);", "memory.load_relaxed(slot);"),
    fifo("warp_takes_after_a_gap", "if (!is_there || missing != 0) return 0;",
         "if (!is_there) return 0;"),
    team("come_without_release", "memory.store_release(meetings_",
         "memory.store_relaxed(meetings_"),
    team("go_on_without_waiting",
         "    if (!wait(panel_words{meetings_, share_.members, came_})) return false;"),
    team("wait_for_all_but_one", "share_.members, came_}", "share_.members - 1, came_}"),
    team("wait_for_the_meeting_before", "share_.members, came_}", "share_.members, came_ - 1}"),
    team("one_buffer_for_all_meetings", "static_cast<int>(came_ & 1U)", "0"),
    team("store_while_others_read", "    if (!steps.meet(panel)) return false;  // TM.R4\n"),
    team("tell_before_it_is_stored",
         "  steps.store(panel);  // TM.R4\n  steps.tell_reflectors(panel);",
         "  steps.tell_reflectors(panel);\n  steps.store(panel);"),
    dispatch("count_down_without_fence",
             "    memory.batch_fence();  // DI.R1\n    for (std::uint64_t first",
             "    for (std::uint64_t first"),
    dispatch("keep_without_acquire", "memory.fetch_sub_acquire_in_batch(open",
             "memory.fetch_sub_in_batch(open"),
    dispatch("hand_on_without_fence",
             "    memory.batch_fence();  // DI.R1\n    std::uint32_t const",
             "    std::uint32_t const"),
    dispatch("lock_without_acquire", "memory.compare_exchange_acquire(locks",
             "memory.compare_exchange_relaxed(locks"),
    dispatch("give_back_without_release", "memory.store_release(locks",
             "memory.store_relaxed(locks"),
    dispatch("failed_try_keeps_locks", "        give_back(memory, task, u);  // DI.R6\n"),
    dispatch("failed_try_loses_the_task", "        put(memory, warp, next, patience);  // DI.R6\n"),
    dispatch("kept_task_is_lost", "          put(memory, warp, own.kept, patience);\n"),
    dispatch("ready_before_its_time", "(reserved | most_dependences)) == 1;",
             "(reserved | most_dependences)) <= 2;"),
    dispatch("reserved_task_is_handed_on", "(word & (reserved | most_dependences)) == 1;",
             "count(word) == 1;"),
    dispatch("reserve_a_ready_task",
             "return open_word::count(warp.shuffle(before, taker)) != 0 ? task : no_task;",
             "return task;"),
    dispatch("reserved_task_without_acquire", "memory.load_acquire(open + reserved)",
             "memory.load_in_batch(open + reserved)"),
    dispatch("ready_reservation_is_lost", "    if (open_word::count(before) == 0)\n"
             "      put(memory, warp, {task, open_word::class_of(before)}, patience);\n"),
    dispatch("reservation_is_kept", "          give_up(memory, warp, reserved, patience);\n"),
    dispatch("claim_without_count", "if (is_positive(memory.fetch_sub_relaxed(count, 1U))) {",
             "memory.fetch_sub_relaxed(count, 1U);\n      if (true) {"),
    dispatch("failed_claim_is_not_undone", "        memory.fetch_add_relaxed(count, 1U);\n"),
    dispatch("leave_before_the_end", "finished == graph.tasks)", "finished + 1 >= graph.tasks)"),
    dispatch("lowest_class_first", "static_cast<std::uint32_t>(first_lane(own.waiting));\n"
             "    own.waiting &= own.waiting - 1U;",
             "31U - static_cast<std::uint32_t>(__builtin_clz(own.waiting));\n"
             "    own.waiting &= ~(1U << first);"),
    dispatch("kept_task_before_higher_classes",
             "if (kept.is_there() && !has_higher(own, kept.priority_class)) {",
             "if (kept.is_there()) {"),
    turns("all_to_the_first_block", "turn_ = in_turn(lanes(group_.ballot(visited)));",
          "turn_ = 0;"),
    turns("visits_after_the_last_task", "(lanes(given) < ready_.size() || given >> rank_ != 0)",
          "true"),
    turns("tasks_for_full_queues", "asks && has_room(block)", "asks"),
    grid("every_dependence_finds_a_task",
         "finds = before == done || (finds && !in_this_round);", "finds = true;"),
    grid("no_dependence_of_a_round_finds_a_task",
         "finds = before == done || (finds && !in_this_round);",
         "finds = (before == done || finds) && !in_this_round;"),
    grid("marks_outlast_their_round", "    if (reports) cells_[cell] &= ~in_round;\n"),
    turns("weights_are_not_owed", "owed += cost - parts_of_single;", "owed += 0;"),
    turns("singles_are_weighted", "is_double ? queues_.double_parts : parts_of_single",
          "is_double ? parts_of_single : queues_.double_parts"),
    turns("owed_is_never_paid", "owed -= parts_of_single;", "owed = 0;"),
    in_block("factorisations_last", "!of.factorises() ? 1 : 0", "of.factorises() ? 1 : 0"),
    in_block("one_queue_for_all",
             "order == priority::factorisations_first && !of.factorises() ? 1 : 0", "0"),
]  # fmt: skip
