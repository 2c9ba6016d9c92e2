// A task sees its predecessors' results, whichever way it reaches the lane that runs it. The test
// runs the unchanged `ticket_worker` under seeded schedules on a weak memory model.
//
// The other tests cannot find a missing fence. On the host each access of a batch is an acquire and
// a release, and a GPU reorders too rarely. In the device model of common/machine/tests the
// accesses of a batch are relaxed, and only `batch_fence` orders them.

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "explore.hpp"
#include "wavefront/ours/ticket_queue.hpp"

BOOST_AUTO_TEST_SUITE(handover_test)

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::wavefront;

namespace {

/// Room of the ring: for all tasks, for one task at times, or for none.
enum class room { plenty, scarce, no_task };

struct cast_of {
  int warps;
  /// Lanes of each warp.
  int lanes;
  [[nodiscard]] int workers() const { return warps * lanes; }
};

constexpr cast_of single_lanes[] = {{2, 1}, {3, 1}, {4, 1}};
constexpr cast_of warps[] = {{1, 2}, {2, 2}, {1, 4}};

struct edge {
  std::uint32_t from;
  std::uint32_t to;
};

/// A graph of a few tasks. A repeated edge counts as several edges, because the memory model has
/// too few words for a hub with 33 different successors.
class small_dag {
 public:
  small_dag(std::uint32_t tasks, std::vector<edge> const& edges) : n_(tasks) {
    for (std::uint32_t t = 0; t < tasks; ++t) {
      for (edge const& e : edges) {
        if (e.from == t) successor_tasks_.push_back(e.to);
        if (e.to == t) predecessor_tasks_.push_back(e.from);
      }
      successor_offsets_.push_back(successor_tasks_.size());
      predecessor_offsets_.push_back(predecessor_tasks_.size());
    }
  }
  [[nodiscard]] dag_ref view() const {
    return {n_, successor_offsets_.data(), successor_tasks_.data(), predecessor_offsets_.data(),
            predecessor_tasks_.data()};
  }
  /// The graph with packed successors.
  [[nodiscard]] packed_dag packed() {
    packed_.clear();
    for (std::uint32_t t = 0; t < n_; ++t) packed_.push_back(packed_of(view(), t));
    return {view(), packed_.data()};
  }

 private:
  std::uint32_t n_;
  std::vector<std::uint64_t> successor_offsets_{0}, predecessor_offsets_{0};
  std::vector<std::uint32_t> successor_tasks_, predecessor_tasks_;
  std::vector<packed_successors> packed_;
};

/// One run of a graph. Each task's result is one word, with relaxed accesses.
template <task_graph Graph>
class run_of {
 public:
  run_of(schedule& on, Graph const& graph, cast_of cast, room ring)
      : on_(&on), graph_(graph), cast_(cast), ring_(ring) {
    weak_memory& memory = on.memory();
    std::uint32_t entries = 0;
    for (std::uint32_t t = 0; t < graph.tasks(); ++t) {
      std::uint32_t const open = graph.dependencies(t);
      if (open == 0) ++entries;
      memory.add(&words_->dependencies[t], open == 0 ? parked_mark : open);
      memory.add(&words_->results[t], 0);
    }
    memory.add(&words_->shared.finished, 0);
    memory.add(&words_->shared.parked, entries);
    memory.add(&words_->shared.cursor, 0);
    memory.add(&words_->ring.tail, 0);
    memory.add(&words_->ring.head, 0);
    for (std::uint32_t i = 0; i < capacity; ++i)
      memory.add(&words_->slots[i],
                 std::bit_cast<std::uint64_t>(mpmc_ring_ref::empty_slot(i, capacity)));
    memory.add(&words_->stop, 0);
    for (int warp = 0; warp < cast.warps; ++warp)
      memory.add(&words_->barriers[static_cast<std::size_t>(warp)], 0);
  }
  [[nodiscard]] int workers() const { return cast_.workers(); }

  void work(int worker) {
    // Each worker can have one push under way. Slack above the number of slots leaves no room.
    auto const slack = static_cast<std::uint32_t>(
        ring_ == room::no_task ? static_cast<int>(capacity) + cast_.workers() : cast_.workers());
    ticket_queue_ref<Graph> const shared{
        graph_,
        words_->dependencies.data(),
        mpmc_ring_ref(&words_->ring, words_->slots.data(), capacity),
        ring_ == room::plenty,
        slack,
        &words_->shared,
        true};
    int const lane = worker % cast_.lanes;
    auto const warp = static_cast<std::size_t>(worker / cast_.lanes);
    scheduled_memory memory(*on_, worker);
    watch patience({&words_->stop, words_->notes.data(), ~std::uint64_t{0}}, worker);
    ordering_warp const group(*on_, words_->boards[warp], words_->barriers[warp], worker - lane,
                              cast_.lanes, lane);
    ticket_worker<Graph, scheduled_memory, ordering_warp> scheduler(shared, group, memory, patience,
                                                                    true);
    while (scheduler.advance()) {
      if (scheduler.task() != no_task) execute(memory, scheduler.task());
    }
  }
  [[nodiscard]] std::string verdict() const {
    for (std::uint32_t t = 0; t < graph_.tasks(); ++t) {
      if (runs_[t] != 1)
        return "task " + std::to_string(t) + " ran " + std::to_string(runs_[t]) + " times";
    }
    return "";
  }

 private:
  static constexpr std::uint32_t capacity = 4;
  static constexpr std::size_t max_tasks = 8;

