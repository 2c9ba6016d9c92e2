// A counting sort puts the edges into rows, and each row is sorted and freed of repetitions.
// Undirected edges are stored by their smaller end first and mirrored only when the repetitions are
// gone, so a file that has both directions of each edge needs no more memory than the result does.
// Directed edges without weights, where the log is as large as that is beside the result, are
// sorted in two halves, and the log shrinks between them.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "edge_log.hpp"

namespace gridloom::sparse {
namespace {

// Counts in offsets[row + 1] become the beginnings of the rows.
void add_up(std::vector<std::uint64_t>& offsets) {
  for (std::size_t row = 1; row < offsets.size(); ++row) offsets[row] += offsets[row - 1];
}

// Filling moved offsets[row] from the beginning of each row to its end: back again.
void step_back(std::vector<std::uint64_t>& offsets) {
  std::move_backward(offsets.begin(), offsets.end() - 1, offsets.end());
  offsets.front() = 0;
}

template <matrix_value Value>
void make_room(csr_matrix<Value>& matrix) {
  matrix.columns.resize(matrix.row_offsets.back());
  if constexpr (has_values<Value>) matrix.values.resize(matrix.row_offsets.back());
}

// The edges of the rows below `end` go to their rows, and leave the log.
void move_to_rows(edge_log& log, std::uint64_t end, csr_matrix<no_value>& matrix) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < log.edges.size(); ++k) {
    edge const e = log.edges[k];
    if (e.from < end) {
      matrix.columns[matrix.row_offsets[e.from]++] = e.to;
    } else {
      log.edges[kept++] = e;
    }
  }
  log.edges.shrink(kept);
}

void move_in_halves(edge_log& log, csr_matrix<no_value>& matrix) {
  std::vector<std::uint64_t>& offsets = matrix.row_offsets;
  std::uint64_t const entries = offsets.back();
  auto const middle = std::lower_bound(offsets.begin(), offsets.end(), entries / 2);
  matrix.columns.resize(*middle);
  move_to_rows(log, static_cast<std::uint64_t>(middle - offsets.begin()), matrix);
  matrix.columns.reserve(entries);  // no more than that, which resize might take
  matrix.columns.resize(entries);
  move_to_rows(log, matrix.num_rows, matrix);
}

// One entry a line of the file; with weights in the order of the lines within a row, and the log is
// kept for messages, without them the log is used up.
template <matrix_value Value>
csr_matrix<Value> scatter(edge_log& log) {
  csr_matrix<Value> matrix;
  matrix.num_rows = matrix.num_cols = static_cast<std::uint32_t>(log.vertices);
  matrix.row_offsets.assign(log.vertices + 1, 0);
  for (std::size_t k = 0; k < log.edges.size(); ++k) {
    ++matrix.row_offsets[log.edges[k].from + std::size_t{1}];
  }
  add_up(matrix.row_offsets);
  if constexpr (has_values<Value>) {
    make_room(matrix);
    for (std::size_t k = 0; k < log.edges.size(); ++k) {
      std::uint64_t const place = matrix.row_offsets[log.edges[k].from]++;
      matrix.columns[place] = log.edges[k].to;
      matrix.values[place] = log.weights[k];
    }
  } else {
    move_in_halves(log, matrix);
  }
  step_back(matrix.row_offsets);
  return matrix;
}

// The first line that gives one of these edges (ascending) another weight than an earlier line did.
[[noreturn]] void refuse_weights(edge_log const& log, std::vector<edge> const& disputed) {
  std::vector<std::optional<std::uint64_t>> first_index(disputed.size());
  for (std::size_t k = 0; k < log.edges.size(); ++k) {
    edge const e = log.edges[k];
    auto const found = std::lower_bound(disputed.begin(), disputed.end(), e);
    if (found == disputed.end() || *found != e) continue;
    auto& first = first_index[static_cast<std::size_t>(found - disputed.begin())];
    if (!first) first = k;
    if (log.weights[*first] != log.weights[k]) {
      refuse_line(log.path, log.lines[k],
                  "expected the same weight as on line " + std::to_string(log.lines[*first]) +
                      " for a repeated edge, got another");
    }
  }
  throw std::logic_error("edge list: a disputed weight is not in the file");
}

