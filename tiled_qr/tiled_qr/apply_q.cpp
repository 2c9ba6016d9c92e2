#include "tiled_qr/apply_q.hpp"

#include <algorithm>

#include "tiled_qr/execute.hpp"

namespace gridloom::tiled_qr {

namespace {

/// One worker per column of tiles of C.
template <class T, int MaxTile>
struct apply_q_kernel {
  using scratch = tile_scratch<T, MaxTile>;
  static constexpr bool persistent = false;

  tiled_matrix_ref<T> factors;
  /// C, cut into tiles as A is. Its `taus` are unused.
  tiled_matrix_ref<T> c;
  side which;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    std::uint32_t const steps = factors.cut.steps();
    auto const first = static_cast<std::uint32_t>(block.index());
    for (std::uint32_t j = first; j < c.cut.q(); j += static_cast<std::uint32_t>(block.count())) {
      for (std::uint32_t s = 0; s < steps; ++s)
        apply_step(block, which == side::q ? steps - 1 - s : s, j, shared);
    }
  }

 private:
  template <thread_group Block>
  GRIDLOOM_FN void apply_step(Block const& block, std::uint32_t k, std::uint32_t j,
                              scratch& shared) const {
    std::uint32_t const below = factors.cut.p() - k - 1;
    if (which == side::q_transposed) {
      apply_single(block, factors.tile(k, k), factors.taus_of(k, k), c.tile(k, j), shared, which);
      block.sync();
    }
    for (std::uint32_t s = 0; s < below; ++s) {
      std::uint32_t const i = which == side::q ? k + below - s : k + 1 + s;
      apply_double(block, factors.tile(i, k), factors.taus_of(i, k), c.tile(k, j), c.tile(i, j),
                   shared, which);
      block.sync();
    }
    if (which == side::q) {
      apply_single(block, factors.tile(k, k), factors.taus_of(k, k), c.tile(k, j), shared, which);
      block.sync();
    }
  }
};

}  // namespace

template <class T>
void apply_q(device& machine, tiled_matrix_ref<T> const& factors, side which, T* c,
             std::int64_t ldc, std::int64_t cols, launch_shape shape) {
  tiled_matrix_ref<T> const to{c, ldc, nullptr, {factors.cut.rows, cols, factors.cut.tile}};
  shape.blocks = static_cast<int>(std::min<std::int64_t>(shape.blocks, to.cut.q()));
  if (shape.blocks == 0) return;
  if (factors.cut.tile <= 32) {
    machine.launch(shape, apply_q_kernel<T, 32>{factors, to, which});
  } else {
    machine.launch(shape, apply_q_kernel<T, largest_tile>{factors, to, which});
  }
}

template <class T>
std::vector<T> form_q(device& machine, tiled_matrix_ref<T> const& factors, std::int64_t cols,
                      launch_shape shape) {
  auto const q = machine.allocate<T>(
      static_cast<std::size_t>(factors.cut.rows * std::max<std::int64_t>(cols, 0)));
  form_q(machine, factors, cols, q.data(), shape);
  return machine.copy_to_host(q);
}

template <class T>
void form_q(device& machine, tiled_matrix_ref<T> const& factors, std::int64_t cols, T* q,
            launch_shape shape) {
  std::int64_t const rows = factors.cut.rows;
  if (cols < 0 || cols > rows) throw std::invalid_argument("Q has as many columns as rows");
  machine.launch(shape, identity_kernel<T>{q, rows, cols});
  apply_q(machine, factors, side::q, q, rows, cols, shape);
}

template <class T>
std::vector<T> upper_triangle(tiling const& cut, std::span<T const> factors) {
  std::int64_t const r = std::min(cut.rows, cut.cols);
  std::vector<T> triangle(static_cast<std::size_t>(r * cut.cols), T{0});
  for (std::int64_t j = 0; j < cut.cols; ++j) {
    for (std::int64_t i = 0; i <= std::min(j, r - 1); ++i) {
      triangle[static_cast<std::size_t>(j * r + i)] =
          factors[static_cast<std::size_t>(j * cut.rows + i)];
    }
  }
  return triangle;
}

#define GRIDLOOM_INSTANTIATE(T)                                                                 \
  template void apply_q<T>(device&, tiled_matrix_ref<T> const&, side, T*, std::int64_t,         \
                           std::int64_t, launch_shape);                                         \
  template std::vector<T> form_q<T>(device&, tiled_matrix_ref<T> const&, std::int64_t,          \
                                    launch_shape);                                              \
  template void form_q<T>(device&, tiled_matrix_ref<T> const&, std::int64_t, T*, launch_shape); \
  template std::vector<T> upper_triangle<T>(tiling const&, std::span<T const>);
GRIDLOOM_INSTANTIATE(float)
GRIDLOOM_INSTANTIATE(double)
#undef GRIDLOOM_INSTANTIATE

}  // namespace gridloom::tiled_qr
