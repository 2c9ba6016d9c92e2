"""Faults put into what pets hands over, see test_queue_mutations.py."""

from queue_faults import faults_of

WRITE = """\
        // The count-downs below depend on these places (HO.R2).
        if (!write()) return;
"""
COUNT_DOWNS = """\
        GRIDLOOM_UNROLL
        for (std::uint32_t j = 0; j < batch; ++j) {
          left[j] = 0;
          if (child[j].task == none) continue;
          left[j] = memory.fetch_sub_in_batch(kernel.words.missing + child[j].task, 1U);  // HO.R2
          // Loaded together with the count, in case this thread gets the task next.
          child[j].begin = kernel.of.graph.successors.offsets[child[j].task];
          child[j].end = kernel.of.graph.successors.offsets[child[j].task + 1];
        }
"""
hand_over = faults_of("pets", "ours/kernels/hand_over.hpp", "hand_over_schedule_test")
MUTATIONS = [
    hand_over("places_after_count_downs", WRITE + COUNT_DOWNS, COUNT_DOWNS + WRITE),
    hand_over("slots_before_places",
             "        // Must come before another warp can take the tasks (HO.R2).\n"
             "        if (!write()) return;\n", ""),
]  # fmt: skip
