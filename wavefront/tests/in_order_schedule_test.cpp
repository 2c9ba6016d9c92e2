// Runs the unchanged `in_order_worker`, `block_worker` and `ring_worker` under seeded schedules on
// a weak memory model. Every word begins with the value of an earlier run.
//
// A host worker holds several tasks; a warp holds one task per lane; a block of one warp runs one
// task at a time. In the device model, accesses to words are relaxed, and shuffles of a warp order
// nothing. scripts/tests/test_queue_mutations.py checks that this test finds faults that are put
// into these workers.

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "explore.hpp"
#include "gridloom/taskgraph/task_body.hpp"
#include "wavefront/ours/in_order_blocks.hpp"
#include "wavefront/ours/ring_worker.hpp"

BOOST_AUTO_TEST_SUITE(in_order_schedule_test)

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::wavefront;

namespace {

enum class dealing { by_turns, by_tickets };

/// The threads that run a task.
enum class runner { lane, block, block_in_memory };

/// Number of warps, of lanes per warp, and of tasks per lane in a round. With rings, also the
/// number of blocks that share the warps.
template <int TasksOfLane>
struct cast_of {
  int warps;
  int lanes;
  int blocks = 1;
};

/// A listed order of a few tasks. Task numbers differ from positions.
class small_order {
 public:
  /// For each position, the positions of its predecessors.
  explicit small_order(std::vector<std::vector<std::uint32_t>> const& predecessors) {
    auto const n = static_cast<std::uint32_t>(predecessors.size());
    for (std::uint32_t i = 0; i < n; ++i) {
      numbers_.push_back((i + n / 2) % n);
      for (std::uint32_t const from : predecessors[i]) predecessors_.push_back(from);
      offsets_.push_back(predecessors_.size());
    }
  }
  [[nodiscard]] listed_order view() const {
    return {static_cast<std::uint32_t>(numbers_.size()), numbers_.data(), offsets_.data(),
            predecessors_.data()};
  }

 private:
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint64_t> offsets_{0};
  std::vector<std::uint32_t> predecessors_;
};

/// Replaces the ring in runs in which results go through memory alone.
struct no_ring {};

/// Gives a slot the number and other bytes of an earlier run.
template <class T>
void add_stale(weak_memory& memory, tagged<T>* slot, std::uint32_t tag) {
  tagged<T> stale;
  std::memset(&stale, 77, sizeof(stale));
  stale.tag = tag;
  memory.add(slot, message_of(memory, stale));
}
template <class T>
void add_stale(weak_memory& memory, wide_word<T>* word, std::uint32_t tag) {
  for (auto& part : word->part) add_stale(memory, &part, tag);
}
/// Whether the final value of a word is the result of the run.
template <class T>
bool holds(weak_memory const& memory, tagged<T> const* slot, std::uint32_t tag, T const& value) {
  auto const newest = slot_of<T>(memory, memory.newest(slot));
  return newest.tag == tag && std::memcmp(&newest.value, &value, sizeof(value)) == 0;
}
template <class T>
bool holds(weak_memory const& memory, wide_word<T> const* word, std::uint32_t tag, T const& value) {
  word_part expected[wide_word<T>::parts] = {};
  std::memcpy(expected, &value, sizeof(value));
  bool all = true;
  for (std::size_t k = 0; k < wide_word<T>::parts; ++k)
    all &= holds(memory, &word->part[k], tag, expected[k]);
  return all;
}

template <task_order Order, int TasksOfLane, class Ring = no_ring, class Result = recurrence>
class run_of {
  using value_type = decltype(std::declval<Result const&>().value());

 public:
  run_of(schedule& on, Order const& order, cast_of<TasksOfLane> cast, dealing how,
         runner by = runner::lane)
      : on_(&on), order_(order), cast_(cast), how_(how), by_(by), expected_(order.tasks()) {
    weak_memory& memory = on.memory();
    for (std::uint32_t i = 0; i < order.tasks(); ++i) {
      add_stale(memory, &words_->task_words[i], i % 2 == 0 ? run - 1 : 0);
      auto const at = order.at(i);
      Result result(at.task);
      for (std::uint32_t k = 0; k < at.from.size(); ++k) result.add(expected_[at.from[k]]);
      expected_[i] = result.value();
      if (by == runner::block_in_memory) memory.add(&words_->results[i], 0);
    }
    for (std::size_t warp = 0; by != runner::lane && static_cast<int>(warp) < cast.warps; ++warp)
      memory.add(&words_->barriers[warp], 0);
    if constexpr (has_rings) {
      for (std::size_t k = 0; k < Ring::slots * static_cast<std::size_t>(cast.blocks); ++k)
        memory.add(&words_->rings[k], 0);
    }
    memory.add(&words_->next_round, 0);
    memory.add(&words_->stop, 0);
  }
  [[nodiscard]] int workers() const { return cast_.warps * cast_.lanes; }

