#pragma once
// What all methods on one matrix share: its values, and how a result is judged.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arms.hpp"
#include "check/lapack.hpp"
#include "check/residual.hpp"

namespace gridloom::tiled_qr {

template <class T>
struct input_of {
  bench::program& app;
  request const& wanted;
  std::int64_t rows;
  std::int64_t cols;
  std::vector<T> values;

  [[nodiscard]] std::int64_t vectors() const { return std::min(rows, cols); }
  /// Throws wrong_result; the measures go to `found`.
  void judge(std::vector<T> const& q, std::vector<T> const& r, residuals& found) const {
    set_lapack_threads(0);
    found = measure_residuals<T>(rows, cols, values, q, r);
    if (std::string const excess = excess_of(found); !excess.empty()) throw wrong_result(excess);
  }
};

inline void record_residuals(std::optional<residuals> const& found, row& to) {
  if (!found) return;
  to.factors_residual = found->factors;
  to.orthogonality = found->orthogonality;
  to.diagonal_residual = found->diagonal;
}

}  // namespace gridloom::tiled_qr
