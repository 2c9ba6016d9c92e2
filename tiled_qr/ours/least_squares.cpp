#include "ours/least_squares.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "gridloom/error.hpp"
#include "ours/blocked/gemm.hpp"
#include "ours/panel/substitution.hpp"

namespace gridloom::tiled_qr {

namespace {

using panels::matrix_ref;
using panels::panel_width;
using panels::work_real;

/// Copies R's diagonal, which the host searches for zeros.
template <class T>
struct diagonal_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  matrix_ref<T> r;
  T* to;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& /*shared*/) const {
    std::int64_t const step = std::int64_t{block.count()} * block.num_threads();
    for (std::int64_t k = std::int64_t{block.index()} * block.num_threads() + block.thread_rank();
         k < r.cols; k += step)
      to[k] = *r.at(k, k);
  }
};

/// Solves with one diagonal square of R, of at most 32 columns. A block takes 32 right sides.
template <class T>
struct solve_square_kernel {
  static constexpr bool persistent = false;
  static constexpr int max_threads = 256;

  struct scratch {
    panels::square<work_real> r;
    panels::square<work_real> left;
    panels::square<work_real> x;
  };

  matrix_ref<T> r;
  /// The right sides, with as many rows as the square; the solutions replace them.
  matrix_ref<T> x;

  GRIDLOOM_FN int items() const {
    return static_cast<int>((x.cols + panel_width - 1) / panel_width);
  }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    for (int item = block.index(); item < items(); item += block.count()) {
      solve(block, std::int64_t{item} * panel_width, shared);
      block.sync();
    }
  }

 private:
  /// Does back substitution by solve_rows, which goes forward. So a right side is stored as a row
  /// in reverse order: entry c of the row is the c-th from the end.
  template <class Block>
  GRIDLOOM_FN void solve(Block const& block, std::int64_t first_col, scratch& shared) const {
    int const n = static_cast<int>(r.cols);
    constexpr int size = panel_width * panel_width;
    for (int e = block.thread_rank(); e < size; e += block.num_threads()) {
      int const c = e / panel_width;
      int const to = e % panel_width;
      work_real entry = 0;
      if (c <= to && to < n) entry = static_cast<work_real>(*r.at(n - 1 - to, n - 1 - c));
      shared.r(c, to) = c == to && to < n ? 1 / entry : entry;
    }
    for (int e = block.thread_rank(); e < size; e += block.num_threads()) {
      int const c = e % panel_width;
      std::int64_t const col = first_col + e / panel_width;
      shared.left(e / panel_width, c) =
          c < n && col < x.cols ? static_cast<work_real>(*x.at(n - 1 - c, col)) : work_real{0};
    }
    panels::solve_rows(
        block, shared.r, [&](int c) { return shared.r(c, c); }, 0, n, shared.left, shared.x);
    for (int e = block.thread_rank(); e < size; e += block.num_threads()) {
      int const c = e % panel_width;
      std::int64_t const col = first_col + e / panel_width;
      if (c < n && col < x.cols)
        *x.at(n - 1 - c, col) = static_cast<T>(shared.x(e / panel_width, c));
    }
  }
};

/// Returns the number of blocks for `items` items; on a host, one per processor.
int blocks_for(device const& machine, std::int64_t items) {
  std::int64_t const most =
      machine.is_host() ? machine.properties().multiprocessors : std::int64_t{1} << 20U;
  return static_cast<int>(std::min(items, most));
}

template <class T>
void require_full_rank(device& machine, matrix_ref<T> const& r, int threads) {
  auto const diagonal = machine.allocate<T>(static_cast<std::size_t>(r.cols));
  machine.launch({blocks_for(machine, (r.cols + threads - 1) / threads), threads},
                 diagonal_kernel<T>{r, diagonal.data()});
  std::vector<T> const values = machine.copy_to_host(diagonal);
  auto const last = std::find(values.rbegin(), values.rend(), T{0});
  if (last == values.rend()) return;
  throw run_error("least squares: R has a zero at " + std::to_string(values.rend() - last - 1) +
                  " of its diagonal, so the matrix does not have full rank");
}

}  // namespace

