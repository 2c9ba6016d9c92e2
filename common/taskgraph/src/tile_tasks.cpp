#include "tile_tasks.hpp"

#include <algorithm>
#include <initializer_list>

namespace gridloom {
namespace {

using tile = std::uint64_t;

/// Tasks in the order of the serial program.
class tile_program {
 public:
  explicit tile_program(std::uint64_t tiles) : writer_(tiles, no_task) {}

  void add(std::uint64_t duration, std::initializer_list<tile> reads,
           std::initializer_list<tile> updates) {
    auto const me = static_cast<std::uint32_t>(made_.durations.size());
    auto& before = made_.columns;
    auto const first = static_cast<std::ptrdiff_t>(before.size());
    for (auto const& list : {reads, updates}) {
      for (tile const one : list)
        if (writer_[one] != no_task) before.push_back(writer_[one]);
    }
    std::sort(before.begin() + first, before.end());
    before.erase(std::unique(before.begin() + first, before.end()), before.end());
    made_.row_offsets.push_back(before.size());
    made_.durations.push_back(duration);
    for (tile const one : updates) writer_[one] = me;
  }
  [[nodiscard]] csr_graph graph() {
    csr_graph successors = transposed(made_);
    successors.durations = std::move(made_.durations);
    return successors;
  }

 private:
  /// The last task that wrote each tile.
  std::vector<std::uint32_t> writer_;
  /// Predecessors.
  csr_graph made_{{0}, {}};
};

}  // namespace

csr_graph cholesky_tasks(std::uint64_t tiles) {
  tile_program program(tiles * tiles);
  auto const at = [&](tile row, tile col) { return row * tiles + col; };
  for (tile k = 0; k < tiles; ++k) {
    program.add(1, {}, {at(k, k)});
    for (tile i = k + 1; i < tiles; ++i) program.add(3, {at(k, k)}, {at(i, k)});
    for (tile i = k + 1; i < tiles; ++i) {
      for (tile j = k + 1; j < i; ++j) program.add(6, {at(i, k), at(j, k)}, {at(i, j)});
      program.add(3, {at(i, k)}, {at(i, i)});
    }
  }
  return program.graph();
}

csr_graph lu_tasks(std::uint64_t tiles) {
  tile_program program(tiles * tiles);
  auto const at = [&](tile row, tile col) { return row * tiles + col; };
  for (tile k = 0; k < tiles; ++k) {
    program.add(2, {}, {at(k, k)});
    for (tile i = k + 1; i < tiles; ++i) program.add(3, {at(k, k)}, {at(i, k)});
    for (tile j = k + 1; j < tiles; ++j) program.add(3, {at(k, k)}, {at(k, j)});
    for (tile i = k + 1; i < tiles; ++i) {
      for (tile j = k + 1; j < tiles; ++j) program.add(6, {at(i, k), at(k, j)}, {at(i, j)});
    }
  }
  return program.graph();
}

csr_graph qr_tasks(std::uint64_t rows, std::uint64_t cols) {
  std::uint64_t const steps = std::min(rows, cols);
  // The reflectors of a diagonal tile are apart from its triangle, which later tasks update.
  tile_program program(rows * cols + steps);
  auto const at = [&](tile row, tile col) { return row * cols + col; };
  for (tile k = 0; k < steps; ++k) {
    tile const reflectors = rows * cols + k;
    program.add(4, {}, {at(k, k), reflectors});
    for (tile j = k + 1; j < cols; ++j) program.add(6, {reflectors}, {at(k, j)});
    for (tile i = k + 1; i < rows; ++i) {
      program.add(6, {}, {at(k, k), at(i, k)});
      for (tile j = k + 1; j < cols; ++j) program.add(12, {at(i, k)}, {at(k, j), at(i, j)});
    }
  }
  return program.graph();
}

}  // namespace gridloom
