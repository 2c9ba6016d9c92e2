#pragma once
// Methods for whole matrices on the host: LAPACK's QR and Algorithm 1.

#include <vector>

#include "apps/tiled_qr/qr_work.hpp"
#include "check/share_among_threads.hpp"
#include "rivals/householder.hpp"

namespace gridloom::tiled_qr {

enum class host_method { lapack, lapack_all, householder };

template <class T>
class host_work final : public qr_work<T> {
 public:
  host_work(input_of<T> const& of, host_method how) : qr_work<T>(of), how_(how) {}

  void prepare() override {
    threads_ = set_lapack_threads(how_ == host_method::lapack_all ? 0 : 1);
    // If there are at least as many matrices as threads, one thread per matrix is fastest, because
    // no thread waits.
    a_matrix_each_ = threads_ > 1 && this->of_.batch >= threads_;
    if (a_matrix_each_) set_lapack_threads(1);
  }
  void copy_in() override {
    factors_ = this->of_.values;
    taus_.resize(this->batch() * static_cast<std::size_t>(this->of_.vectors()));
    if (!this->forms_q()) return;
    r_.resize(this->batch());
    q_.resize(this->batch());
  }
  void run() override {
    host_time_limit const limit(this->of_.app.common().timeout_s);
    share_among_threads(this->of_.batch, a_matrix_each_ ? threads_ : 1,
                        [this](std::int64_t number) { factorise(number); });
  }
  void record(row& to) const override {
    qr_work<T>::record(to);
    to.extra_bytes = static_cast<std::int64_t>(taus_.size() * sizeof(T));
    for (std::size_t number = 0; number < r_.size(); ++number)
      to.formed_bytes +=
          static_cast<std::int64_t>((r_[number].size() + q_[number].size()) * sizeof(T));
  }

 private:
  [[nodiscard]] bool is_lapack() const { return how_ != host_method::householder; }
  [[nodiscard]] T* taus_of(std::int64_t number) {
    return taus_.data() + number * this->of_.vectors();
  }

  void factorise(std::int64_t number) {
    auto const& of = this->of_;
    T* const a = factors_.data() + of.place_of(number);
    if (is_lapack()) {
      lapack_geqrf(of.rows, of.cols, a, taus_of(number));
    } else {
      householder_qr(of.rows, of.cols, a);
    }
    if (!this->forms_q()) return;
    auto const at = static_cast<std::size_t>(number);
    r_[at] = upper_triangle<T>({of.rows, of.cols, 1}, {a, of.size()});
    if (is_lapack()) {
      lapack_orgqr(of.rows, of.vectors(), a, taus_of(number));
    } else {
      q_[at] = householder_q(of.rows, of.cols, a);
    }
  }

  found_factors<T> result_of(std::int64_t number) override {
    auto const& of = this->of_;
    auto const a = part_of(factors_, of.size(), number);
    auto const at = static_cast<std::size_t>(number);
    if (this->forms_q())
      return this->q_found(is_lapack() ? a.first(of.q_size()) : std::span<T const>(q_[at]), r_[at],
                           of.vectors());
    T const* const taus = taus_of(number);
    if (is_lapack()) return this->reflectors_found(a, {taus, taus + of.vectors()});
    auto found = this->reflectors_found(a, householder_taus(of.rows, of.cols, a.data()));
    found.form_q = [&of, a] { return householder_q(of.rows, of.cols, a.data()); };
    return found;
  }

  host_method how_;
  int threads_ = 1;
  bool a_matrix_each_ = false;
  host_vector<T> factors_;
  std::vector<T> taus_;
  std::vector<std::vector<T>> r_;
  std::vector<std::vector<T>> q_;
};

}  // namespace gridloom::tiled_qr
