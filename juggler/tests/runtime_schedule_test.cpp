// The runtime under thousands of seeded schedules on a weak memory: every task once, after its
// parents, and an end. The two rules of the paper that are wrong fail here, and are kept nowhere
// else. scripts/tests/test_queue_mutations.py checks that faults put into ours are found.

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "explore.hpp"
#include "juggler/runtime.hpp"

BOOST_AUTO_TEST_SUITE(juggler_runtime_schedule_test)

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::juggler;

namespace {

constexpr std::uint32_t most_workers = 4;
constexpr std::uint32_t most_tasks = 6;

/// A small graph by hand.
struct small_graph {
  char const* name;
  std::vector<std::vector<std::uint32_t>> children;
};

small_graph const graphs[] = {
    {"diamond", {{1, 2}, {3}, {3}, {}}},
    {"two joins", {{2, 3}, {2, 3}, {4}, {4}, {}}},
    {"fork", {{1, 2, 3, 4}, {}, {}, {}, {}}},
    {"late join", {{2, 3}, {3}, {}, {}}},
    {"chain", {{1}, {2}, {3}, {}}},
    {"nothing depends", {{}, {}, {}, {}, {}}},
    {"one task", {{}}},
};

/// How the threads of a block stand to each other: two may be a warp, or a warp each. What one does
/// between two meetings, the other may do before or after it.
enum class shape { one_thread, one_warp, two_warps };

/// A worker's block, or a warp of it. Meetings of two order their accesses, and, which is more than
/// they do on a device, those of all who meet anywhere. One alone has no meeting.
class scheduled_team {
 public:
  scheduled_team(schedule& on, warp_board* board, int first, int size, int rank, shape of)
      : on_(&on),
        board_(board),
        lanes_(on, *board, first, size, rank),
        me_(first + rank),
        of_(of) {}
  [[nodiscard]] int thread_rank() const { return lanes_.thread_rank(); }
  [[nodiscard]] int num_threads() const { return lanes_.num_threads(); }
  [[nodiscard]] int index() const { return 0; }
  [[nodiscard]] int count() const { return 1; }
  void sync() const {
    if (num_threads() == 1) return;
    on_->memory().full_fence(me_);
    lanes_.sync();
    on_->memory().full_fence(me_);
  }
  void pause(unsigned) const { on_->yielded(); }
  [[nodiscard]] std::uint32_t ballot(bool p) const { return lanes_.ballot(p); }
  [[nodiscard]] bool any(bool p) const { return lanes_.any(p); }
  template <class T>
  [[nodiscard]] T shuffle(T value, int rank) const {
    return lanes_.shuffle(value, rank);
  }
  [[nodiscard]] scheduled_team warp() const {
    return of_ == shape::two_warps
               ? scheduled_team(*on_, board_ + 1 + thread_rank(), me_, 1, 0, of_)
               : *this;
  }

 private:
  schedule* on_;
  warp_board* board_;
  scheduled_warp lanes_;
  int me_;
  shape of_;
};
static_assert(thread_group<scheduled_team> && warp_group<scheduled_team>);

/// Ends a wait when a queue was too short, as the watchdog's word does.
class overflow_watch {
 public:
  overflow_watch(schedule& on, std::uint32_t const* stop) : on_(&on), stop_(stop) {}
  template <class Memory>
  [[nodiscard]] bool stop(Memory& memory, wait_kind, std::uint32_t, std::uint64_t, std::uint64_t) {
    on_->yielded();
    return stop_ != nullptr && memory.load_relaxed(stop_) != 0;
  }