  void work(int worker) {
    int const lane = worker % cast_.lanes;
    int const warp = worker / cast_.lanes;
    auto const place = static_cast<std::size_t>(warp);
    numbered_warp const group(*on_, words_->boards[place], words_->barriers[place], worker - lane,
                              cast_.lanes, lane, warp, cast_.warps, by_ != runner::lane);
    scheduled_memory memory(*on_, worker);
    probe probing{memory};
    watch patience({&words_->stop, words_->notes.data(), ~std::uint64_t{0}}, worker);
    in_order_ref<Order, value_type> const shared{
        order_, words_->task_words.data(), run,
        how_ == dealing::by_tickets ? &words_->next_round : nullptr, how_ == dealing::by_turns};
    auto const finish = [this](std::uint32_t task, Result const& result) {
      ++runs_[task];
      return result.value();
    };
    auto const keep = [](std::uint32_t, value_type const&) {};
    if constexpr (has_rings) {
      int const block = warp / (cast_.warps / cast_.blocks);
      ring_worker<Order, probe, numbered_warp, Ring, TasksOfLane> mine(
          shared, group, probing, patience,
          {words_->rings.data() + static_cast<std::size_t>(block) * Ring::slots, block,
           cast_.blocks},
          words_->copies[place]);
      work_on_lanes(mine, finish, keep);
    } else if (by_ == runner::lane) {
      in_order_worker<Order, probe, numbered_warp, TasksOfLane, Result> mine(shared, group, probing,
                                                                             patience);
      work_on_lanes(mine, finish, keep);
    } else if (by_ == runner::block) {
      block_worker<Order, probe, numbered_warp, Result> mine(shared, group, probing, patience);
      work_as_block<Result>(mine, group, [&](std::uint32_t task, Result const& result) {
        if (lane == 0) ++runs_[task];
        return result.value();
      });
    } else if constexpr (std::same_as<Result, recurrence>) {
      block_worker<Order, probe, numbered_warp, results_in_memory> mine(shared, group, probing,
                                                                        patience);
      auto const execute = [&](std::uint32_t task, results_in_memory const&) {
        execute_in_memory(memory, task, lane);
        return 0U;
      };
      work_as_block<results_in_memory>(mine, group, execute);
    }
  }
  [[nodiscard]] std::string verdict() const {
    for (std::uint32_t i = 0; i < order_.tasks(); ++i) {
      std::uint32_t const task = order_.at(i).task;
      if (runs_[task] != 1)
        return "task " + std::to_string(task) + " ran " + std::to_string(runs_[task]) + " times";
      if (!holds(on_->memory(), &words_->task_words[i], run,
                 by_ == runner::block_in_memory ? value_type{} : expected_[i]))
        return "task " + std::to_string(task) + " has another result than in a serial run";
    }
    return executed_ == order_.tasks() ? "" : "tasks were counted wrong";
  }

 private:
  template <class Worker, class Finish, class Keep>
  void work_on_lanes(Worker& mine, Finish const& finish, Keep const& keep) {
    mine.run(false, finish, keep);
    executed_ += mine.executed();
  }

  template <class Results, class Worker, class Group, class Finish>
  void work_as_block(Worker& mine, Group const& group, Finish const& finish) {
    // Only blocks of several warps use it.
    told_task<Results> told{};
    mine.run(group, told, finish, [](std::uint32_t, auto const&) {});
    if (group.thread_rank() == 0) executed_ += mine.executed();
  }

