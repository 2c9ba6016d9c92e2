#include "preprocess.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "gridloom/sparse/transform.hpp"
#include "row_sum.hpp"

namespace gridloom::mhive::jacobi {
namespace {

void require_range(char const* what, std::uint32_t value, std::uint32_t most) {
  if (value >= 1 && value <= most) return;
  throw std::invalid_argument(std::string("make_tasks: expected 1 to ") + std::to_string(most) +
                              " " + what + " per task, got " + std::to_string(value));
}

// Collects the tasks. `open_` is a task that can take more rows.
class task_maker {
 public:
  explicit task_maker(task_limits const& limits) { plan_.limits = limits; }

  void add(std::uint32_t row, std::uint32_t first_entry, std::uint32_t length) {
    if (length > plan_.limits.entries) {
      close();
      split(row, first_entry, length);
      return;
    }
    if (open_.num_rows == plan_.limits.rows || open_.num_entries + length > plan_.limits.entries) {
      close();
    }
    if (open_.num_rows == 0) open_ = {row, 0, first_entry, 0, not_split, 0, 0, 0};
    open_.num_rows += 1;
    open_.num_entries += length;
    open_.long_rows += length > sum_lanes ? 1 : 0;
  }
  task_plan finish() {
    close();
    return std::move(plan_);
  }

 private:
  void close() {
    if (open_.num_rows == 0) return;
    open_.unit = plan_.num_units++;
    plan_.tasks.push_back(open_);
    open_.num_rows = 0;
    open_.num_entries = 0;
  }
  void split(std::uint32_t row, std::uint32_t first_entry, std::uint32_t length) {
    std::uint32_t const most = plan_.limits.entries;
    std::uint32_t const parts = (length - 1) / most + 1;
    auto const number = static_cast<std::uint32_t>(plan_.splits.size());
    for (std::uint32_t part = 0; part < parts; ++part) {
      std::uint32_t const begin = part * most;
      plan_.tasks.push_back({row, 1, first_entry + begin, std::min(most, length - begin), number,
                             part, plan_.num_units, 1});
    }
    plan_.splits.push_back({row, parts, plan_.num_partials});
    plan_.num_partials += parts;
    plan_.num_units += 1;
  }

  task_plan plan_;
  task open_{};
};

// Returns the pattern of A, or of A | A^T if A is not symmetric.
template <sparse::matrix_value Value>
sparse::csr_matrix<sparse::no_value> symmetric_relation(sparse::csr_matrix<Value> const& matrix) {
  auto pattern = sparse::pattern_of(matrix);
  auto const transposed = sparse::transpose(pattern);
  return transposed.row_offsets == pattern.row_offsets && transposed.columns == pattern.columns
             ? pattern
             : sparse::symmetrise(pattern);
}

// Returns the columns for which a segment waits: those of its row in `pattern` up to the first
// column of the next segment. A column that only the transpose has may be in any segment.
template <sparse::matrix_value Value>
std::span<std::uint32_t const> columns_of_part(sparse::csr_matrix<Value> const& matrix,
                                               sparse::csr_matrix<sparse::no_value> const& pattern,
                                               task_plan const& plan, task const& of) {
  auto const row = pattern.row(of.first_row);
  bool const last = of.part + 1 == plan.splits[of.split].num_parts;
  auto const from = [&](std::size_t entry) {
    return std::lower_bound(row.begin(), row.end(), matrix.columns[entry]);
  };
  auto const begin = of.part == 0 ? row.begin() : from(of.first_entry);
  auto const end = last ? row.end() : from(std::size_t{of.first_entry} + of.num_entries);
  return {begin, end};
}

}  // namespace

template <sparse::matrix_value Value>
task_plan make_tasks(sparse::csr_matrix<Value> const& matrix, task_limits const& limits) {
  require_range("entries", limits.entries, task_limits::most_entries_ever);
  require_range("rows", limits.rows, 1U << 30U);
  task_maker maker{limits};
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    maker.add(row, static_cast<std::uint32_t>(matrix.row_offsets[row]),
              static_cast<std::uint32_t>(matrix.row_offsets[row + 1] - matrix.row_offsets[row]));
  }
  return maker.finish();
}

template <sparse::matrix_value Value>
task_graph make_graph(sparse::csr_matrix<Value> const& matrix, task_plan const& plan,
                      dependency_count count) {
  auto const pattern = symmetric_relation(matrix);
  std::vector<std::uint32_t> unit_of_row(matrix.num_rows);
  for (task const& of : plan.tasks) {
    for (std::uint32_t i = 0; i < of.num_rows; ++i) unit_of_row[of.first_row + i] = of.unit;
  }
  // First the units for which each task waits, then the tasks that wait for each unit.
  std::vector<std::uint32_t> waits_for;
  task_graph graph;
  // For each unit, the last task that was found to wait for it.
  std::vector<std::uint32_t> met_by(plan.num_units, ~0U);
  for (std::uint32_t number = 0; number < plan.tasks.size(); ++number) {
    task const& of = plan.tasks[number];
    std::size_t const before = waits_for.size();
    auto const wait_for = [&](std::span<std::uint32_t const> columns) {
      for (std::uint32_t const column : columns) {
        std::uint32_t const unit = unit_of_row[column];
        if (unit == of.unit) continue;
        if (count == dependency_count::tasks && met_by[unit] == number) continue;
        met_by[unit] = number;
        waits_for.push_back(unit);
      }
    };
    if (of.split == not_split) {
      for (std::uint32_t i = 0; i < of.num_rows; ++i) wait_for(pattern.row(of.first_row + i));
    } else {
      wait_for(columns_of_part(matrix, pattern, plan, of));
      waits_for.push_back(of.unit);
    }
    graph.needed.push_back(static_cast<std::int32_t>(waits_for.size() - before));
  }
  graph.offsets.assign(std::size_t{plan.num_units} + 1, 0);
  for (std::uint32_t const unit : waits_for) ++graph.offsets[unit + 1];
  std::partial_sum(graph.offsets.begin(), graph.offsets.end(), graph.offsets.begin());
  graph.followers.resize(waits_for.size());
  std::vector<std::uint32_t> next(graph.offsets.begin(), graph.offsets.end() - 1);
  std::size_t at = 0;
  for (std::uint32_t number = 0; number < graph.needed.size(); ++number) {
    for (std::int32_t i = 0; i < graph.needed[number]; ++i) {
      graph.followers[next[waits_for[at++]]++] = number;
    }
  }
  return graph;
}

template task_plan make_tasks(sparse::csr_matrix<float> const&, task_limits const&);
template task_plan make_tasks(sparse::csr_matrix<double> const&, task_limits const&);
template task_graph make_graph(sparse::csr_matrix<float> const&, task_plan const&,
                               dependency_count);
template task_graph make_graph(sparse::csr_matrix<double> const&, task_plan const&,
                               dependency_count);

}  // namespace gridloom::mhive::jacobi