  void execute(scheduled_memory& memory, std::uint32_t task) {
    auto const from = graph_.predecessors(task);
    for (std::uint32_t k = 0; k < from.size(); ++k) {
      if (k > 0 && from[k] == from[k - 1]) continue;
      if (memory.load_relaxed(&words_->results[from[k]]) == 1) continue;
      on_->fail("task " + std::to_string(task) + " did not see the result of task " +
                std::to_string(from[k]));
    }
    memory.store_relaxed(&words_->results[task], 1U);
    ++runs_[task];
  }

  struct words {
    std::array<std::uint32_t, max_tasks> dependencies{};
    std::array<std::uint32_t, max_tasks> results{};
    scheduler_words shared{};
    mpmc_ring_words ring{};
    std::array<mpmc_ring_ref::slot, capacity> slots{};
    std::uint32_t stop = 0;
    std::array<wait_note, weak_memory::max_workers> notes{};
    std::array<warp_board, weak_memory::max_workers> boards{};
    std::array<std::uint32_t, weak_memory::max_workers> barriers{};
  };
  schedule* on_;
  Graph graph_;
  cast_of cast_;
  room ring_;
  std::unique_ptr<words> words_ = std::make_unique<words>();
  std::array<int, max_tasks> runs_{};
};

template <task_graph Graph>
void explore_runs(char const* what, Graph const& graph, cast_of cast, room ring,
                  std::uint64_t seeds) {
  constexpr char const* rings[] = {"a roomy ring", "a tight ring", "no room"};
  explore(std::string(what) + ", " + rings[static_cast<int>(ring)] + ", " +
              std::to_string(cast.warps) + " x " + std::to_string(cast.lanes) + " lanes",
          seeds_from(seeds), [&](schedule& on) { return run_of<Graph>(on, graph, cast, ring); });
}

// Tasks without predecessors must not have neighbouring numbers, or a warp that searches for parked
// tasks would take both.

/// Task 2 releases task 1, and also task 3 if task 0 has run. Then the lane keeps one of the two
/// and passes the other on.
small_dag const two_at_once(4, {{0, 3}, {2, 1}, {2, 3}});

/// Two tasks precede five others, more than a lane counts down at once. One task follows the five.
small_dag wide_middle() {
  std::vector<edge> edges;
  for (std::uint32_t t = 1; t < 6; ++t) {
    edges.push_back({0, t});
    edges.push_back({7, t});
    edges.push_back({t, 6});
  }
  return {8, edges};
}

/// Two hubs with 36 successors: four tasks, each nine times, so that the same lane of a warp always
/// counts a task down. One task follows these four.
small_dag two_hubs() {
  std::vector<edge> edges;
  for (std::uint32_t hub : {0U, 6U}) {
    for (std::uint32_t k = 0; k < 36; ++k) edges.push_back({hub, 1 + k % 4});
  }
  for (std::uint32_t t = 1; t < 5; ++t) edges.push_back({t, 5});
  return {7, edges};
}

}  // namespace

// Tasks go through the ring, are parked, or continue in the same lane. Some have more successors
// than a lane counts down at once.
BOOST_AUTO_TEST_CASE(tasks_see_their_predecessors_for_every_way_that_lanes_pass_tasks_on) {
  small_dag const wide = wide_middle();
  small_dag const hubs = two_hubs();
  for (cast_of const cast : single_lanes) {
    for (room const ring : {room::plenty, room::scarce, room::no_task})
      explore_runs("two at once", two_at_once.view(), cast, ring, 10000);
    explore_runs("diamond", lattice(2, 2, 1), cast, room::plenty, 4000);
    explore_runs("wide middle", wide.view(), cast, room::plenty, 3000);
    explore_runs("hubs", hubs.view(), cast, room::plenty, 2000);
  }
}

BOOST_AUTO_TEST_CASE(tasks_see_their_predecessors_for_every_way_that_warps_pass_tasks_on) {
  small_dag const wide = wide_middle();
  small_dag const hubs = two_hubs();
  for (cast_of const cast : warps) {
    for (room const ring : {room::plenty, room::no_task}) {
      explore_runs("two at once", two_at_once.view(), cast, ring, 1500);
      explore_runs("diamond", lattice(2, 2, 1), cast, ring, 1500);
      explore_runs("wide middle", wide.view(), cast, ring, 1500);
      explore_runs("hubs", hubs.view(), cast, ring, 4000);
    }
  }
}

BOOST_AUTO_TEST_CASE(packed_successors_are_those_of_the_rows) {
  std::vector<edge> edges;
  for (std::uint32_t t = 0; t < 7; ++t) {
    for (std::uint32_t k = 1; k <= t; ++k) edges.push_back({t, 6 + k});
  }
  small_dag dag(13, edges);
  packed_dag const packed = dag.packed();
  BOOST_TEST(packed.tasks() == 13U);
  for (std::uint32_t t = 0; t < 13; ++t) {
    auto const rows = dag.view().successors(t);
    auto const found = packed.successors(t);
    BOOST_REQUIRE(found.size() == rows.size());
    for (std::uint32_t k = 0; k < rows.size(); ++k) BOOST_TEST(found[k] == rows[k]);
    BOOST_TEST(packed.dependencies(t) == dag.view().dependencies(t));
  }
}

BOOST_AUTO_TEST_CASE(tasks_of_a_packed_dag_see_their_predecessors) {
  small_dag two = two_at_once;
  small_dag wide = wide_middle();
  small_dag hubs = two_hubs();
  for (cast_of const cast : {cast_of{3, 1}, cast_of{2, 2}}) {
    for (room const ring : {room::plenty, room::no_task}) {
      explore_runs("two at once, packed", two.packed(), cast, ring, 1500);
      explore_runs("wide middle, packed", wide.packed(), cast, ring, 1000);
      explore_runs("hubs, packed", hubs.packed(), cast, ring, 1000);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
