// Tests the general scheduler under thousands of seeded schedules on a weak memory model. Every
// task runs once, after the tasks that it depends on, and never at the same time as a conflicting
// task. Every run ends. A single worker takes tasks in the order of their classes.
// scripts/tests/test_queue_mutations.py puts faults into the scheduler, one at a time, and checks
// that this test finds them.

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "explore.hpp"
#include "tiled_qr/general/dispatch.hpp"

BOOST_AUTO_TEST_SUITE(tiled_qr_general_schedule_test)

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr::general;

namespace {

/// A small graph, written by hand.
struct small_graph {
  std::string name;
  std::vector<std::vector<std::uint32_t>> successors;
  /// Resources of each task, ascending.
  std::vector<std::vector<std::uint32_t>> uses;
  std::vector<std::uint32_t> classes;
  /// The order in which a single worker must run the tasks; empty if it is not checked.
  std::vector<std::uint32_t> alone = {};
};

small_graph const graphs[] = {
    // Task 0 precedes 1, 2 and 3, which conflict and precede 4. Task 5 has no dependencies and
    // conflicts with 1.
    {"diamond with conflicts",
     {{1, 2, 3}, {4}, {4}, {4}, {}, {}},
     {{}, {0, 1}, {1, 2}, {0, 2}, {}, {0}},
     {0, 1, 1, 0, 1, 1}},
    // The locks form a ring, as for the dining philosophers.
    {"ring of conflicts", {{}, {}, {}, {}}, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}, {0, 0, 0, 0}},
    // Dependencies without conflicts, in three classes.
    {"two joins", {{2, 3}, {2, 3}, {4}, {4}, {}}, {{}, {}, {}, {}, {}}, {0, 1, 2, 1, 0}},
    // The worker that finishes 0 keeps 2, and may be the last to decrement 3's counter afterwards.
    {"late join", {{2, 3}, {3}, {}, {}}, {{}, {}, {}, {}}, {0, 0, 0, 0}},
    // The worker that finishes 0 and keeps 1 may find that 4 waits in a higher class.
    {"higher class", {{1}, {}, {3, 4}, {}, {}}, {{}, {}, {}, {}, {}}, {1, 1, 0, 0, 0}},
    {"all on one resource", {{1}, {}, {3}, {}}, {{0}, {0}, {0}, {0}}, {0, 0, 0, 0}},
};

small_graph const ordered_graphs[] = {
    {"ready in all classes",
     {{}, {}, {}, {}, {}, {}},
     {{}, {}, {}, {}, {}, {}},
     {2, 0, 1, 2, 0, 1},
     {1, 4, 2, 5, 0, 3}},
    {"first in, first out in a class",
     {{}, {}, {}, {}},
     {{}, {}, {}, {}},
     {0, 0, 0, 0},
     {0, 1, 2, 3}},
    // The worker that finishes 0 keeps 3, its successor of the highest class.
    {"keeps the highest", {{1, 2, 3}, {}, {}, {}}, {{}, {}, {}, {}}, {0, 2, 1, 0}, {0, 3, 2, 1}},
    // The worker keeps 1, while 2 waits in the same, a lower or a higher class.
    {"goes on in its class", {{1}, {}, {}}, {{}, {}, {}}, {0, 0, 0}, {0, 1, 2}},
    {"goes on before a lower class", {{1}, {}, {}}, {{}, {}, {}}, {0, 1, 2}, {0, 1, 2}},
    {"leaves what it keeps for a higher class", {{1}, {}, {}}, {{}, {}, {}}, {0, 2, 1}, {0, 2, 1}},
    // Task 1 makes 2 ready, in a higher class than 3, which has waited from the start.
    {"a new task overtakes", {{1}, {2}, {}, {}}, {{}, {}, {}, {}}, {0, 0, 0, 1}, {0, 1, 2, 3}},
};

