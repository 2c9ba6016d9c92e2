// Tests the tasks of a system (Algorithm 7.4) and their dependencies.
#include "preprocess.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <stdexcept>

#include "jacobi_support.hpp"
#include "test_support.hpp"

namespace gridloom::mhive::jacobi::test {

BOOST_AUTO_TEST_SUITE(jacobi_preprocess_test)
namespace {

using gridloom::test::per_element;

using gridloom::test::message_of;

std::vector<std::uint32_t> first_rows(task_plan const& plan) {
  std::vector<std::uint32_t> rows;
  for (task const& of : plan.tasks) rows.push_back(of.first_row);
  return rows;
}

// Makes a matrix with rows of these lengths.
sparse::csr_matrix<double> with_lengths(std::vector<std::uint32_t> const& lengths) {
  sparse::csr_matrix<double> matrix;
  matrix.num_rows = matrix.num_cols = static_cast<std::uint32_t>(lengths.size());
  for (std::uint32_t const length : lengths) {
    for (std::uint32_t column = 0; column < length; ++column) {
      matrix.columns.push_back(column);
      matrix.values.push_back(1);
    }
    matrix.row_offsets.push_back(matrix.columns.size());
  }
  return matrix;
}

BOOST_AUTO_TEST_CASE(rows_are_added_until_the_threshold) {
  auto const plan = make_tasks(with_lengths({3, 2, 4, 1, 5, 5, 1}), {.entries = 5, .rows = 9});
  BOOST_TEST(first_rows(plan) == (std::vector<std::uint32_t>{0, 2, 4, 5, 6}), per_element());
  BOOST_TEST(plan.splits.empty());
  BOOST_TEST(plan.num_units == 5U);
}

BOOST_AUTO_TEST_CASE(rows_of_a_task_are_limited) {
  auto const plan = make_tasks(with_lengths({1, 0, 1, 1, 1}), {.entries = 512, .rows = 2});
  BOOST_TEST(first_rows(plan) == (std::vector<std::uint32_t>{0, 2, 4}), per_element());
}

BOOST_AUTO_TEST_CASE(a_longer_row_is_split) {
  auto const plan =
      make_tasks(with_lengths({2, 1, 11, 1, 0, 0, 0, 0, 0, 0, 0}), {.entries = 4, .rows = 3});
  BOOST_TEST(first_rows(plan) == (std::vector<std::uint32_t>{0, 2, 2, 2, 3, 6, 9}), per_element());
  BOOST_REQUIRE(plan.splits.size() == 1U);
  BOOST_TEST(plan.splits[0].row == 2U);
  BOOST_TEST(plan.splits[0].num_parts == 3U);
  BOOST_TEST(plan.tasks[3].num_entries == 3U);
  BOOST_TEST(plan.tasks[3].first_entry == 11U);
  BOOST_TEST(plan.tasks[3].unit == plan.tasks[1].unit);
  BOOST_TEST(plan.num_units == 5U);
}

BOOST_AUTO_TEST_CASE(limits_out_of_range_are_refused) {
  auto const matrix = with_lengths({1});
  for (task_limits const& limits :
       {task_limits{.entries = 0}, task_limits{.entries = 513}, task_limits{.rows = 0}}) {
    BOOST_CHECK_THROW((void)make_tasks(matrix, limits), std::invalid_argument);
  }
}

std::vector<sparse::csr_matrix<double>> matrices() {
  std::vector<sparse::csr_matrix<double>> all;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    auto const n = static_cast<std::uint32_t>(20 * seed);
    all.push_back(sparse_of(random_dense(n, 3, seed % 2 == 0 ? n : 0, seed)));
  }
  all.push_back(std::get<sparse::csr_matrix<double>>(sparse::generate("poisson2d:nx=9,ny=7")));
  all.push_back(sparse_of({{1}}));
  all.push_back(sparse_of({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  return all;
}
std::vector<task_limits> const all_limits{
    {}, {.entries = 16, .rows = 4}, {.entries = 1, .rows = 1}};

template <class Body>
void for_each_plan(Body&& body) {
  for (auto const& matrix : matrices()) {
    for (task_limits const& limits : all_limits) {
      BOOST_TEST_CONTEXT(matrix.num_rows << " rows, " << limits.entries << " entries") {
        body(matrix, make_tasks(matrix, limits));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_entry_is_in_one_task_and_no_task_exceeds_its_limits) {
  for_each_plan([](auto const& matrix, task_plan const& plan) {
    std::uint64_t entry = 0;
    std::uint32_t row = 0;
    std::uint32_t unit = 0;
    for (task const& of : plan.tasks) {
      BOOST_REQUIRE(of.first_entry == entry);
      entry += of.num_entries;
      BOOST_TEST(of.num_entries <= plan.limits.entries);
      BOOST_TEST(of.num_rows <= plan.limits.rows);
      std::uint64_t const length =
          matrix.row_offsets[of.first_row + of.num_rows] - matrix.row_offsets[of.first_row];
      bool last_of_unit = true;
      if (of.split == not_split) {
        BOOST_TEST(of.num_entries == length);
        std::uint32_t long_rows = 0;
        for (std::uint32_t r = of.first_row; r < of.first_row + of.num_rows; ++r) {
          long_rows += matrix.row(r).size() > 32 ? 1 : 0;
        }
        BOOST_TEST(of.long_rows == long_rows);
      } else {
        split_row const& whole = plan.splits.at(of.split);
        BOOST_TEST(length > plan.limits.entries);
        BOOST_TEST(whole.row == of.first_row);
        BOOST_TEST(whole.num_parts == (length - 1) / plan.limits.entries + 1);
        last_of_unit = of.part + 1 == whole.num_parts;
        BOOST_TEST((last_of_unit || of.num_entries == plan.limits.entries));
      }
      BOOST_TEST(of.first_row == row);
      BOOST_TEST(of.unit == unit);
      if (last_of_unit) {
        row += of.num_rows;
        ++unit;
      }
    }
    BOOST_TEST(entry == matrix.num_entries());
    BOOST_TEST(row == matrix.num_rows);
    BOOST_TEST(unit == plan.num_units);
  });
}

// Returns, for each task, the units for which it waits and the number of reductions from each. They
// are found by inverting the graph.
std::vector<std::map<std::uint32_t, int>> providers_of(task_plan const& plan,
                                                       task_graph const& graph) {
  std::vector<std::map<std::uint32_t, int>> providers(plan.tasks.size());
  BOOST_REQUIRE(graph.offsets.size() == plan.num_units + 1);
  for (std::uint32_t unit = 0; unit < plan.num_units; ++unit) {
    for (std::uint32_t i = graph.offsets[unit]; i < graph.offsets[unit + 1]; ++i) {
      ++providers.at(graph.followers.at(i))[unit];
    }
  }
  return providers;
}

// With two iterates, a task reads one and overwrites the other. So for each entry of a task's rows,
// the task must wait for the unit of the entry's column. That unit must wait for the task's unit.
BOOST_AUTO_TEST_CASE(
    tasks_wait_for_values_that_they_read_and_for_readers_of_values_that_they_overwrite) {
  for_each_plan([](auto const& matrix, task_plan const& plan) {
    std::vector<std::uint32_t> unit_of(matrix.num_rows);
    for (task const& of : plan.tasks) {
      for (std::uint32_t r = 0; r < of.num_rows; ++r) unit_of[of.first_row + r] = of.unit;
    }
    for (auto const count : {dependency_count::tasks, dependency_count::entries}) {
      task_graph const graph = make_graph(matrix, plan, count);
      BOOST_REQUIRE(graph.needed.size() == plan.tasks.size());
      auto const providers = providers_of(plan, graph);
      // Pairs of units; the first unit of a pair waits for the second.
      std::set<std::pair<std::uint32_t, std::uint32_t>> waits;
      for (std::size_t t = 0; t < plan.tasks.size(); ++t) {
        // There are as many reductions as are waited for.
        int sum = 0;
        for (auto const& [unit, times] : providers[t]) {
          waits.emplace(plan.tasks[t].unit, unit);
          sum += times;
          if (count == dependency_count::tasks) BOOST_TEST(times == 1);
        }
        BOOST_TEST(sum == graph.needed[t]);
      }
      for (std::size_t t = 0; t < plan.tasks.size(); ++t) {
        task const& of = plan.tasks[t];
        bool const whole = of.split == not_split;
        BOOST_TEST(providers[t].count(of.unit) == (whole ? 0U : 1U));
        for (std::uint32_t e = of.first_entry; e < of.first_entry + of.num_entries; ++e) {
          std::uint32_t const read = unit_of[matrix.columns[e]];
          if (read == of.unit) continue;
          // The task waits for the unit whose values it reads, and that unit waits for this reader.
          BOOST_TEST(providers[t].count(read) == 1U);
          BOOST_TEST(waits.count({read, of.unit}) == 1U);
        }
      }
      for (auto const& [a, b] : waits) BOOST_TEST(waits.count({b, a}) == 1U);
    }
  });
}

BOOST_AUTO_TEST_CASE(entries_are_counted_as_published) {
  // There are two tasks of two rows. Each task has three entries in columns of the other task's
  // rows.
  auto const matrix = sparse_of({{4, 0, 1, 1}, {0, 4, 0, 1}, {1, 0, 4, 0}, {1, 1, 0, 4}});
  auto const plan = make_tasks(matrix, {.entries = 512, .rows = 2});
  BOOST_TEST(make_graph(matrix, plan, dependency_count::entries).needed ==
                 (std::vector<std::int32_t>{3, 3}),
             per_element());
  BOOST_TEST(
      make_graph(matrix, plan, dependency_count::tasks).needed == (std::vector<std::int32_t>{1, 1}),
      per_element());
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive::jacobi::test
