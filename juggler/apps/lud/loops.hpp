#pragma once
// LU decomposition with the loops of examples/apps/lud.c (Listing 3). Where the source has
// `parallel for`, the threads of a block share a loop. A test compares the text of the four kernels
// with the output of juggler-cc for that file. The tile size must divide the matrix size.

#include "apps/lud/app.hpp"

namespace gridloom::juggler::lud {

struct loops {
  using task_data = lud::task_data;
  struct scratch {};
  static constexpr int max_threads = 256;

  /// The matrix, tile after tile, each stored by rows.
  double* a;
  int side;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t type, task_data const& of,
                              scratch&) const {
    double* const own = a + of.own;
    switch (type) {
      case type_lu0: lu0(block, own, side); break;
      case type_fwd: fwd(block, a + of.left, own, side); break;
      case type_bdiv: bdiv(block, a + of.left, own, side); break;
      default: bmod(block, a + of.left, a + of.right, own, side); break;
    }
  }

 private:
  template <thread_group Block>
  GRIDLOOM_FN static void lu0(Block const& block, double* diag, int n) {
    for (int k = 0; k < n; k++) {
      for (int i = k + 1 + block.thread_rank(); i < n; i += block.num_threads()) {
        diag[i * n + k] /= diag[k * n + k];
        for (int j = k + 1; j < n; j++) diag[i * n + j] -= diag[i * n + k] * diag[k * n + j];
      }
      block.sync();
    }
  }

  template <thread_group Block>
  GRIDLOOM_FN static void fwd(Block const& block, double const* diag, double* col, int n) {
    for (int j = block.thread_rank(); j < n; j += block.num_threads()) {
      for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) col[i * n + j] -= diag[i * n + k] * col[k * n + j];
    }
    block.sync();
  }

  template <thread_group Block>
  GRIDLOOM_FN static void bdiv(Block const& block, double const* diag, double* row, int n) {
    for (int i = block.thread_rank(); i < n; i += block.num_threads()) {
      for (int k = 0; k < n; k++) {
        row[i * n + k] /= diag[k * n + k];
        for (int j = k + 1; j < n; j++) row[i * n + j] -= row[i * n + k] * diag[k * n + j];
      }
    }
    block.sync();
  }

  template <thread_group Block>
  GRIDLOOM_FN static void bmod(Block const& block, double const* row, double const* col,
                               double* inner, int n) {
    for (int e = block.thread_rank(); e < n * n; e += block.num_threads()) {
      int i = e / n, j = e % n;
      double sum = inner[e];
      for (int k = 0; k < n; k++) sum -= row[i * n + k] * col[k * n + j];
      inner[e] = sum;
    }
    block.sync();
  }
};

}  // namespace gridloom::juggler::lud
