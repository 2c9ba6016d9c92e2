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

/// Explicit Q and R of one matrix: m × r and r × n with r = min(m, n), column-major without gaps.
template <class T>
struct q_and_r {
  std::vector<T> q;
  std::vector<T> r;
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
  [[nodiscard]] virtual q_and_r<T> result_of(std::int64_t number) = 0;
  /// Returns the result without forming Q. Its spans are valid as long as this object and the run's
  /// results.
  [[nodiscard]] virtual factors_view<T> view_of(std::int64_t number) = 0;

  [[nodiscard]] bool forms_q() const { return of_.wanted.form_q; }
  [[nodiscard]] std::size_t batch() const { return static_cast<std::size_t>(of_.batch); }
  /// Extracts R from one matrix's factors, which have the form of geqrf's.
  [[nodiscard]] std::vector<T> r_of(std::span<T const> factors) const {
    return upper_triangle<T>({of_.rows, of_.cols, 1}, factors);
  }
  /// Forms Q by LAPACK from reflectors in LAPACK's form.
  [[nodiscard]] std::vector<T> q_by_lapack(std::span<T const> factors,
                                           std::span<T const> taus) const {
    std::vector<T> q(factors.begin(), factors.begin() + static_cast<std::ptrdiff_t>(of_.q_size()));
    lapack_orgqr(of_.rows, of_.vectors(), q.data(), taus.data());
    return q;
  }

  /// The first function returns a view of a result in LAPACK's form, the second of one with an
  /// explicit Q.
  [[nodiscard]] factors_view<T> view_of_reflectors(std::span<T const> factors,
                                                   std::span<T const> taus) const {
    return {factors, of_.rows,
            apply_reflectors<T>(of_.rows, of_.cols, factors, {taus.begin(), taus.end()})};
  }
  [[nodiscard]] factors_view<T> view_of_explicit(std::span<T const> q, std::span<T const> r,
                                                 std::int64_t r_leading) const {
    return {r, r_leading, apply_explicit<T>(of_.rows, of_.cols, q)};
  }

  input_of<T> const& of_;

 private:
  residuals judge(std::int64_t number) {
    if (of_.is_sampled()) return of_.judge_sample(number, view_of(number));
    auto const [q, r] = result_of(number);
    return of_.judge(number, q, r);
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