  /// Runs a task and leaves its result, one word, in memory. All lanes read the predecessors'
  /// results. The last one writes, but the first one publishes.
  void execute_in_memory(scheduled_memory& memory, std::uint32_t task, int lane) {
    std::uint32_t position = 0;
    while (order_.at(position).task != task) ++position;
    auto const from = order_.at(position).from;
    for (std::uint32_t k = 0; k < from.size(); ++k) {
      if (memory.load_relaxed(&words_->results[from[k]]) == expected_[from[k]]) continue;
      on_->fail("task " + std::to_string(task) + " did not see a result of a predecessor");
    }
    if (lane + 1 != cast_.lanes) return;
    memory.store_relaxed(&words_->results[position], expected_[position]);
    ++runs_[task];
  }

  static constexpr std::uint32_t run = 5;
  static constexpr bool has_rings = !std::same_as<Ring, no_ring>;
  static constexpr std::size_t max_tasks = 32;

  /// A warp that knows its number among several warps.
  class numbered_warp : public ordering_warp {
   public:
    /// If `orders`, there is a word for the barrier.
    numbered_warp(schedule& on, warp_board& board, std::uint32_t const& barrier, int first,
                  int size, int lane, int index, int count, bool orders)
        : ordering_warp(on, board, barrier, first, size, lane),
          on_(&on),
          index_(index),
          count_(count),
          orders_(orders) {}
    [[nodiscard]] int index() const { return index_; }
    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] numbered_warp warp() const { return *this; }
    void sync() const { orders_ ? ordering_warp::sync() : scheduled_warp::sync(); }
    /// Like a warp's vote. If the result is true, the warp keeps waiting, and others may run.
    [[nodiscard]] bool any(bool p) const {
      bool const result = scheduled_warp::any(p);
      if (result) on_->yielded();
      return result;
    }

   private:
    schedule* on_;
    int index_;
    int count_;
    bool orders_;
  };
  struct probe : scheduled_memory {
    void begin(std::uint32_t) {}
    void end(std::uint32_t) {}
  };
  struct words {
    std::array<result_word<value_type>, max_tasks> task_words{};
    std::array<std::uint32_t, max_tasks> results{};
    std::array<ring_slot, max_tasks> rings{};
    std::uint32_t next_round = 0;
    std::uint32_t stop = 0;
    std::array<wait_note, weak_memory::max_workers> notes{};
    std::array<warp_board, weak_memory::max_workers> boards{};
    std::array<std::uint32_t, weak_memory::max_workers> barriers{};
    std::array<copies_of<Order>, weak_memory::max_workers> copies{};
  };

  schedule* on_;
  Order order_;
  cast_of<TasksOfLane> cast_;
  dealing how_;
  runner by_;
  std::unique_ptr<words> words_ = std::make_unique<words>();
  std::array<int, max_tasks> runs_{};
  std::vector<value_type> expected_;
  std::uint32_t executed_ = 0;
};

/// Two thirds of the tasks depend only on each other and run ahead of the last third. Each warp has
/// a lane in the last third. So a short ring loses results, and old ones may arrive late.
small_order leaders_and_followers() {
  std::vector<std::vector<std::uint32_t>> from(18);
  for (std::uint32_t i = 1; i < 18; ++i) {
    if (i % 3 == 0) from[i] = {i - 3, i - 1};
    if (i % 3 == 1) from[i] = {i - 1};
    if (i % 3 == 2) from[i] = {i - 2};
    if (i % 3 == 1 && i > 3) from[i] = {i - 1, i - 2, i - 3, i - 4};
  }
  return small_order(from);
}

/// The last task has more predecessors than a lane looks at together.
small_order hub_of_ten() {
  std::vector<std::vector<std::uint32_t>> from(12);
  for (std::uint32_t i = 6; i < 11; ++i) from[i] = {i - 6, i - 2};
  from[11] = {0, 1, 2, 3, 4, 6, 7, 8, 9, 10};
  return small_order(from);
}

template <std::uint32_t Slots, int TasksOfLane, std::uint32_t Patience = 3, task_order Order>
void explore_rings(char const* what, Order const& order, cast_of<TasksOfLane> cast,
                   std::uint64_t seeds) {
  using ring = result_ring<Slots, Patience>;
  explore(std::string(what) + ", rings of " + std::to_string(Slots) + ", " +
              std::to_string(cast.blocks) + " blocks, " + std::to_string(cast.warps) + " x " +
              std::to_string(cast.lanes) + " lanes of " + std::to_string(TasksOfLane),
          seeds_from(seeds), [&](schedule& on) {
            return run_of<Order, TasksOfLane, ring>(on, order, cast, dealing::by_turns);
          });
}

