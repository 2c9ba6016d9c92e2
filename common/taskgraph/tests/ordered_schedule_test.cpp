// Workers with lists or tickets under thousands of seeded schedules on a weak memory. Every task
// must run once, after its parents, and the run must end.

#include "gridloom/taskgraph/rivals/ordered_tasks.hpp"

#include <array>
#include <memory>
#include <string>

#include "scheduled_team.hpp"

BOOST_AUTO_TEST_SUITE(ordered_schedule_test)

using namespace gridloom;
using namespace gridloom::test;

namespace {

constexpr std::size_t most_workers = 3;
/// Number of tasks of the largest graph.
constexpr std::size_t room = 6;

/// More graphs, in which workers need not wait for some parents.
small_graph const more_graphs[] = {
    {"short cuts", {{1, 2, 3}, {2, 3}, {3}, {}}},
    {"a short cut to a join", {{1, 4}, {3}, {4}, {4}, {}}},
    {"parents of one list", {{4, 5}, {5}, {4, 5}, {5}, {5}, {}}},
};

/// A watch without a clock: schedules count steps instead of time.
struct untimed_watch {
  schedule& on;
  [[nodiscard]] bool due() const {
    on.yielded();
    return false;
  }
  template <class Memory>
  [[nodiscard]] bool out_of_time(Memory&) const {
    return false;
  }
  void note(wait_kind, std::uint32_t, std::uint64_t, std::uint64_t) const {}
};

/// Tasks whose early part is their number.
struct numbered_tasks {
  std::uint64_t const* early;
  schedule* on;
  /// Whether each task ran.
  std::array<bool, room> const* ran;

  [[nodiscard]] std::uint64_t const* at(std::uint32_t number) const { return early + number; }
  [[nodiscard]] std::uint64_t read(std::uint32_t number) const { return *at(number); }
  void prefetch(std::uint32_t number, std::uint64_t known) const {
    if (number != known || (*ran)[number]) on->fail("a task was requested that does not come next");
  }
};

/// The second run of an executor whose first run was stopped. Some words still have values of the
/// first run; others have their initial values.
class ordered_scene {
 public:
  ordered_scene(schedule& on, small_graph const& of, int workers, bool has_lists, shape block)
      : on_(&on),
        workers_(workers),
        shape_(block),
        threads_(block == shape::one_thread ? 1 : 2),
        tasks_(static_cast<std::uint32_t>(of.children.size())) {
    for (std::uint32_t t = 0; t < tasks_; ++t) {
      early_[t] = t;
      for (std::uint32_t const child : of.children[t]) parents_of_[child].push_back(t);
    }
    csr_graph before{{0}, {}};
    for (std::uint32_t t = 0; t < tasks_; ++t) {
      before.columns.insert(before.columns.end(), parents_of_[t].begin(), parents_of_[t].end());
      before.row_offsets.push_back(before.columns.size());
    }
    // The task numbers of these graphs are in topological order.
    auto const w = static_cast<std::uint32_t>(workers);
    task_groups lists{{}, {0}};
    for (std::uint32_t list = 0; list < (has_lists ? w : 1); ++list) {
      for (std::uint32_t t = list; t < tasks_; t += has_lists ? w : 1) lists.tasks.push_back(t);
      lists.first.push_back(static_cast<std::uint32_t>(lists.tasks.size()));
    }
    first_ = lists.first;
    places_ = has_lists ? places_of(before, lists) : places_of(before, lists.tasks);
    weak_memory& memory = on.memory();
    for (std::uint32_t t = 0; t < tasks_; ++t) {
      memory.add(&words_->done[t], t % 2);
      memory.add(&words_->written[t], 0);
    }
    memory.add(&words_->tickets[0].next, 0);
    memory.add(&words_->tickets[1].next, tasks_ + 1);
    view_ = {places_.places.data(),
             places_.parents.data(),
             has_lists ? first_.data() : nullptr,
             tasks_,
             2,
             words_->done.data(),
             words_->tickets.data(),
             words_->executed.data()};
  }

