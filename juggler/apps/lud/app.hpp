#pragma once
// LU decomposition as an application of Juggler (Listing 4): the data of its tasks, and app_kernel.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "apps/lud/large_tiles.hpp"
#include "apps/lud/small_tiles.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler::lud {

enum kernel_type : std::uint32_t { type_lu0, type_fwd, type_bdiv, type_bmod };

/// The offset of each tile of a task in the matrix, one tile per argument of the task's kernel.
struct task_data {
  /// The tile that the task changes.
  std::uint64_t own;
  /// The diagonal tile, or the left operand of bmod.
  std::uint64_t left;
  /// The right operand of bmod.
  std::uint64_t right;
};

/// APP_DATA and app_kernel for tiles of any size. The matrix is stored by tiles, each by rows.
template <int PerThread>
struct small_tiles {
  using task_data = lud::task_data;
  using scratch = lud::scratch<PerThread>;
  static constexpr int max_threads = 256;
  static constexpr std::uint32_t kernel_types = 4;

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

/// APP_DATA and app_kernel for tiles of Side × Side elements and blocks of `block_warps` warps.
template <int Side>
struct large_tiles {
  using task_data = lud::task_data;
  using scratch = square_room<Side>;
  static constexpr int max_threads = 32 * block_warps<Side>;
  static constexpr std::uint32_t kernel_types = 4;
  template <std::uint32_t Type>
  using scratch_of = std::conditional_t<
      Type == type_lu0, typename scratch::diagonal,
      std::conditional_t<Type == type_bmod, typename scratch::chunks, typename scratch::panel>>;

  double* a;
  /// Inverses of the triangles of all diagonal tiles, `inverses_of_tile` elements per tile.
  double* inverses;
  /// Number of tiles in a row of the matrix.
  int tiles;

  static constexpr int inverses_of_tile = Side / step * inverse_elements;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t type, task_data const& of,
                              scratch& shared) const {
    switch (type) {
      case type_lu0: execute<type_lu0>(block, of, shared.factor); break;
      case type_fwd: execute<type_fwd>(block, of, shared.solve); break;
      case type_bdiv: execute<type_bdiv>(block, of, shared.solve); break;
      default: execute<type_bmod>(block, of, shared.product); break;
    }
  }
  template <std::uint32_t Type, thread_group Block>
  GRIDLOOM_FN void execute(Block const& block, task_data const& of,
                           scratch_of<Type>& shared) const {
    view const own = tile_at(of.own);
    if constexpr (Type == type_lu0) {
      lu0<Side>(block, own, inverses_of(of.own), shared);
    } else if constexpr (Type == type_bmod) {
      bmod<Side>(block, own, tile_at(of.left), tile_at(of.right), shared);
    } else {
      solve<Type == type_bdiv, Side>(block, tile_at(of.left), inverses_of(of.left), own, shared);
    }
  }

 private:
  GRIDLOOM_FN view tile_at(std::uint64_t begin) const { return {a + begin, Side, Side, Side}; }
  GRIDLOOM_FN double* inverses_of(std::uint64_t begin) const {
    std::uint64_t const number =
        begin / (std::uint64_t{Side} * Side) / static_cast<std::uint64_t>(tiles + 1);
    return inverses + number * inverses_of_tile;
  }
};

/// Threads per block that large_tiles needs for this size of tiles. 0 if it is not supported.
[[nodiscard]] constexpr int threads_of_squares(int tile) {
  return tile == 128  ? large_tiles<128>::max_threads
         : tile == 64 ? large_tiles<64>::max_threads
         : tile == 32 ? large_tiles<32>::max_threads
                      : 0;
}

}  // namespace gridloom::juggler::lud