class scene {
 public:
  static constexpr std::uint32_t most_tasks = 6;
  static constexpr std::uint32_t slots_of_class = 4;
  static constexpr std::uint32_t most_classes = 3;
  static constexpr std::uint32_t most_resources = 4;

  scene(schedule& on, small_graph const& of, int workers)
      : on_(&on),
        of_(&of),
        workers_(workers),
        tasks_(static_cast<std::uint32_t>(of.uses.size())),
        classes_(*std::max_element(of.classes.begin(), of.classes.end()) + 1) {
    std::vector<std::uint32_t> open(tasks_, 0);
    for (auto const& row : of.successors) {
      successors_.insert(successors_.end(), row.begin(), row.end());
      offsets_.push_back(static_cast<std::uint32_t>(successors_.size()));
      for (std::uint32_t const to : row) ++open[to];
    }
    for (auto const& row : of.uses) {
      uses_.insert(uses_.end(), row.begin(), row.end());
      use_offsets_.push_back(static_cast<std::uint32_t>(uses_.size()));
    }
    weak_memory& memory = on.memory();
    memory.add(&words_->words.finished, 0);
    memory.add(&words_->words.put_backs, 0);
    memory.add(&words_->words.next_to_reserve, 0);
    // The model has room for few words, so only the words of resources in use are added.
    for (std::uint32_t const resource : uses_) resources_ = std::max(resources_, resource + 1);
    for (std::uint32_t r = 0; r < resources_; ++r) {
      memory.add(&words_->locks[r], 0);
      memory.add(&words_->counts[r], 0);
    }
    for (std::uint32_t c = 0; c < classes_; ++c) {
      std::array<mpmc_ring_ref::slot, slots_of_class> first;
      for (std::uint32_t i = 0; i < slots_of_class; ++i)
        first[i] = mpmc_ring_ref::empty_slot(i, slots_of_class);
      std::uint32_t tail = 0;
      for (std::uint32_t task = 0; task < tasks_; ++task) {
        if (of.classes[task] != c || open[task] != 0) continue;
        first[tail] = {tail + 1, task};
        ++tail;
      }
      memory.add(&words_->words.waiting[c], tail);
      memory.add(&words_->queues[c].tail, tail);
      memory.add(&words_->queues[c].head, 0);
      for (std::uint32_t i = 0; i < slots_of_class; ++i)
        memory.add(&words_->slots[c * slots_of_class + i], std::bit_cast<std::uint64_t>(first[i]));
    }
    for (std::uint32_t task = 0; task < tasks_; ++task) {
      order_.push_back(task);
      memory.add(&words_->open[task], open_word::make(open[task], of.classes[task]));
      memory.add(&words_->written[task], 0);
    }
  }

  [[nodiscard]] int workers() const { return workers_; }
  void work(int worker) {
    scheduled_memory memory(*on_, worker);
    scheduled_watch patience(*on_);
    warp_board board;
    scheduled_warp const warp(*on_, board, worker, 1, 0);
    dispatch_ref const dispatch = view();
    worker_state own = dispatch.start(memory, warp, worker, workers_);
    for (;;) {
      std::uint32_t const task = dispatch.take(memory, warp, own, patience);
      if (task == no_task) return;
      run(memory, task);
      dispatch.find_successors(task, own);
      dispatch.finish(memory, warp, task, own, patience);
    }
  }
  [[nodiscard]] std::string verdict() const {
    for (std::uint32_t task = 0; task < tasks_; ++task) {
      if (!done_[task]) return "task " + std::to_string(task) + " did not run";
    }
    if (workers_ == 1 && !of_->alone.empty() && ran_ != of_->alone) {
      std::string order;
      for (std::uint32_t const task : ran_) order += " " + std::to_string(task);
      return "tasks were taken in another order:" + order;
    }
    std::array<std::uint32_t, most_resources> expected{};
    for (std::uint32_t const resource : uses_) ++expected[resource];
    for (std::size_t r = 0; r < resources_; ++r) {
      if (on_->memory().newest(&words_->counts[r]) != expected[r]) return "counts were lost";
      if (on_->memory().newest(&words_->locks[r]) != 0) return "a lock was not given back";
    }
    return "";
  }

