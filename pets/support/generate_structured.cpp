// Task graphs of three algorithms: Gaussian elimination and the fast Fourier transform as in
// Topcuoglu et al. (2002, 5.2), and right-looking Cholesky factorisation by tiles. Tasks are named
// after their operations, and numbered from 0 in the order of a serial program.

#include <bit>
#include <initializer_list>

#include "pets/support/generators.hpp"

namespace gridloom::pets {
namespace {

std::string name_of(char const* what, std::initializer_list<std::uint64_t> indices) {
  std::string name = what;
  char before = '(';
  for (std::uint64_t const index : indices) {
    name += before + std::to_string(index);
    before = ',';
  }
  return name + ")";
}

// Index of tile (row, column) in a lower triangle that is stored by rows.
constexpr std::uint64_t triangle(std::uint64_t row, std::uint64_t column) {
  return row * (row + 1) / 2 + column;
}

// Builds a structure. Add tasks in the order of their numbers, and each task's edges right after
// it.
class builder {
 public:
  explicit builder(extent const& size) {
    made_.edges.row_offsets.reserve(size.tasks + 1);
    made_.edges.row_offsets.push_back(0);
    made_.edges.columns.reserve(size.edges);
    made_.names.reserve(size.tasks);
  }
  void task(char const* what, std::initializer_list<std::uint64_t> indices) {
    if (!made_.names.empty()) end_row();
    made_.names.push_back(name_of(what, indices));
  }
  void edge_to(std::uint64_t successor) {
    made_.edges.columns.push_back(static_cast<std::uint32_t>(successor));
  }
  [[nodiscard]] structure done() {
    end_row();
    return std::move(made_);
  }

 private:
  void end_row() { made_.edges.row_offsets.push_back(made_.edges.columns.size()); }

  structure made_;
};

}  // namespace

structure make_gauss(generator_arguments const& keys, std::uint32_t processors) {
  std::uint64_t const m = keys.whole("m", 2, most_gauss);
  extent const size = gauss_extent(m);
  require_memory(keys.generator(), size.tasks, size.edges, processors, true);
  builder made{size};
  // Step k: the pivot, then the updates of columns j > k. The first update leads to the next pivot.
  std::uint64_t start = 0;
  for (std::uint64_t k = 0; k + 1 < m; ++k) {
    std::uint64_t const next = start + m - k;
    made.task("pivot", {k});
    for (std::uint64_t j = k + 1; j < m; ++j) made.edge_to(start + j - k);
    for (std::uint64_t j = k + 1; j < m; ++j) {
      made.task("update", {k, j});
      if (k + 2 < m) made.edge_to(next + j - k - 1);
    }
    start = next;
  }
  return made.done();
}

structure make_fft(generator_arguments const& keys, std::uint32_t processors) {
  std::uint64_t const m = keys.whole("m", 1, most_fft);
  if (!std::has_single_bit(m)) keys.refuse("m", "a power of two");
  extent const size = fft_extent(m);
  require_memory(keys.generator(), size.tasks, size.edges, processors, true);
  builder made{size};
  // The recursive calls: a binary tree by levels, in which task c calls 2c + 1 and 2c + 2.
  std::uint64_t const calls = 2 * m - 1;
  std::uint64_t depth = 0;
  for (std::uint64_t call = 0; call < calls; ++call) {
    if (call + 1 == std::uint64_t{2} << depth) ++depth;
    made.task("call", {depth, call + 1 - (std::uint64_t{1} << depth)});
    if (call + 1 < m) {
      made.edge_to(2 * call + 1);
      made.edge_to(2 * call + 2);
    } else if (m > 1) {
      std::uint64_t const point = call + 1 - m;
      made.edge_to(calls + point);
      made.edge_to(calls + (point ^ 1U));
    }
  }
  // The butterflies: stage s joins points whose numbers differ in bit s.
  std::uint64_t const stages = static_cast<std::uint64_t>(std::countr_zero(m));
  for (std::uint64_t stage = 0; stage < stages; ++stage) {
    std::uint64_t const next = calls + (stage + 1) * m;
    for (std::uint64_t point = 0; point < m; ++point) {
      made.task("butterfly", {stage, point});
      if (stage + 1 == stages) continue;
      made.edge_to(next + point);
      made.edge_to(next + (point ^ (std::uint64_t{2} << stage)));
    }
  }
  return made.done();
}

structure make_cholesky(generator_arguments const& keys, std::uint32_t processors) {
  std::uint64_t const t = keys.whole("t", 1, most_cholesky);
  extent const size = cholesky_extent(t);
  require_memory(keys.generator(), size.tasks, size.edges, processors, true);
  builder made{size};
  // Step k: potrf(k), trsm(i,k) down the column, then the tiles (i,j) with k < j <= i by rows.
  std::uint64_t potrf = 0;
  for (std::uint64_t k = 0; k < t; ++k) {
    std::uint64_t const n = t - k;
    std::uint64_t const updates = potrf + n;
    std::uint64_t const next_potrf = potrf + n * (n + 1) / 2;
    made.task("potrf", {k});
    for (std::uint64_t i = k + 1; i < t; ++i) made.edge_to(potrf + i - k);
    for (std::uint64_t i = k + 1; i < t; ++i) {
      made.task("trsm", {i, k});
      for (std::uint64_t j = k + 1; j <= i; ++j)
        made.edge_to(updates + triangle(i - k - 1, j - k - 1));
      for (std::uint64_t row = i + 1; row < t; ++row)
        made.edge_to(updates + triangle(row - k - 1, i - k - 1));
    }
    for (std::uint64_t i = k + 1; i < t; ++i) {
      for (std::uint64_t j = k + 1; j <= i; ++j) {
        if (i == j) {
          made.task("syrk", {i, k});
        } else {
          made.task("gemm", {i, j, k});
        }
        // The tile's next task: in column k + 1 a potrf or trsm, elsewhere an update of step k + 1.
        if (j == k + 1) {
          made.edge_to(next_potrf + i - j);
        } else {
          made.edge_to(next_potrf + n - 1 + triangle(i - k - 2, j - k - 2));
        }
      }
    }
    potrf = next_potrf;
  }
  return made.done();
}

}  // namespace gridloom::pets
