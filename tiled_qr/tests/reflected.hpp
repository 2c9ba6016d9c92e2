#pragma once
// A matrix that a panel engine has factorised, for tests of Q.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "check/apply_reflectors.hpp"
#include "ours/blocked/apply_q.hpp"
#include "panel_engines.hpp"
#include "rivals/lapack.hpp"

namespace gridloom::tiled_qr::test {

using gridloom::test::test_machines;

/// Calls body(machine) for the last two machines. Only two, because sanitizers make kernels slow.
/// On a device, their blocks have several warps.
template <class Body>
void on_two_machines(Body const& body) {
  auto const& all = test_machines();
  for (std::size_t at = all.size() - std::min<std::size_t>(all.size(), 2); at < all.size(); ++at)
    BOOST_TEST_CONTEXT(all[at].name()) { body(all[at], *all[at].machine); }
}

/// A factorised matrix on a device; `gap` unused rows follow each column.
template <class Engine, class T>
class reflected {
 public:
  reflected(test_machine const& on, device& machine, std::vector<T> const& a, std::int64_t rows,
            std::int64_t cols, std::int64_t gap = 0)
      : machine_(machine), rows_(rows), cols_(cols), leading_(rows + gap) {
    set_lapack_threads(1);
    values_ = machine.allocate_copy(spread_columns(a, rows, cols, gap));
    Engine::template factorise<T>(on, machine, factors(), taus_, t_);
    taus_.resize(static_cast<std::size_t>(std::min(rows, cols)));
  }

  [[nodiscard]] panels::matrix_ref<T> factors() const {
    return {values_.data(), rows_, cols_, leading_};
  }
  [[nodiscard]] buffer<T> const& values() const { return values_; }
  [[nodiscard]] T const* t() const { return t_.data(); }
  /// Computes Q C or Qᵀ C by plain loops in double, which share no code with the panels.
  [[nodiscard]] std::vector<T> by_loops(bool transposed, std::vector<T> c,
                                        std::int64_t columns) const {
    auto const packed =
        packed_columns(machine_.copy_to_host(values_), rows_, cols_, leading_ - rows_);
    apply_reflectors<T>(rows_, cols_, packed, taus_)(transposed, c.data(), columns);
    return c;
  }

 private:
  device& machine_;
  std::int64_t rows_;
  std::int64_t cols_;
  std::int64_t leading_;
  buffer<T> values_;
  buffer<T> t_;
  std::vector<T> taus_;
};

inline panels::applier_settings applier_on(test_machine const& on) {
  return {.blocks = on.shape.blocks, .threads = on.shape.threads};
}

/// The largest absolute difference of two matrices.
template <class T>
double distance(std::span<T const> one, std::span<T const> other) {
  double most = 0;
  for (std::size_t at = 0; at < one.size(); ++at) {
    double const here = std::abs(double(one[at]) - double(other[at]));
    // True for NaN, too.
    if (!(here <= most)) most = here;
  }
  return most;
}

template <class T>
double epsilon() {
  return std::numeric_limits<T>::epsilon();
}

}  // namespace gridloom::tiled_qr::test
