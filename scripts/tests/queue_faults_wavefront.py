"""Faults put into wavefront's stack and its schedulers in order, see test_queue_mutations.py."""

from queue_faults import Queue, faults_of

STACK = Queue("wavefront", "wavefront/locked_stack.hpp", "wavefront/tests/stack_schedule_test.cpp")
IN_ORDER = Queue("wavefront", "ours/in_order.hpp", "wavefront/tests/in_order_schedule_test.cpp")
BLOCKS = Queue(
    "wavefront", "ours/in_order_blocks.hpp", "wavefront/tests/in_order_schedule_test.cpp"
)
RESULT_WORD = Queue(
    "wavefront", "ours/result_word.hpp", "wavefront/tests/in_order_schedule_test.cpp"
)
RESULT_RING = Queue(
    "wavefront", "ours/result_ring.hpp", "wavefront/tests/in_order_schedule_test.cpp"
)
RING_WORKER = Queue(
    "wavefront", "ours/ring_worker.hpp", "wavefront/tests/in_order_schedule_test.cpp"
)
COMING = Queue("wavefront", "ours/coming_rounds.hpp", "wavefront/tests/in_order_schedule_test.cpp")
STOP_RULE = Queue(
    "common/taskgraph/include",
    "gridloom/taskgraph/rivals/stop_rule.hpp",
    "common/taskgraph/tests/stop_rule_test.cpp",
    under_schedules=False,
)
stack = faults_of(STACK)
in_order = faults_of(IN_ORDER, "in_order_")
blocks = faults_of(BLOCKS, "blocks_")
result_word = faults_of(RESULT_WORD, "result_word_")
result_ring = faults_of(RESULT_RING, "result_ring_")
ring_worker = faults_of(RING_WORKER, "ring_worker_")
coming = faults_of(COMING, "coming_")
stop_rule = faults_of(STOP_RULE, "stop_rule_")


MUTATIONS = [
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
    stop_rule("named_twice", "    has_named_ = true;\n"),
    stop_rule("every_thread_asks", "!asks || has_named_", "has_named_"),
    stop_rule("names_the_next_wave", "(wave / looks_every + 1) * looks_every + 1", "wave + 2"),
    stop_rule("leaves_a_wave_late", "return wave + 1 >= seen;", "return wave >= seen;"),
    stop_rule("never_leaves", "return wave + 1 >= seen;", "return false;"),
    result_word("run_before", "get_tagged_alone(word, run, value)",
                "get_tagged_alone(word, run - 1, value)"),
    result_word("last_part_is_enough", "lacking |= look_at", "lacking = look_at"),
    result_word("first_part_is_enough", "lacking |= look_at", "if (k == 0) lacking |= look_at"),
    result_word("every_part_is_the_first", "run, parts[k]);", "run, parts[0]);"),
    result_word("last_part_is_not_written", "k < wide_word<Value>::parts; ++k)\n    memory",
                "k < wide_word<Value>::parts - 1; ++k)\n    memory"),
    result_word("only_the_first_word_is_handed_on", "for (std::uint32_t& word : words) word = warp",
                "std::uint32_t& word = words[0];\n  word = warp"),
    in_order("one_word_is_enough", "lacking |= task.tag[j] ^ run_;",
             "lacking &= task.tag[j] ^ run_;"),
    in_order("one_batch_is_enough", "if (first == task.at.from.size()) return true;",
             "return true;"),
    in_order("looks_at_the_wrong_round", "(warp_.count() * warp_.num_threads())",
             "(warp_.num_threads())"),
    in_order("tagged_with_another_run", "task.word, run_, own", "task.word, 0, own"),
    in_order("near_of_the_batch_before", "    task.near = 0;\n"),
    in_order("handed_on_without_the_result", "    task.own = own;\n"),
    in_order("looks_ahead_of_tickets", "TasksOfLane == 1 && shared_.looks_ahead ? most_ahead",
             "TasksOfLane == 1 ? most_ahead"),
    in_order("written_in_another_place", "task.word, run_",
             "shared_.words + task.at.task, run_"),
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
    blocks("write_without_fence", "        order_memory();  "),
    blocks("read_without_fence", "\n    order_memory();  ", "\n    "),
    blocks("write_before_they_meet", "warp_.sync();  // BK.R2\n      else", ";\n      else"),
    blocks("run_before_they_meet", "warp_.sync();  // BK.R1, BK.R2", ";"),
    blocks("wait_for_the_first_word", "while (warp_.any(tag_ != run_))",
           "while (warp_.any(rank_ == 0 && tag_ != run_))"),
    blocks("tag_with_another_run", "put_result(probe_, own_, run_, own)",
           "put_result(probe_, own_, 0, own)"),
    blocks("ignore_missing_words", "tag_ = n == 0 ? run_ : ~run_;", "tag_ = run_;"),
    blocks("ignore_the_rest", "      add_rest(result, at, n);", "      ;"),
    blocks("take_the_value_of_one_lane", "static_cast<int>(j < share_ ? j : 0));\n        if",
           "0);\n        if"),
    blocks("choose_for_the_current_task_again", "choose(slot_ + 1, warp", "choose(slot_, warp"),
    blocks("keep_the_words_of_the_task_before", "is_asked_ = is_behind && slot_ + 1 < slots_;",
           "is_asked_ = is_behind;"),
    blocks("run_tasks_twice", "coming_ += slots_ * blocks_;", "coming_ += blocks_;"),
    blocks("hold_rounds_of_tickets", "shared.looks_ahead ? lanes_ / share_ : 1", "lanes_ / share_"),
    blocks("draw_in_every_lane", "if (rank_ == 0) coming_ =", "coming_ ="),
    result_ring("without_patience", "seen > wanted || turns % Patience == 0", "seen > wanted"),
    result_ring("rings_of_near_blocks_alone", "if (blocks_ > 2 * From) put_elsewhere",
                "if (false) put_elsewhere"),
    result_ring("one_neighbour_gets_it_again", "int const rank = rank_ ^ k;",
                "int const rank = rank_ ^ 1;"),
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
    ring_worker("never_into_the_ring", "      ring_.put(probe_, task.position, own);\n"),
    ring_worker("never_into_memory",
                "probe_.put_tagged(shared_.words + task.position, shared_.run, own);  // IO.R1"),
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
    coming("copies_are_not_met", "    warp_.sync();                  // CR.R1\n"),
    coming("rows_of_another_round",
           "first + further * where_.step + entry;", "first + entry;"),
    coming("last_row_without_end", "entry + 1 == where_.size || position + 1 == n_",
           "entry + 1 == where_.size"),
    coming("first_edges_again", "= at.copied + first;", "= at.copied;"),
    coming("edges_over_those_of_the_next_round", "copy_edges(first, ahead);  // CR.R2",
           "copy_edges(first, ahead + 1);"),
    coming("rows_over_those_of_the_next_round", "copy_rows(first, 2 * ahead);",
           "copy_rows(first, 2 * ahead + 1);"),
    coming("computed_again", "prepare(first + where_.step);", "prepare(first);"),
]  # fmt: skip