 private:
  schedule* on_;
  std::uint32_t const* stop_;
};

/// What runs a graph, in words of the schedule's memory.
class scene_base {
 public:
  scene_base(schedule& on, small_graph const& of, int workers, std::uint32_t queue_length,
             bool is_counted = true)
      : on_(&on), workers_(workers), tasks_(static_cast<std::uint32_t>(of.children.size())) {
    bool const is_ring = queue_length < tasks_;
    if (!is_ring && !is_counted) ++queue_length;
    std::vector<std::uint32_t> open(tasks_, 0);
    for (std::uint32_t t = 0; t < tasks_; ++t) {
      auto const& row = of.children[t];
      list_.push_back({t % 3, static_cast<std::uint32_t>(row.size()),
                       static_cast<std::uint32_t>(children_.size()), t});
      children_.insert(children_.end(), row.begin(), row.end());
      for (std::uint32_t const child : row) {
        ++open[child];
        parents_[child].push_back(t);
      }
    }
    // What an entry names that nobody has written.
    list_.push_back({0, 0, 0, tasks_});
    for (std::uint32_t t = 0; t < tasks_; ++t) {
      if (open[t] == 0) ready_.push_back(t);
    }
    auto const ready = static_cast<std::uint32_t>(ready_.size());
    auto const w = static_cast<std::uint32_t>(workers);
    // The model has few words: only those that the graph needs.
    weak_memory& memory = on.memory();
    memory.add(&words_->all.finished, 0);
    memory.add(&words_->all.next_queue, 0);
    if (is_ring) {
      memory.add(&words_->all.overflowed, 0);
      memory.add(&words_->stop, 0);
    }
    for (std::uint32_t q = 0; q < w; ++q) {
      std::uint32_t const dealt = rt_context_ref::dealt(q, ready, w);
      memory.add(&words_->inboxes[q].queue_end_index, dealt);
      memory.add(&words_->inboxes[q].iqs, dealt);
      if (is_ring) memory.add(&words_->inboxes[q].queue_start_index, 0);
      for (std::uint32_t k = 0; k < queue_length; ++k)
        memory.add(&words_->queues[q * queue_length + k], is_counted ? tasks_ : slot_inbox::empty);
    }
    for (std::uint32_t t = 0; t < tasks_; ++t) {
      if (open[t] != 0) memory.add(&words_->open[t], open[t]);
      if (open[t] != 0 || list_[t].n_children != 0) memory.add(&words_->written[t], 0);
    }
    context_ = {w,
                tasks_,
                queue_length,
                is_ring,
                ready,
                ready_.data(),
                words_->queues.data(),
                words_->inboxes.data(),
                words_->open.data(),
                &words_->all,
                &words_->stop};
  }

  [[nodiscard]] int workers() const { return workers_; }
  [[nodiscard]] std::string verdict() const {
    for (std::uint32_t t = 0; t < tasks_; ++t) {
      if (!done_[t]) return "task " + std::to_string(t) + " did not run";
    }
    return "";
  }

 protected:
  struct state {
    rt_words all{};
    std::array<inbox_words, most_workers> inboxes{};
    std::array<std::uint32_t, most_workers*(most_tasks + 1)> queues{};
    std::array<std::uint32_t, most_tasks> open{};
    /// By the tasks.
    std::array<std::uint32_t, most_tasks> written{};
    std::uint32_t stop = 0;
  };

  /// A task: relaxed accesses, which are right only if the runtime orders them.
  void run(scheduled_memory& memory, std::uint32_t number) {
    if (number >= tasks_) on_->fail("an entry was taken that nobody had written");
    if (done_[number]) on_->fail("task " + std::to_string(number) + " ran twice");
    done_[number] = true;
    for (std::uint32_t const parent : parents_[number]) {
      if (memory.load_relaxed(&words_->written[parent]) != 1000 + parent)
        on_->fail("task " + std::to_string(number) + " does not see " + std::to_string(parent));
    }
    if (!parents_[number].empty() || list_[number].n_children != 0)
      memory.store_relaxed(&words_->written[number], 1000 + number);
  }
  [[nodiscard]] app_context_ref<std::uint32_t> app() const {
    return {tasks_, list_.data(), children_.data()};
  }

  schedule* on_;
  int workers_;
  std::uint32_t tasks_;
  std::vector<task<std::uint32_t>> list_;
  std::vector<std::uint32_t> children_;
  std::array<std::vector<std::uint32_t>, most_tasks> parents_;
  std::vector<std::uint32_t> ready_;
  std::unique_ptr<state> words_ = std::make_unique<state>();
  std::array<bool, most_tasks> done_{};
  rt_context_ref context_{};
};

/// Our runtime, by workers of one or two threads.
template <class Policy>
class scene : public scene_base {
 public:
  scene(schedule& on, small_graph const& of, int workers, shape block = shape::one_thread,
        std::uint32_t queue_length = most_tasks)
      : scene_base(on, of, workers,
                   std::min(queue_length, static_cast<std::uint32_t>(of.children.size())),
                   Policy::inbox::is_counted),
        shape_(block),
        threads_(block == shape::one_thread ? 1 : 2) {}

  /// Of the schedule: threads.
  [[nodiscard]] int workers() const { return workers_ * threads_; }
  void work(int thread) {
    int const worker = thread / threads_;
    auto const w = static_cast<std::size_t>(worker);
    scheduled_memory memory(*on_, thread);
    scheduled_team const block(*on_, blocks_->boards[w].data(), worker * threads_, threads_,
                               thread % threads_, shape_);
    overflow_watch patience(*on_, context_.is_ring ? context_.stop : nullptr);
    auto const tasks = app();
    worker_ref<Policy, std::uint32_t> self(context_, tasks, static_cast<std::uint32_t>(worker),
                                           blocks_->shared[w]);
    steps own{*this, memory, block};
    self.work(memory, block, patience, own);
  }

