// Tests the task grid alone: the report's walk-through, the counts, and the grid's rules under
// random orders.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <vector>

#include "gridloom/random.hpp"
#include "tiled_qr/ready_tasks.hpp"
#include "tiled_qr/task_grid.hpp"

BOOST_AUTO_TEST_SUITE(grid_test)

using namespace gridloom;
using namespace gridloom::tiled_qr;

namespace {

/// A grid of p × q tiles of one element.
struct grid {
  tiling cut;
  std::vector<std::uint32_t> cells;
  task_grid_ref ref;

  grid(std::int64_t p, std::int64_t q)
      : cut{p, q, 1}, cells(cut.tiles(), 0), ref(cells.data(), cut) {}

  /// Returns the grid as the report prints it, but with slashes between the rows.
  [[nodiscard]] std::string text() const {
    std::string drawn;
    for (std::uint32_t cell = 0; cell < cells.size(); ++cell) {
      if (cell != 0) drawn += cell % cut.q() == 0 ? " / " : " ";
      if (ref.is_done(cell)) {
        drawn += "done";
      } else {
        drawn += ref.state_of(cell) == cell_state::idle
                     ? "-"
                     : task_type_names[static_cast<int>(ref.task_of(cell).type())];
      }
    }
    return drawn;
  }
  void execute(std::uint32_t cell) {
    BOOST_TEST(ref.start(cell));
    BOOST_TEST(ref.finish(cell, [](std::uint32_t, task const&) {}));
  }
};

/// Derives which tasks must finish before each task from the data that tasks read and write. For
/// every part of a tile, it remembers the last writer in the order of Algorithm 2.
class serial_order {
 public:
  explicit serial_order(tiling const& cut) {
    // A cell, and a part of its tile: 0 for the upper triangle or the whole tile, 1 for the
    // vectors.
    using kind = std::pair<std::uint64_t, int>;
    std::map<kind, task> writer;
    std::map<kind, std::vector<task>> readers;
    auto const visit = [&](task const& of, std::vector<kind> const& reads,
                           std::vector<kind> const& writes) {
      std::vector<task>& before = depends_[number_of(cut, of)];
      for (kind const& one : reads) {
        if (writer.contains(one)) before.push_back(writer.at(one));
        readers[one].push_back(of);
      }
      for (kind const& one : writes) {
        if (writer.contains(one)) before.push_back(writer.at(one));
        for (task const& reader : readers[one])
          if (!(reader == of)) before.push_back(reader);
        readers[one].clear();
        writer.insert_or_assign(one, of);
      }
    };
    auto const at = [&](std::uint32_t i, std::uint32_t j) {
      return std::uint64_t{i} * cut.q() + j;
    };
    for (std::uint32_t k = 0; k < cut.steps(); ++k) {
      visit({k, k, k}, {}, {{at(k, k), 0}, {at(k, k), 1}});
      for (std::uint32_t j = k + 1; j < cut.q(); ++j)
        visit({k, k, j}, {{at(k, k), 1}}, {{at(k, j), 0}, {at(k, j), 1}});
      for (std::uint32_t i = k + 1; i < cut.p(); ++i) {
        visit({k, i, k}, {}, {{at(k, k), 0}, {at(i, k), 0}, {at(i, k), 1}});
        for (std::uint32_t j = k + 1; j < cut.q(); ++j)
          visit({k, i, j}, {{at(i, k), 0}, {at(i, k), 1}},
                {{at(k, j), 0}, {at(k, j), 1}, {at(i, j), 0}, {at(i, j), 1}});
      }
    }
  }
  [[nodiscard]] std::vector<task> const& before(std::uint64_t number) const {
    return depends_.at(number);
  }

