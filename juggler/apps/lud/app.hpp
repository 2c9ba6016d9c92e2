#pragma once
// LU decomposition as an application of Juggler (Listing 4): what its tasks have, and app_kernel.

#include "apps/lud/operations.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler::lud {

enum kernel_type : std::uint32_t { type_lu0, type_fwd, type_bdiv, type_bmod };

/// Where tiles begin in the matrix; a task has as many of these as its kernel has arguments.
struct task_data {
  /// The one that is changed.
  std::uint64_t own;
  /// The diagonal tile, or the left operand of bmod.
  std::uint64_t left;
  /// The right operand of bmod.
  std::uint64_t right;
};

/// APP_DATA and app_kernel. The matrix lies tile by tile, each tile by rows.
template <int PerThread>
struct app {
  using task_data = lud::task_data;
  using scratch = lud::scratch<PerThread>;
  static constexpr int max_threads = 256;

  double* a;
  int tile;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t type, task_data const& of,
                              scratch& shared) const {
    view const own = tile_at(of.own);
    switch (type) {
      case type_lu0: lu0(block, own, shared); break;
      case type_fwd: fwd(block, tile_at(of.left), own, shared); break;
      case type_bdiv: bdiv(block, tile_at(of.left), own, shared); break;
      default: subtract_product(block, own, tile_at(of.left), tile_at(of.right), shared); break;
    }
  }

 private:
  GRIDLOOM_FN view tile_at(std::uint64_t begin) const { return {a + begin, tile, tile, tile}; }
};

}  // namespace gridloom::juggler::lud