 private:
  struct block_state {
    // Of the block and of its warps.
    std::array<std::array<warp_board, 3>, most_workers> boards;
    std::array<worker_scratch<std::uint32_t>, most_workers> shared;
  };
  struct steps {
    scene& of;
    scheduled_memory& memory;
    scheduled_team const& block;

    bool stops(scheduled_memory&) { return false; }
    void execute(std::uint32_t number, task<std::uint32_t> const& next) {
      if (number != next.data) of.on_->fail("a task's number is not that of its data");
      if (block.thread_rank() == block.num_threads() - 1) of.run(memory, number);
      block.sync();
    }
  };

  shape shape_;
  int threads_;
  std::unique_ptr<block_state> blocks_ = std::make_unique<block_state>();
};

/// Puts the queues of slots to more use than the policy that has them.
struct first_by_slots : local_first {
  static constexpr char const* name = "lf by slots";
  using inbox = slot_inbox;
};

template <class Policy>
void explore_policy() {
  for (small_graph const& graph : graphs) {
    for (int const workers : {1, 2, 3}) {
      for (shape const block : {shape::one_thread, shape::one_warp, shape::two_warps}) {
        explore(std::string(Policy::name) + ", " + graph.name + ", workers " +
                    std::to_string(workers) + ", shape " + std::to_string(static_cast<int>(block)),
                seeds_from(500),
                [&](schedule& on) { return scene<Policy>(on, graph, workers, block); });
      }
    }
  }
}

/// Where a queue is too short the run ends and says which.
template <class Policy>
class short_scene : public scene<Policy> {
 public:
  using scene<Policy>::scene;
  [[nodiscard]] std::string verdict() const {
    std::uint64_t const queue = this->on_->memory().newest(&this->context_.words->overflowed);
    if (queue == 0) return scene<Policy>::verdict();
    return queue <= this->context_.workers ? "" : "no such queue";
  }
};

/// The published rules, by workers of one thread that all begin their rounds at the last queue.
struct published_rules {
  /// queueEndIndex is read before IQS.
  bool end_first;
  /// Who finds all IQS zero, one after the other, ends the run; else finished tasks are counted.
  bool all_zero;
};
class published_scene : public scene_base {
 public:
  published_scene(schedule& on, small_graph const& of, int workers, published_rules rules)
      : scene_base(on, of, workers, static_cast<std::uint32_t>(of.children.size())),
        rules_(rules) {}

  void work(int worker) {
    scheduled_memory memory(*on_, worker);
    inbox_words& mine = context_.inboxes[worker];
    auto const me = static_cast<std::uint32_t>(worker);
    own_queue own{me, rt_context_ref::dealt(me, context_.ready_tasks, context_.workers), 0, 0, 0};
    std::uint32_t next = context_.workers - 1;
    for (;;) {
      // Updates find the newest value: what goes wrong here is no matter of stale reads.
      std::uint32_t end = memory.fetch_add_acq_rel(&mine.queue_end_index, 0U);
      std::int32_t const iqs = memory.fetch_add_acq_rel(&mine.iqs, 0);
      if (!rules_.end_first) end = memory.fetch_add_acq_rel(&mine.queue_end_index, 0U);
      if (iqs < 0) return;
      if (iqs > 0 && static_cast<std::uint32_t>(iqs) == end - own.start) {
        for (std::int32_t k = 0; k < iqs; ++k, ++own.start) {
          std::uint32_t const number = entry(memory, context_, own, own.start);
          run(memory, number);
          free_children(memory, number, next);
        }
        memory.fetch_add_acq_rel(&mine.iqs, -iqs);
        finish(memory, static_cast<std::uint32_t>(iqs));
      } else if (iqs == 0 && rules_.all_zero && all_are_zero(memory)) {
        dismiss(memory);
      }
      on_->yielded();
    }
  }

