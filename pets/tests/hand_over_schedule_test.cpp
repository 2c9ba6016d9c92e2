// The counting warps of hand_over under seeded schedules on a weak memory model. The order of
// places must be topological, and every task must get a place (HO.R2 of
// ours/kernels/hand_over.hpp).
//
// Updates take effect late, as they may on a device: at any time until the warp uses their result
// in a shuffle. If a count-down came before that use, a successor might get its place first.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "explore.hpp"
#include "pets/ours/kernels/hand_over.hpp"

namespace gridloom::pets::test {

BOOST_AUTO_TEST_SUITE(hand_over_schedule_test)

using namespace gridloom::test;

namespace {

/// Updates that threads of one warp have requested and that have not taken effect.
class late_updates {
 public:
  std::uint32_t ask(std::uint32_t* word, std::uint32_t n) {
    asked_.push_back({word, n, 0, false});
    return first_name + static_cast<std::uint32_t>(asked_.size()) - 1;
  }
  /// Returns the result of the update that `ask` named; returns any other value unchanged.
  template <class T>
  T answer(scheduled_memory& memory, T value) {
    if (value < first_name || value >= first_name + asked_.size()) return value;
    update& it = asked_[static_cast<std::size_t>(value - first_name)];
    if (!it.made) {
      it.made = true;
      it.answer = memory.fetch_add_relaxed(it.word, it.n);
    }
    return it.answer;
  }

 private:
  struct update {
    std::uint32_t* word;
    std::uint32_t n;
    std::uint32_t answer;
    bool made;
  };
  static constexpr std::uint32_t first_name = 0x80000000U;
  std::vector<update> asked_;
};

class late_memory : public scheduled_memory {
 public:
  late_memory(schedule& on, int worker, late_updates& updates)
      : scheduled_memory(on, worker), updates_(&updates) {}
  std::uint32_t fetch_add_relaxed(std::uint32_t* word, std::uint32_t n) {
    return updates_->ask(word, n);
  }

 private:
  late_updates* updates_;
};

/// A warp of one lane, so that each worker of a schedule is a warp. If its shuffle passes on the
/// result of a late update, it makes the update first.
class late_warp : public thread_of_one {
 public:
  late_warp(schedule& on, int worker, int workers, late_updates& updates)
      : thread_of_one(worker, workers), memory_(on, worker), updates_(&updates) {}
  template <class T>
  T shuffle(T value, int) const {
    return updates_->answer(memory_, value);
  }

 private:
  mutable scheduled_memory memory_;
  late_updates* updates_;
};

struct edge {
  std::uint32_t from;
  std::uint32_t to;
};

class small_graph {
 public:
  small_graph(std::uint32_t tasks, std::vector<edge> const& edges) : missing(tasks) {
    for (std::uint32_t t = 0; t < tasks; ++t) {
      for (edge const& e : edges) {
        if (e.from == t) tasks_.push_back(e.to);
        if (e.to == t) ++missing[t];
      }
      offsets_.push_back(static_cast<std::uint32_t>(tasks_.size()));
    }
  }
  [[nodiscard]] device_graph_ref ref() const {
    adjacency_ref const successors{offsets_.data(), tasks_.data(), nullptr};
    return {static_cast<std::uint32_t>(missing.size()), 1, nullptr, successors, {}};
  }
  std::vector<std::uint32_t> missing;