template <class T>
void solve_upper(device& machine, matrix_ref<T> const& r, matrix_ref<T> const& x, int threads) {
  if (r.rows != r.cols || x.rows != r.cols)
    throw std::invalid_argument("right-hand sides: expected as many rows as R has");
  if (r.cols == 0 || x.cols == 0) return;
  if (machine.is_host()) threads = 1;
  require_full_rank(machine, r, threads);
  auto const products = make_gemm<T>(machine, machine.stream());
  for (std::int64_t begin = (r.cols - 1) / panel_width * panel_width; begin >= 0;
       begin -= panel_width) {
    std::int64_t const n = std::min<std::int64_t>(panel_width, r.cols - begin);
    solve_square_kernel<T> const solve{{r.at(begin, begin), n, n, r.leading},
                                       {x.at(begin, 0), n, x.cols, x.leading}};
    machine.launch({blocks_for(machine, solve.items()), threads}, solve);
    if (begin > 0)
      products->subtract_product(begin, x.cols, n, {r.at(0, begin), r.leading},
                                 {x.at(begin, 0), x.leading}, {x.data, x.leading});
  }
  // The end of this function frees the library's workspace.
  machine.synchronize();
}

void require_tall(std::int64_t rows, std::int64_t cols) {
  if (rows < cols)
    throw unsupported("least squares: expected at least as many rows as columns, got " +
                      std::to_string(rows) + " x " + std::to_string(cols));
}

template <class T>
std::vector<T> least_squares_of(device& machine, matrix_ref<T> const& factors, std::span<T const> b,
                                std::function<void(matrix_ref<T> const&)> const& apply) {
  std::int64_t const m = factors.rows;
  std::int64_t const n = factors.cols;
  require_tall(m, n);
  auto const count = static_cast<std::int64_t>(b.size()) / m;
  if (static_cast<std::int64_t>(b.size()) != count * m)
    throw std::invalid_argument("right-hand sides: expected as many rows as the matrix has");
  auto const on_device = machine.allocate_copy(std::vector<T>(b.begin(), b.end()));
  apply({on_device.data(), m, count, m});
  solve_upper<T>(machine, {factors.data, n, n, factors.leading}, {on_device.data(), n, count, m});
  std::vector<T> x(static_cast<std::size_t>(n * count));
  for (std::int64_t c = 0; c < count; ++c)
    machine.copy_to_host(
        std::span<T>(x).subspan(static_cast<std::size_t>(c * n), static_cast<std::size_t>(n)),
        static_cast<T const*>(on_device.data() + c * m));
  return x;
}

template <class T>
std::vector<T> solve_least_squares(device& machine, tiled_matrix_ref<T> const& factors,
                                   std::span<T const> b, launch_shape shape) {
  std::int64_t const m = factors.cut.rows;
  return least_squares_of<T>(
      machine, {factors.data, m, factors.cut.cols, factors.ld}, b, [&](matrix_ref<T> const& c) {
        apply_q(machine, factors, side::q_transposed, c.data, c.leading, c.cols, shape);
      });
}

#define GRIDLOOM_INSTANTIATE(T)                                                                  \
  template void solve_upper<T>(device&, matrix_ref<T> const&, matrix_ref<T> const&, int);        \
  template std::vector<T> least_squares_of<T>(device&, matrix_ref<T> const&, std::span<T const>, \
                                              std::function<void(matrix_ref<T> const&)> const&); \
  template std::vector<T> solve_least_squares<T>(device&, tiled_matrix_ref<T> const&,            \
                                                 std::span<T const>, launch_shape);
GRIDLOOM_INSTANTIATE(float)
GRIDLOOM_INSTANTIATE(double)
#undef GRIDLOOM_INSTANTIATE

}  // namespace gridloom::tiled_qr