 private:
  void free_children(scheduled_memory& memory, std::uint32_t number, std::uint32_t& next) {
    memory.batch_fence();
    for (std::uint32_t c = 0; c < list_[number].n_children; ++c) {
      std::uint32_t const child = children_[list_[number].children_start_index + c];
      if (memory.fetch_sub_in_batch(context_.open_parents + child, 1U) == 1)
        counted_inbox::insert(memory, context_, next++ % context_.workers, child);
    }
  }
  void finish(scheduled_memory& memory, std::uint32_t more) {
    if (rules_.all_zero) return;
    if (memory.fetch_add_acq_rel(&context_.words->finished, more) + more == tasks_) dismiss(memory);
  }
  bool all_are_zero(scheduled_memory& memory) {
    for (std::uint32_t q = 0; q < context_.workers; ++q) {
      if (memory.fetch_add_acq_rel(&context_.inboxes[q].iqs, 0) != 0) return false;
    }
    return true;
  }
  void dismiss(scheduled_memory& memory) {
    for (std::uint32_t q = 0; q < context_.workers; ++q)
      memory.store_relaxed(&context_.inboxes[q].iqs, -1);
  }

  published_rules rules_;
};

/// What is wrong under the first schedule that finds fault; empty if none does.
std::string first_problem(small_graph const& graph, int workers, published_rules rules) {
  static schedule on;
  for (std::uint64_t seed = 1; seed <= 5000; ++seed) {
    on.reset(seed, machine_model::host);
    published_scene scene(on, graph, workers, rules);
    std::string problem = on.run(scene.workers(), [&](int worker) { scene.work(worker); });
    if (problem.empty()) problem = scene.verdict();
    if (problem.empty()) continue;
    BOOST_TEST_MESSAGE("seed " << seed << ": " << problem);
    return problem;
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(local_round_robin_runs_every_task_once_in_order_and_ends) {
  explore_policy<local_round_robin>();
}
BOOST_AUTO_TEST_CASE(global_round_robin_runs_every_task_once_in_order_and_ends) {
  explore_policy<global_round_robin>();
}
BOOST_AUTO_TEST_CASE(local_first_runs_every_task_once_in_order_and_ends) {
  explore_policy<local_first>();
}
BOOST_AUTO_TEST_CASE(local_then_shorter_runs_every_task_once_in_order_and_ends) {
  explore_policy<local_then_shorter>();
}

BOOST_AUTO_TEST_CASE(queues_of_slots_run_every_task_once_in_order_and_end) {
  explore_policy<local_then_shorter_slots>();
  explore_policy<first_by_slots>();
}

BOOST_AUTO_TEST_CASE(the_published_end_by_queues_found_empty_one_by_one_loses_tasks) {
  // A task moves from a queue not yet read to one read before.
  BOOST_TEST(
      first_problem(graphs[4], 3, {.end_first = false, .all_zero = true}).ends_with("did not run"));
}

BOOST_AUTO_TEST_CASE(a_queue_end_read_before_its_count_lets_unwritten_entries_be_taken) {
  // Two parents free a child each, into one queue.
  small_graph const pairs{"pairs", {{2}, {3}, {}, {}}};
  BOOST_TEST(first_problem(pairs, 3, {.end_first = true, .all_zero = false}) ==
             "an entry was taken that nobody had written");
}

BOOST_AUTO_TEST_CASE(neither_happens_where_counts_come_first_and_finished_tasks_are_counted) {
  small_graph const pairs{"pairs", {{2}, {3}, {}, {}}};
  for (small_graph const& graph : {pairs, graphs[4]}) {
    BOOST_TEST(first_problem(graph, 3, {.end_first = false, .all_zero = false}) == "");
    explore(std::string("ours, ") + graph.name, seeds_from(5000),
            [&](schedule& on) { return scene<local_round_robin>(on, graph, 3); });
  }
}

BOOST_AUTO_TEST_CASE(a_ring_of_one_entry_serves_a_chain) {
  for (int const workers : {1, 2, 3}) {
    explore("ring, chain, workers " + std::to_string(workers), seeds_from(2000), [&](schedule& on) {
      return scene<local_round_robin>(on, graphs[4], workers, shape::one_warp, 1);
    });
    explore("ring of slots, chain, workers " + std::to_string(workers), seeds_from(2000),
            [&](schedule& on) {
              return scene<first_by_slots>(on, graphs[4], workers, shape::one_warp, 1);
            });
  }
}

BOOST_AUTO_TEST_CASE(a_queue_that_is_too_short_ends_the_run) {
  for (small_graph const* graph : {&graphs[1], &graphs[2], &graphs[5]}) {
    for (std::uint32_t const length : {1U, 2U, 3U}) {
      if (graph == &graphs[5] && length < 3) continue;  // dealt at the start
      explore(std::string("short queues, ") + graph->name, seeds_from(1000), [&](schedule& on) {
        return short_scene<local_first>(on, *graph, 2, shape::one_warp, length);
      });
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