 private:
  std::vector<std::uint32_t> offsets_{0};
  std::vector<std::uint32_t> tasks_;
};

class counting_scene {
 public:
  counting_scene(schedule& on, small_graph const& graph, int warps)
      : on_(&on), graph_(&graph), warps_(warps) {
    words& all = *words_;
    std::uint32_t entries = 0;
    for (std::uint32_t t = 0; t < graph.missing.size(); ++t) {
      if (graph.missing[t] == 0) all.order[entries++] = t + 1;
    }
    weak_memory& memory = on.memory();
    for (std::uint32_t t = 0; t < graph.missing.size(); ++t) {
      memory.add(&all.missing[t], graph.missing[t]);
      memory.add(&all.order[t], all.order[t]);
      memory.add(&all.surplus[t], all.order[t]);
    }
    memory.add(&all.placed, entries);
    memory.add(&all.pushed, entries);
    memory.add(&all.drawn, 0);
    memory.add(&all.stop, 0);
  }
  [[nodiscard]] int workers() const { return warps_; }
  void work(int worker) {
    words& all = *words_;
    watchdog_ref const dog{&all.stop, all.notes.data(), ~std::uint64_t{0}};
    hand_over_kernel const kernel{{graph_->ref(), nullptr, nullptr},
                                  {all.missing.data(), all.order.data(), &all.placed,
                                   all.surplus.data(), &all.pushed, &all.drawn, nullptr},
                                  dog};
    late_updates& updates = all.updates[static_cast<std::size_t>(worker)];
    late_memory memory(*on_, worker, updates);
    late_warp const warp(*on_, worker, warps_, updates);
    hand_over_kernel::located ready[32];
    hand_over_kernel::counting_warp<late_warp, late_memory> counts{kernel, warp, ready, memory};
    watch watcher(dog, worker);
    if (!counts.run(watcher)) on_->fail("the time limit has passed");
  }
  [[nodiscard]] std::string verdict() const {
    device_graph_ref const of = graph_->ref();
    std::vector<std::uint32_t> place(of.num_tasks, of.num_tasks);
    for (std::uint32_t i = 0; i < of.num_tasks; ++i) {
      auto const task = static_cast<std::uint32_t>(on_->memory().newest(&words_->order[i])) - 1;
      if (task >= of.num_tasks || place[task] != of.num_tasks) return "a place without a task";
      place[task] = i;
    }
    for (std::uint32_t t = 0; t < of.num_tasks; ++t) {
      for (std::uint32_t e = of.successors.offsets[t]; e < of.successors.offsets[t + 1]; ++e) {
        std::uint32_t const child = of.successors.tasks[e];
        if (place[t] > place[child]) {
          return "task " + std::to_string(child) + " has its place before its predecessor " +
                 std::to_string(t);
        }
      }
    }
    return "";
  }

 private:
  static constexpr std::size_t most_tasks = 9;
  struct words {
    std::array<std::uint32_t, most_tasks> missing{};
    std::array<std::uint32_t, most_tasks> order{};
    std::array<std::uint32_t, most_tasks> surplus{};
    std::uint32_t placed = 0;
    std::uint32_t pushed = 0;
    std::uint32_t drawn = 0;
    std::uint32_t stop = 0;
    std::array<wait_note, weak_memory::max_workers> notes{};
    std::array<late_updates, weak_memory::max_workers> updates;
  };
  schedule* on_;
  small_graph const* graph_;
  int warps_;
  std::unique_ptr<words> words_ = std::make_unique<words>();
};

void explore_graph(char const* what, small_graph const& graph) {
  for (int const warps : {2, 3, 4}) {
    explore(std::string(what) + ", warps " + std::to_string(warps), seeds_from(3000),
            [&](schedule& on) { return counting_scene(on, graph, warps); });
  }
}

BOOST_AUTO_TEST_CASE(places_are_topological_however_late_updates_are_made) {
  explore_graph("two chains that join", {6, {{0, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 5}}});
  explore_graph("a fan in and out", {9,
                                     {{0, 1},
                                      {0, 2},
                                      {0, 3},
                                      {0, 4},
                                      {1, 5},
                                      {2, 5},
                                      {3, 5},
                                      {4, 5},
                                      {5, 6},
                                      {5, 7},
                                      {6, 8},
                                      {7, 8}}});
  explore_graph("a lattice", {9,
                              {{0, 1},
                               {0, 3},
                               {1, 2},
                               {1, 4},
                               {3, 4},
                               {3, 6},
                               {2, 5},
                               {4, 5},
                               {4, 7},
                               {6, 7},
                               {5, 8},
                               {7, 8}}});
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::pets::test