  [[nodiscard]] int workers() const { return workers_ * threads_; }
  void work(int thread) {
    int const worker = thread / threads_;
    auto const w = static_cast<std::size_t>(worker);
    scheduled_memory memory(*on_, thread);
    scheduled_team const block(*on_, words_->boards[w].data(), worker * threads_, threads_,
                               thread % threads_, shape_);
    untimed_watch patience{*on_};
    numbered_tasks const tasks{early_.data(), on_, &ran_};
    ordered_worker<numbered_tasks> self(view_, tasks, static_cast<std::uint32_t>(worker),
                                        words_->shared[w]);
    steps own{*this, memory, block};
    self.work(memory, block, patience, own);
  }
  [[nodiscard]] std::string verdict() const {
    std::uint32_t executed = 0;
    for (std::uint32_t t = 0; t < tasks_; ++t) {
      if (!ran_[t]) return "task " + std::to_string(t) + " did not run";
      if (on_->memory().newest(&words_->done[t]) != 2) return "a word is not of this run";
    }
    for (int w = 0; w < workers_; ++w) executed += words_->executed[static_cast<std::size_t>(w)];
    if (executed != tasks_) return "tasks are not counted";
    bool const is_next = on_->memory().newest(&words_->tickets[1].next) == 0;
    return view_.first != nullptr || is_next ? "" : "tickets of the next run do not begin at 0";
  }

 private:
  struct state {
    std::array<std::uint32_t, room> done{};
    std::array<std::uint32_t, room> written{};
    std::array<ticket_word, 2> tickets{};
    std::array<std::uint32_t, most_workers> executed{};
    // Boards of the block and of its two warps.
    std::array<std::array<warp_board, 3>, most_workers> boards;
    std::array<ordered_scratch<numbered_tasks>, most_workers> shared;
  };
  struct steps {
    ordered_scene& of;
    scheduled_memory& memory;
    scheduled_team const& block;

    bool stops(scheduled_memory&, std::uint32_t, std::uint32_t) { return false; }
    template <class Look>
    void execute(std::uint32_t number, std::uint64_t early, Look&& look) {
      if (number != early) of.on_->fail("a task's number is not that of its data");
      if (block.thread_rank() == block.num_threads() - 1) of.run(memory, number);
      look();
      block.sync();
    }
  };
  /// Runs a task with relaxed accesses. They give right values only if the worker orders them.
  void run(scheduled_memory& memory, std::uint32_t number) {
    if (ran_[number]) on_->fail("task " + std::to_string(number) + " ran twice");
    ran_[number] = true;
    for (std::uint32_t const parent : parents_of_[number]) {
      if (memory.load_relaxed(&words_->written[parent]) != 1000 + parent)
        on_->fail("task " + std::to_string(number) + " does not see " + std::to_string(parent));
    }
    memory.store_relaxed(&words_->written[number], 1000 + number);
  }

  schedule* on_;
  int workers_;
  shape shape_;
  int threads_;
  std::uint32_t tasks_;
  std::array<std::uint64_t, room> early_{};
  std::array<std::vector<std::uint32_t>, room> parents_of_;
  task_places places_;
  std::vector<std::uint32_t> first_;
  std::unique_ptr<state> words_ = std::make_unique<state>();
  std::array<bool, room> ran_{};
  ordered_view view_{};
};

void explore_graph(small_graph const& graph, bool has_lists) {
  for (int const workers : {1, 2, 3}) {
    for (shape const block : {shape::one_thread, shape::one_warp, shape::two_warps}) {
      explore(std::string(has_lists ? "lists, " : "tickets, ") + graph.name + ", workers " +
                  std::to_string(workers) + ", shape " + std::to_string(static_cast<int>(block)),
              seeds_from(500),
              [&](schedule& on) { return ordered_scene(on, graph, workers, has_lists, block); });
    }
  }
}
void explore_order(bool has_lists) {
  for (small_graph const& graph : graphs) explore_graph(graph, has_lists);
  for (small_graph const& graph : more_graphs) explore_graph(graph, has_lists);
}

}  // namespace

BOOST_AUTO_TEST_CASE(lists_run_every_task_once_in_order_and_end) { explore_order(true); }
BOOST_AUTO_TEST_CASE(tickets_run_every_task_once_in_order_and_end) { explore_order(false); }

BOOST_AUTO_TEST_SUITE_END()