 private:
  struct state {
    dispatch_words words{};
    std::array<mpmc_ring_words, most_classes> queues{};
    alignas(16) std::array<std::uint64_t, most_classes * slots_of_class> slots{};
    std::array<std::uint32_t, most_tasks> open{};
    std::array<std::uint32_t, most_resources> locks{};
    /// Words that the bodies of tasks access: one per task, and one per resource.
    std::array<std::uint32_t, most_tasks> written{};
    std::array<std::uint32_t, most_resources> counts{};
  };

  [[nodiscard]] dispatch_ref view() const {
    graph_ref const graph{
        tasks_,      nullptr, nullptr, 0, offsets_.data(), successors_.data(), use_offsets_.data(),
        uses_.data()};
    return {graph,
            classes_,
            &words_->words,
            words_->queues.data(),
            queue_offsets_.data(),
            reinterpret_cast<mpmc_ring_ref::slot*>(words_->slots.data()),
            words_->open.data(),
            words_->locks.data(),
            order_.data()};
  }
  /// The body of a task. Its relaxed accesses give right values only if the scheduler orders them.
  void run(scheduled_memory& memory, std::uint32_t task) {
    if (done_[task]) on_->fail("task " + std::to_string(task) + " ran twice");
    done_[task] = true;
    ran_.push_back(task);
    for (std::uint32_t const resource : of_->uses[task]) {
      if (inside_[resource]) on_->fail("two tasks use resource " + std::to_string(resource));
      inside_[resource] = true;
    }
    for (std::uint32_t before = 0; before < tasks_; ++before) {
      for (std::uint32_t const to : of_->successors[before]) {
        if (to == task && memory.load_relaxed(&words_->written[before]) != 1000 + before)
          on_->fail("task " + std::to_string(task) + " does not see " + std::to_string(before));
      }
    }
    for (std::uint32_t const resource : of_->uses[task])
      memory.store_relaxed(&words_->counts[resource],
                           memory.load_relaxed(&words_->counts[resource]) + 1);
    memory.store_relaxed(&words_->written[task], 1000 + task);
    for (std::uint32_t const resource : of_->uses[task]) inside_[resource] = false;
  }

  schedule* on_;
  small_graph const* of_;
  int workers_;
  std::uint32_t tasks_;
  std::uint32_t classes_;
  std::uint32_t resources_ = 0;
  std::vector<std::uint32_t> offsets_{0};
  std::vector<std::uint32_t> successors_;
  std::vector<std::uint32_t> use_offsets_{0};
  /// The numbers of the tasks keep the dependences.
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> uses_;
  std::array<std::uint32_t, most_classes + 1> queue_offsets_{0, slots_of_class, 2 * slots_of_class,
                                                             3 * slots_of_class};
  std::unique_ptr<state> words_ = std::make_unique<state>();
  std::array<bool, most_tasks> done_{};
  std::vector<std::uint32_t> ran_;
  std::array<bool, most_resources> inside_{};
};

}  // namespace

BOOST_AUTO_TEST_CASE(every_task_runs_once_in_order_and_never_beside_a_conflicting_one) {
  for (small_graph const& graph : graphs) {
    for (int const workers : {1, 2, 4}) {
      explore(graph.name + ", workers " + std::to_string(workers), seeds_from(1000),
              [&](schedule& on) { return scene(on, graph, workers); });
    }
  }
}

BOOST_AUTO_TEST_CASE(one_worker_takes_the_highest_class_first_and_each_class_in_order) {
  for (small_graph const& graph : ordered_graphs)
    explore(graph.name, seeds_from(20), [&](schedule& on) { return scene(on, graph, 1); });
}

BOOST_AUTO_TEST_SUITE_END()
