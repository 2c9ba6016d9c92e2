#pragma once
// The common part of all methods. Independent code checks the results matrix by matrix, and the
// worst measures are stored.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/tiled_qr/arms.hpp"
#include "check/apply_reflectors.hpp"
#include "tiled_qr/apply_q.hpp"

namespace gridloom::tiled_qr {

/// The result of one matrix. Its spans are valid as long as the work and the run's results.
template <class T>
struct found_factors : factors_view<T> {
  /// Returns explicit Q, m × min(m, n), column-major without gaps.
  std::function<std::vector<T>()> form_q;
};

template <class T>
class qr_work : public bench::work<row> {
 public:
  explicit qr_work(input_of<T> const& of) : of_(of) {}

  void verify() override {
    set_lapack_threads(0);
    judged_ = {};
    worst_.reset();
    std::string excess;
    for (std::int64_t const number : of_.sample()) {
      residuals const found = judge(number);
      worst_ = worst_ ? worse_of(*worst_, found) : found;
      ++judged_;
      std::string const own = excess_of(found);
      if (excess.empty() && !own.empty())
        excess = of_.batch > 1 ? "matrix " + std::to_string(number) + ": " + own : own;
    }
    if (!excess.empty()) throw wrong_result(excess);
  }
  void record(row& to) const override {
    to.matrix_bytes = static_cast<std::int64_t>(of_.values.size() * sizeof(T));
    to.verified_matrices = judged_;
    if (!worst_) return;
    to.factors_residual = worst_->factors;
    to.orthogonality = worst_->orthogonality;
    to.verification = of_.is_sampled() ? "sample" : "full";
    if (of_.is_sampled()) {
      to.verification_vectors = sample_vectors;
    } else {
      to.diagonal_residual = worst_->diagonal;
    }
  }

 protected:
  /// Returns the result of the last run. Call it after copy_out().
  [[nodiscard]] virtual found_factors<T> result_of(std::int64_t number) = 0;

  [[nodiscard]] bool forms_q() const { return of_.wanted.form_q; }
  [[nodiscard]] std::size_t batch() const { return static_cast<std::size_t>(of_.batch); }

  /// The first function returns a result in LAPACK's form, of which LAPACK forms Q. The second
  /// returns one with an explicit Q.
  [[nodiscard]] found_factors<T> reflectors_found(std::span<T const> factors,
                                                  std::vector<T> const& taus) const {
    auto const form_q = [this, factors, taus] {
      std::vector<T> q(factors.begin(),
                       factors.begin() + static_cast<std::ptrdiff_t>(of_.q_size()));
      lapack_orgqr(of_.rows, of_.vectors(), q.data(), taus.data());
      return q;
    };
    return {{factors, of_.rows, apply_reflectors<T>(of_.rows, of_.cols, factors, taus)}, form_q};
  }
  [[nodiscard]] found_factors<T> q_found(std::span<T const> q, std::span<T const> r,
                                         std::int64_t r_leading) const {
    auto const form_q = [q] { return std::vector<T>(q.begin(), q.end()); };
    return {{r, r_leading, apply_explicit<T>(of_.rows, of_.cols, q)}, form_q};
  }

  input_of<T> const& of_;

 private:
  residuals judge(std::int64_t number) {
    auto const found = result_of(number);
    if (of_.is_sampled()) return of_.judge_sample(number, found);
    return of_.judge(number, found.form_q(),
                     upper_triangle<T>({found.r_leading, of_.cols, 1}, found.r));
  }
  static residuals worse_of(residuals const& one, residuals const& other) {
    return {std::max(one.factors, other.factors), std::max(one.orthogonality, other.orthogonality),
            std::max(one.diagonal, other.diagonal), std::min(one.compared, other.compared)};
  }

  std::int64_t judged_ = 0;
  std::optional<residuals> worst_;
};

/// Returns part `number` of an array that has one part per matrix.
template <class Values>
std::span<typename Values::value_type const> part_of(Values const& values, std::size_t size,
                                                     std::int64_t number) {
  return std::span<typename Values::value_type const>(values).subspan(
      static_cast<std::size_t>(number) * size, size);
}

/// Copies a buffer into memory that is kept from run to run, because new pages cost more than the
/// copy.
template <class T>
void fetch(device& machine, buffer<T> const& from, host_vector<T>& to) {
  to.resize(from.size());
  machine.copy_to_host(std::span<T>(to), static_cast<T const*>(from.data()));
}

}  // namespace gridloom::tiled_qr