// Sorts rows by column and collapses repeated entries. A row is copied out, sorted and copied back
// to where the rows before it end now.
template <matrix_value Value>
class row_cleaner {
 public:
  explicit row_cleaner(csr_matrix<Value>& matrix) : matrix_{matrix} {}

  // Edges that are there with differing weights, ascending; the matrix is of use if there are none.
  std::vector<edge> run() {
    std::uint64_t begin = 0;
    for (std::uint32_t row = 0; row < matrix_.num_rows; ++row) {
      std::uint64_t const end = matrix_.row_offsets[row + std::size_t{1}];
      clean(row, begin, end);
      matrix_.row_offsets[row + std::size_t{1}] = kept_;
      begin = end;
    }
    if (kept_ < matrix_.columns.size()) {
      make_room(matrix_);
      matrix_.columns.shrink_to_fit();
      matrix_.values.shrink_to_fit();
    }
    return std::move(disputed_);
  }

 private:
  void clean(std::uint32_t row, std::uint64_t begin, std::uint64_t end) {
    if constexpr (has_values<Value>) {
      row_.clear();
      for (std::uint64_t e = begin; e < end; ++e) {
        row_.emplace_back(matrix_.columns[e], matrix_.values[e]);
      }
      auto const by_column = [](auto const& a, auto const& b) { return a.first < b.first; };
      if (!std::is_sorted(row_.begin(), row_.end(), by_column)) {
        std::stable_sort(row_.begin(), row_.end(), by_column);
      }
      std::uint64_t const first = kept_;
      for (auto const& [column, value] : row_) {
        if (kept_ == first || matrix_.columns[kept_ - 1] != column) {
          matrix_.columns[kept_] = column;
          matrix_.values[kept_++] = value;
        } else if (matrix_.values[kept_ - 1] != value &&
                   (disputed_.empty() || disputed_.back() != edge{row, column})) {
          disputed_.push_back({row, column});
        }
      }
    } else {
      auto const at = [this](std::uint64_t place) {
        return matrix_.columns.begin() + static_cast<std::ptrdiff_t>(place);
      };
      std::sort(at(begin), at(end));
      kept_ = static_cast<std::uint64_t>(std::unique_copy(at(begin), at(end), at(kept_)) - at(0));
    }
  }

  csr_matrix<Value>& matrix_;
  std::uint64_t kept_ = 0;
  std::vector<edge> disputed_;
  std::vector<std::pair<std::uint32_t, Value>> row_;
};

// The symmetric matrix of an upper triangle. Going up the rows, what lies left of the diagonal of a
// row is complete, and ascending, before the row itself adds the rest.
template <matrix_value Value>
csr_matrix<Value> mirror(csr_matrix<Value> const& upper) {
  csr_matrix<Value> full;
  full.num_rows = full.num_cols = upper.num_rows;
  full.row_offsets.assign(upper.row_offsets.size(), 0);
  auto const for_each_entry = [&upper](auto&& take) {
    for (std::uint32_t row = 0; row < upper.num_rows; ++row) {
      for (std::uint64_t e = upper.row_offsets[row]; e < upper.row_offsets[row + std::size_t{1}];
           ++e) {
        take(row, upper.columns[e], e);
        if (upper.columns[e] != row) take(upper.columns[e], row, e);
      }
    }
  };
  for_each_entry([&full](std::uint32_t row, std::uint32_t, std::uint64_t) {
    ++full.row_offsets[row + std::size_t{1}];
  });
  add_up(full.row_offsets);
  make_room(full);
  for_each_entry([&](std::uint32_t row, std::uint32_t column, std::uint64_t e) {
    std::uint64_t const place = full.row_offsets[row]++;
    full.columns[place] = column;
    if constexpr (has_values<Value>) full.values[place] = upper.values[e];
  });
  step_back(full.row_offsets);
  return full;
}

}  // namespace

template <matrix_value Value>
csr_matrix<Value> rows_of_edges(edge_log log, bool undirected) {
  csr_matrix<Value> matrix = scatter<Value>(log);
  std::vector<edge> const disputed = row_cleaner{matrix}.run();
  if (!disputed.empty()) refuse_weights(log, disputed);
  log.edges.shrink(0);
  log.weights.shrink(0);
  if (undirected) return mirror(matrix);
  return matrix;
}

template csr_matrix<no_value> rows_of_edges<no_value>(edge_log, bool);
template csr_matrix<double> rows_of_edges<double>(edge_log, bool);

}  // namespace gridloom::sparse