 private:
  std::map<std::uint64_t, std::vector<task>> depends_;
};

/// Runs a grid with up to `workers` tasks at once in a random order. Each task must be executed
/// once, after all tasks that it depends on.
void run_at_random(std::int64_t p, std::int64_t q, std::size_t workers, std::uint64_t seed) {
  grid of(p, q);
  serial_order const order(of.cut);
  random_source random(seed);
  std::vector<std::uint32_t> ready{of.ref.begin()};
  std::vector<std::uint32_t> running;
  std::vector<bool> finished(count_tasks(of.cut), false);
  std::uint64_t executed = 0;
  while (!ready.empty() || !running.empty()) {
    if (!ready.empty() && running.size() < workers && (running.empty() || random.below(2) == 0)) {
      auto const at = ready.begin() + static_cast<std::ptrdiff_t>(random.below(ready.size()));
      task const started = of.ref.task_of(*at);
      for (task const& needed : order.before(number_of(of.cut, started)))
        BOOST_TEST_REQUIRE(finished[number_of(of.cut, needed)]);
      BOOST_TEST_REQUIRE(of.ref.start(*at));
      running.push_back(*at);
      ready.erase(at);
      continue;
    }
    auto const at = running.begin() + static_cast<std::ptrdiff_t>(random.below(running.size()));
    std::uint64_t const number = number_of(of.cut, of.ref.task_of(*at));
    BOOST_TEST_REQUIRE(!finished[number]);
    finished[number] = true;
    ++executed;
    BOOST_TEST_REQUIRE(of.ref.finish(*at, [&](std::uint32_t cell, task const& next) {
      BOOST_TEST_REQUIRE((of.ref.task_of(cell) == next));
      ready.push_back(cell);
    }));
    running.erase(at);
  }
  BOOST_TEST(executed == count_tasks(of.cut));
  for (std::uint32_t cell = 0; cell < of.cells.size(); ++cell) BOOST_TEST(of.ref.is_done(cell));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_two_by_two_grid_follows_the_reports_walk_through) {
  grid of(2, 2);
  BOOST_TEST(of.ref.begin() == 0U);
  BOOST_TEST(of.text() == "dgeqt2 - / - -");
  of.execute(0);
  BOOST_TEST(of.text() == "done dlarfb / dtsqt2 -");
  of.execute(2);
  BOOST_TEST(of.text() == "done dlarfb / done -");
  of.execute(1);
  BOOST_TEST(of.text() == "done done / done dssrfb");
  of.execute(3);
  BOOST_TEST(of.text() == "done done / done dgeqt2");
  of.execute(3);
  BOOST_TEST(of.text() == "done done / done done");
}

BOOST_AUTO_TEST_CASE(a_square_grid_has_as_many_tasks_as_the_formula_says) {
  for (std::uint64_t p = 1; p <= 40; ++p) {
    auto const n = static_cast<std::int64_t>(p);
    BOOST_TEST(count_tasks({n, n, 1}) == p * (p + 1) * (2 * p + 1) / 6);
  }
  BOOST_TEST(count_tasks({7, 3, 1}) == 21U + 12U + 5U);
  BOOST_TEST(count_tasks({3, 7, 1}) == 21U + 12U + 5U);
  BOOST_TEST(count_tasks({1, 1, 32}) == 1U);
}

BOOST_AUTO_TEST_CASE(tasks_are_numbered_without_gaps_in_the_order_of_the_steps) {
  for (tiling const& cut : {tiling{5, 3, 1}, tiling{3, 5, 1}, tiling{4, 4, 1}}) {
    std::uint64_t expected = 0;
    for (std::uint32_t k = 0; k < cut.steps(); ++k)
      for (std::uint32_t i = k; i < cut.p(); ++i)
        for (std::uint32_t j = k; j < cut.q(); ++j)
          BOOST_TEST(number_of(cut, {k, i, j}) == expected++);
    BOOST_TEST(count_tasks(cut) == expected);
  }
}

BOOST_AUTO_TEST_CASE(no_order_of_execution_breaks_a_dependence_or_loses_a_task) {
  for (auto const& [p, q] : {std::pair{1, 1}, {1, 6}, {6, 1}, {2, 2}, {5, 5}, {8, 3}, {3, 8}}) {
    for (std::size_t const workers : {1U, 3U, 64U}) {
      for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        BOOST_TEST_CONTEXT(p << " x " << q << ", workers " << workers << ", seed " << seed) {
          run_at_random(p, q, workers, seed);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(impossible_calls_are_noticed) {
  grid of(2, 2);
  (void)of.ref.begin();
  auto const nothing = [](std::uint32_t, task const&) {};
  // The task is not ready.
  BOOST_TEST(!of.ref.start(3));
  // The task is not running.
  BOOST_TEST(!of.ref.finish(0, nothing));
  BOOST_TEST(of.ref.start(0));
  // The task is already running.
  BOOST_TEST(!of.ref.start(0));
  of.cells[1] |= static_cast<std::uint32_t>(cell_state::ready);
  // Tile (0, 1) would get a second ready task.
  BOOST_TEST(!of.ref.finish(0, nothing));
}

BOOST_AUTO_TEST_CASE(factorisations_go_first_and_each_kind_in_order) {
  for (priority const by : {priority::factorisations_first, priority::fifo}) {
    ready_words words{};
    std::vector<std::uint32_t> room(8);
    ready_tasks_ref const ready(&words, room.data(), 4, by);
    std::vector<std::uint32_t> taken;
    auto const take = [&] {
      taken.push_back(ready.next());
      ready.take_next();
    };
    for (int lap = 0; lap < 3; ++lap) {
      taken.clear();
      ready.put(10, {0, 0, 1});
      ready.put(11, {0, 1, 0});
      ready.put(12, {0, 0, 2});
      take();
      ready.put(13, {0, 2, 0});
      while (ready.size() != 0) take();
      std::vector<std::uint32_t> const expected = by == priority::fifo
                                                      ? std::vector<std::uint32_t>{10, 11, 12, 13}
                                                      : std::vector<std::uint32_t>{11, 13, 10, 12};
      BOOST_TEST(taken == expected, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
