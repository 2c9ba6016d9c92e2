#pragma once
// One kernel per operation, instead of one kernel with all four, to show the registers and the
// shared memory that each operation needs.

#include <cstdint>
#include <vector>

#include "gridloom/device.hpp"
#include "tiled_qr/execute.hpp"

namespace gridloom::tiled_qr {

/// The tiles that one operation has in shared memory.
template <class T, int MaxTile, task_type Type>
struct operation_scratch;

template <class T, int MaxTile>
struct operation_scratch<T, MaxTile, task_type::dgeqt2> : tile_room<T, MaxTile> {
  using tile_room<T, MaxTile>::size;
  T top[size];
  T taus[MaxTile];
  norm_scratch<T> norms;
};

template <class T, int MaxTile>
struct operation_scratch<T, MaxTile, task_type::dlarfb> : tile_room<T, MaxTile> {
  using tile_room<T, MaxTile>::size;
  T vectors[size];
  T top[size];
  T taus[MaxTile];
};

template <class T, int MaxTile>
struct operation_scratch<T, MaxTile, task_type::dtsqt2> : tile_room<T, MaxTile> {
  using tile_room<T, MaxTile>::size;
  T top[size];
  T bottom[size];
  T taus[MaxTile];
  norm_scratch<T> norms;
};

template <class T, int MaxTile>
struct operation_scratch<T, MaxTile, task_type::dssrfb> : tile_room<T, MaxTile> {
  using tile_room<T, MaxTile>::size;
  T vectors[size];
  T top[size];
  T bottom[size];
  T taus[MaxTile];
};

/// Executes tasks of one type that do not depend on each other.
template <class T, int MaxTile, task_type Type>
struct operation_kernel {
  static constexpr bool persistent = false;
  using scratch = operation_scratch<T, MaxTile, Type>;

  tiled_matrix_ref<T> matrix;
  /// Numbers of the tasks.
  std::uint32_t const* numbers;
  std::uint32_t size;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    tiled_matrix_ref<T> const& a = matrix;
    for (auto at = static_cast<std::uint32_t>(block.index()); at < size;
         at += static_cast<std::uint32_t>(block.count())) {
      auto const [k, i, j] = task_at(a.cut, numbers[at]);
      if constexpr (Type == task_type::dgeqt2) {
        factorise_single(block, a, k, shared);
      } else if constexpr (Type == task_type::dlarfb) {
        apply_single(block, a.tile(k, k), a.taus_of(k, k), a.tile(k, j), shared);
      } else if constexpr (Type == task_type::dtsqt2) {
        factorise_double(block, a, k, i, shared);
      } else {
        apply_double(block, a.tile(i, k), a.taus_of(i, k), a.tile(k, j), a.tile(i, j), shared);
      }
      block.sync();  // EX.R2
    }
  }
};

/// Registers and shared memory of the kernel of one operation, or of the kernel with all four.
struct operation_facts {
  /// Name of the operation, or "all four".
  char const* operation;
  kernel_facts kernel;
};

/// Returns the facts for tiles of `tile` rows and columns and blocks of `threads` threads. On a
/// host only shared_bytes is set: the memory of a worker.
template <class T>
std::vector<operation_facts> facts_of_operations(device& machine, int tile, int threads);

/// Factorises a matrix by these kernels, with one launch per level and type of task. Returns when
/// the work is done. The result has the same bits as under every scheduler.
template <class T>
void factorise_by_operations(device& machine, tiled_matrix_ref<T> const& matrix,
                             launch_shape shape);

}  // namespace gridloom::tiled_qr