template <task_order Order>
void explore_all_rings(char const* what, Order const& order, std::uint64_t seeds) {
  for (auto const cast :
       {cast_of<1>{1, 1, 1}, cast_of<1>{3, 1, 3}, cast_of<1>{4, 1, 4}, cast_of<1>{4, 1, 2},
        cast_of<1>{1, 4, 1}, cast_of<1>{2, 4, 2}, cast_of<1>{3, 2, 3}})
    explore_rings<4>(what, order, cast, seeds);
  for (auto const cast : {cast_of<3>{2, 1, 2}, cast_of<3>{3, 1, 3}, cast_of<3>{4, 1, 4}})
    explore_rings<4>(what, order, cast, seeds);
  for (auto const cast : {cast_of<1>{2, 2, 2}, cast_of<1>{4, 2, 2}})
    explore_rings<8>(what, order, cast, seeds);
}

template <class Result = recurrence, int TasksOfLane, task_order Order>
void explore_runs(std::string const& what, Order const& order, cast_of<TasksOfLane> cast,
                  std::uint64_t seeds) {
  for (dealing const how : {dealing::by_turns, dealing::by_tickets}) {
    explore(what + (how == dealing::by_turns ? ", by turns, " : ", by tickets, ") +
                std::to_string(cast.warps) + " x " + std::to_string(cast.lanes) + " lanes of " +
                std::to_string(TasksOfLane),
            seeds_from(seeds), [&](schedule& on) {
              return run_of<Order, TasksOfLane, no_ring, Result>(on, order, cast, how);
            });
  }
}

/// Explores runs whose results have `Words` words.
template <int Words, task_order Order>
void explore_wide(std::string const& what, Order const& order, std::uint64_t seeds) {
  std::string const name = what + ", results of " + std::to_string(Words) + " words";
  for (auto const cast : {cast_of<1>{2, 1}, cast_of<1>{3, 1}, cast_of<1>{1, 4}, cast_of<1>{2, 2}})
    explore_runs<wide_recurrence<Words>>(name, order, cast, seeds);
  for (auto const cast : {cast_of<3>{1, 1}, cast_of<3>{2, 1}})
    explore_runs<wide_recurrence<Words>>(name, order, cast, seeds);
}

/// Explores blocks of one warp.
template <class Result = recurrence, task_order Order>
void explore_blocks(char const* what, Order const& order, runner by, std::uint64_t seeds) {
  for (dealing const how : {dealing::by_turns, dealing::by_tickets}) {
    for (auto const cast : {cast_of<1>{3, 1}, cast_of<1>{1, 4}, cast_of<1>{2, 3}, cast_of<1>{2, 4}})
      explore(std::string(what) + (how == dealing::by_turns ? ", by turns, " : ", by tickets, ") +
                  std::to_string(cast.warps) + " blocks of " + std::to_string(cast.lanes),
              seeds_from(seeds), [&](schedule& on) {
                return run_of<Order, 1, no_ring, Result>(on, order, cast, how, by);
              });
  }
}

template <task_order Order>
void explore_all(char const* what, Order const& order, std::uint64_t seeds) {
  for (auto const cast :
       {cast_of<1>{2, 1}, cast_of<1>{3, 1}, cast_of<1>{1, 4}, cast_of<1>{2, 2}, cast_of<1>{2, 4}})
    explore_runs(what, order, cast, seeds);
  for (auto const cast : {cast_of<3>{1, 1}, cast_of<3>{2, 1}, cast_of<3>{4, 1}})
    explore_runs(what, order, cast, seeds);
  explore_runs(what, order, cast_of<2>{2, 2}, seeds);
}

}  // namespace

BOOST_AUTO_TEST_CASE(lattices_and_hubs_by_warps_and_by_host_workers) {
  explore_all("rows", own_order<lattice>{lattice(3, 4, 1)}, 700);
  explore_all("planes", own_order<lattice>{lattice(2, 2, 3)}, 700);
  explore_all("waves", diagonal_order(lattice(3, 4, 1)), 700);
  // The whole chain is in one warp.
  explore_all("chain", diagonal_order(lattice(1, 9, 1)), 700);
  small_order const hub = hub_of_ten();
  explore_all("hub", hub.view(), 700);
}

