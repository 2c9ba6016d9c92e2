#pragma once
// Factorisations by panels, each behind one function, so that tests can run all of them.

#include <algorithm>
#include <tuple>
#include <vector>

#include "ours/blocked/blocked_panels.hpp"
#include "ours/panel/gram_panels.hpp"
#include "ours/stream/streamed_panels.hpp"
#include "ours/tall/cholesky_panels.hpp"
#include "test_machines.hpp"

namespace gridloom::tiled_qr::test {

using gridloom::test::test_machine;

/// Spreads the columns of a matrix, so that `gap` rows of 7 follow each.
template <class T>
std::vector<T> spread_columns(std::vector<T> const& a, std::int64_t rows, std::int64_t cols,
                              std::int64_t gap) {
  std::int64_t const leading = rows + gap;
  std::vector<T> spread(std::size_t(leading * cols), T{7});
  for (std::int64_t col = 0; col < cols; ++col)
    std::copy_n(a.begin() + col * rows, rows, spread.begin() + col * leading);
  return spread;
}
/// Packs spread columns again, and requires that the rows of 7 between them are unchanged.
template <class T>
std::vector<T> packed_columns(std::vector<T> const& spread, std::int64_t rows, std::int64_t cols,
                              std::int64_t gap) {
  std::int64_t const leading = rows + gap;
  std::vector<T> packed(std::size_t(rows * cols));
  for (std::int64_t col = 0; col < cols; ++col) {
    auto const from = spread.begin() + col * leading;
    std::copy_n(from, rows, packed.begin() + col * rows);
    BOOST_TEST(std::count(from + rows, from + leading, T{7}) == gap);
  }
  return packed;
}

template <class T>
buffer<T> copied(device& machine, buffer<T> const& from) {
  auto to = machine.allocate<T>(from.size());
  machine.copy_on_device(to, from);
  return to;
}

/// Numbers of rows and of columns.
using shapes = std::vector<std::pair<std::int64_t, std::int64_t>>;

struct counts {
  std::uint32_t chains;
  int panels;
  int steps = 0;
};

/// Factorises by resident teams: `Teams` teams of `Members` blocks. 0, 0 means that the numbers are
/// chosen for the machine's blocks.
template <int Teams = 0, int Members = 0>
struct teams_of {
  template <class T>
  static counts factorise(test_machine const& on, device& machine,
                          panels::matrix_ref<T> const& matrix, std::vector<T>& taus, buffer<T>& t) {
    panels::gram_panels<T> qr(machine, matrix.rows, matrix.cols,
                              {.blocks = Teams != 0 ? Teams * Members : on.shape.blocks,
                               .threads = on.shape.threads,
                               .members = Members});
    qr.reset();
    qr.run(matrix);
    qr.require_done();
    taus = machine.copy_to_host(qr.tau());
    t = copied(machine, qr.t());
    return {qr.chains(), qr.panels()};
  }
};

/// Factorises in passes over the rows.
struct streamed {
  template <class T>
  static counts factorise(test_machine const& on, device& machine,
                          panels::matrix_ref<T> const& matrix, std::vector<T>& taus, buffer<T>& t) {
    int const count = static_cast<int>((std::min(matrix.rows, matrix.cols) + 31) / 32);
    t = machine.allocate<T>(static_cast<std::size_t>(count) * 1024);
    buffer<T> const tau = machine.allocate<T>(static_cast<std::size_t>(count) * 32);
    panels::streamed_panels<T> qr(machine, matrix.rows, matrix.cols, {.blocks = on.shape.blocks});
    qr.start(matrix, t.data(), tau.data());
    std::uint32_t const chains = qr.finish();
    taus = machine.copy_to_host(tau);
    return {chains, count};
  }
};

/// Factorises by blocks of columns and matrix products.
template <int Width>
struct blocks_of {
  template <class T>
  static counts factorise(test_machine const& on, device& machine,
                          panels::matrix_ref<T> const& matrix, std::vector<T>& taus, buffer<T>& t) {
    panels::blocked_panels<T> qr(machine, matrix.rows, matrix.cols,
                                 {.blocks = on.shape.blocks, .width = Width});
    qr.run(matrix);
    taus = machine.copy_to_host(qr.tau());
    t = copied(machine, qr.t());
    return {qr.chains(), static_cast<int>((std::min(matrix.rows, matrix.cols) + 31) / 32)};
  }
};

/// Factorises in steps of CholeskyQR. There may be at most 256 columns, and no more columns than
/// rows. `Chooses`: whether chains may take over if they are faster.
template <bool Chooses>
struct steps_of {
  template <class T>
  static counts factorise(test_machine const& on, device& machine,
                          panels::matrix_ref<T> const& matrix, std::vector<T>& taus, buffer<T>& t) {
    cholesky_panels<T> qr(machine, matrix.rows, matrix.cols,
                          {.blocks = on.shape.blocks, .chooses = Chooses});
    qr.run(matrix);
    taus = machine.copy_to_host(qr.tau());
    t = copied(machine, qr.t());
    return {qr.chains(), static_cast<int>((matrix.cols + 31) / 32), qr.steps()};
  }
};

using by_cholesky = steps_of<true>;
using by_steps_alone = steps_of<false>;
using blocked = blocks_of<64>;
using resident = teams_of<>;
using engines = std::tuple<resident, streamed, blocked>;

}  // namespace gridloom::tiled_qr::test