// Results of one, two and three accesses. The model has no words for longer ones.
BOOST_AUTO_TEST_CASE(results_wider_than_an_access_arrive_complete) {
  explore_wide<3>("waves", diagonal_order(lattice(3, 4, 1)), 500);
  explore_wide<4>("waves", diagonal_order(lattice(3, 4, 1)), 500);
  explore_wide<4>("planes", own_order<lattice>{lattice(2, 2, 3)}, 300);
  explore_wide<7>("waves", diagonal_order(lattice(3, 4, 1)), 500);
  explore_wide<4>("chain", diagonal_order(lattice(1, 9, 1)), 300);
  std::vector<std::vector<std::uint32_t>> from(9);
  from[7] = {1, 2};
  from[8] = {0, 1, 2, 3, 4, 5, 7};
  explore_wide<7>("hub", small_order(from).view(), 300);
}

BOOST_AUTO_TEST_CASE(results_that_rings_lose_are_found_in_memory) {
  explore_all_rings("waves", diagonal_order(lattice(3, 4, 1)), 500);
  explore_all_rings("chain", diagonal_order(lattice(1, 9, 1)), 300);
  small_order const leaders = leaders_and_followers();
  explore_all_rings("leaders", leaders.view(), 1000);
  small_order const hub = hub_of_ten();
  explore_all_rings("hub", hub.view(), 500);
}

BOOST_AUTO_TEST_CASE(results_come_by_every_ring_where_none_is_lost) {
  // No lane looks in memory, because the ring has a slot for each task and patience never ends.
  constexpr std::uint32_t never = 1U << 31;
  for (int const blocks : {2, 3, 4}) {
    std::vector<std::vector<std::uint32_t>> from(4);
    for (std::uint32_t i = 1; i < 4; ++i) {
      for (std::uint32_t k = 0; k < i; ++k) from[i].push_back(k);
    }
    small_order const all_before(from);
    explore_rings<4, 1, never>("all before", all_before.view(), cast_of<1>{blocks, 1, blocks}, 300);
  }
}

BOOST_AUTO_TEST_CASE(a_result_is_put_into_the_rings_of_a_cluster_of_any_size_once) {
  struct {
    int stores = 0;
    void store_relaxed(ring_slot* word, ring_slot value) {
      *word = value;
      ++stores;
    }
  } memory;
  using ring = result_ring<8, 3>;
  for (int blocks = 1; blocks <= most_cluster_blocks; ++blocks) {
    for (int rank = 0; rank < blocks; ++rank) {
      std::vector<ring_slot> all(8U * static_cast<std::size_t>(blocks));
      memory.stores = 0;
      ring(all.data() + 8 * rank, rank, blocks).put(memory, 13, 7);
      BOOST_TEST(memory.stores == blocks);
      for (std::size_t k = 0; k < all.size(); ++k)
        BOOST_TEST(all[k] == (k % 8 == 13 % 8 ? ring_slot{14} << 32 | 7 : 0));
    }
  }
}

BOOST_AUTO_TEST_CASE(tasks_of_blocks_get_the_results_of_their_predecessors) {
  explore_blocks("waves", diagonal_order(lattice(3, 4, 1)), runner::block, 500);
  explore_blocks("planes", own_order<lattice>{lattice(2, 2, 3)}, runner::block, 500);
  small_order const hub = hub_of_ten();
  explore_blocks("hub", hub.view(), runner::block, 500);
  explore_blocks<wide_recurrence<4>>("wide", diagonal_order(lattice(3, 4, 1)), runner::block, 300);
}

BOOST_AUTO_TEST_CASE(tasks_of_blocks_see_what_their_predecessors_left_in_memory) {
  explore_blocks("waves", diagonal_order(lattice(3, 4, 1)), runner::block_in_memory, 1500);
  explore_blocks("planes", own_order<lattice>{lattice(2, 2, 3)}, runner::block_in_memory, 1500);
}

BOOST_AUTO_TEST_SUITE_END()
