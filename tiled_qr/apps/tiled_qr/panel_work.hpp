#pragma once
// Methods whose results have the form of LAPACK's geqrf: panels, and the libraries of the device.
// Without --form-q, LAPACK forms Q from the reflectors for the check.

#include <cstdlib>
#include <memory>

#include "gridloom/host_time_limit.hpp"

#include "apps/tiled_qr/qr_work.hpp"
#include "ours/matrix_kernels.hpp"
#include "ours/panel_batch.hpp"
#include "rivals/library_qr.hpp"

namespace gridloom::tiled_qr {

/// A method that leaves reflectors and R in one matrix, as geqrf does, or Q there and R apart.
template <class T>
class reflector_work : public qr_work<T> {
 public:
  /// Allocates memory for R if it `has_r` apart.
  reflector_work(input_of<T> const& of, bool has_r)
      : qr_work<T>(of),
        matrices_(machine().template allocate<T>(of.values.size())),
        r_(machine().template allocate<T>(has_r ? this->batch() * of.r_size() : 0)) {}

  void copy_in() override {
    machine().copy_to_device(matrices_, std::span<T const>(this->of_.values));
  }
  void copy_out() override {
    fetch(machine(), matrices_, factors_);
    if (r_.size() > 0) fetch(machine(), r_, rs_);
  }
  void record(row& to) const override {
    qr_work<T>::record(to);
    to.formed_bytes = static_cast<std::int64_t>(r_.bytes());
  }

 protected:
  [[nodiscard]] device& machine() const { return this->of_.app.machine(); }
  [[nodiscard]] std::span<T const> factors_of(std::int64_t number) const {
    return part_of(factors_, this->of_.size(), number);
  }
  [[nodiscard]] std::span<T const> r_of(std::int64_t number) const {
    return part_of(rs_, this->of_.r_size(), number);
  }

  buffer<T> matrices_;
  buffer<T> r_;
  host_vector<T> rs_;

 private:
  host_vector<T> factors_;
};

template <class T>
class panel_work final : public reflector_work<T> {
 public:
  /// `qr` factorises the input's matrices with `threads` threads per block.
  panel_work(input_of<T> const& of, std::unique_ptr<panel_batch<T>> qr, int threads)
      : reflector_work<T>(of, of.wanted.form_q && !qr->leaves_q() && of.rows > of.cols),
        qr_(std::move(qr)),
        forms_apart_(of.wanted.form_q && !qr_->leaves_q()),
        q_(of.app.machine().template allocate<T>(forms_apart_ ? this->batch() * of.q_size() : 0)) {
    qr_->scale_by(of.exponents());
    if (of.wanted.form_q)
      qr_->prepare_q(
          {.blocks = of.app.machine().is_host() ? of.app.common().workers : 0, .threads = threads});
  }

  void run() override {
    host_time_limit const limit(this->of_.app.common().timeout_s);
    qr_->run(this->matrices_.data());
    if (forms_apart_) qr_->form_q(this->matrices_.data(), q_.data());
  }
  /// If Q is formed in memory of its own, only Q and R are needed on the host.
  void copy_out() override {
    if (!forms_apart_) {
      reflector_work<T>::copy_out();
      if (this->forms_q()) copy_rs_out();
      return;
    }
    auto const& of = this->of_;
    // Copies only R if there is memory for it. Otherwise R is as large as the matrix, and the matrix
    // is copied.
    bool const apart = this->r_.size() > 0;
    if (apart)
      take_r<T>(this->machine(), this->matrices_.data(), of.rows, of.cols, of.batch,
                this->r_.data());
    fetch(this->machine(), apart ? this->r_ : this->matrices_, this->rs_);
    fetch(this->machine(), q_, qs_);
  }
  void check() override { qr_->require_done(); }
  void record(row& to) const override {
    reflector_work<T>::record(to);
    to.former = qr_->former();
    panel_facts const facts = qr_->facts();
    to.blocks = facts.blocks;
    if (facts.members != 0) to.members = facts.members;
    to.chains = qr_->chains();
    if (auto const steps = qr_->steps()) to.steps = *steps;
    to.scale_exponent = 0;
    for (int const exponent : this->of_.exponents())
      if (std::abs(exponent) > std::abs(to.scale_exponent)) to.scale_exponent = exponent;
    to.extra_bytes = static_cast<std::int64_t>(qr_->bytes());
    to.formed_bytes += static_cast<std::int64_t>(q_.bytes());
    if (qr_->leaves_q())
      to.formed_bytes = static_cast<std::int64_t>(this->batch() * qr_->r_of(0)->bytes());
    to.kernel = facts.kernel;
    if (facts.kernel.registers != 0) to.threads = facts.kernel.threads;
  }

 private:
  found_factors<T> result_of(std::int64_t number) override {
    if (!this->forms_q())
      return this->reflectors_found(this->factors_of(number), qr_->taus(number));
    return this->q_found(q_of(number), this->r_of(number), this->of_.vectors());
  }
  [[nodiscard]] std::span<T const> q_of(std::int64_t number) const {
    return forms_apart_ ? part_of(qs_, this->of_.q_size(), number) : this->factors_of(number);
  }
  void copy_rs_out() {
    std::size_t const size = this->of_.r_size();
    this->rs_.resize(this->batch() * size);
    for (std::size_t number = 0; number < this->batch(); ++number)
      this->machine().copy_to_host(std::span<T>(this->rs_).subspan(number * size, size),
                                   qr_->r_of(static_cast<std::int64_t>(number))->data());
  }

  std::unique_ptr<panel_batch<T>> qr_;
  bool forms_apart_;
  buffer<T> q_;
  host_vector<T> qs_;
};

/// Returns the number of threads per block for panels.
inline int panel_threads(bench::program& app) {
  int const asked = app.common().threads;
  return app.machine().is_host() ? 1 : asked == 0 ? 256 : asked;
}

template <class T>
struct gram_batch {
  static std::unique_ptr<panel_batch<T>> make(input_of<T> const& of, int threads) {
    auto const& common = of.app.common();
    return std::make_unique<resident_batch<T>>(of.app.machine(), of.rows, of.cols, of.batch,
                                               panels::panel_settings{.blocks = common.workers,
                                                                      .threads = threads,
                                                                      .timeout_s = common.timeout_s,
                                                                      .batch = of.batch});
  }
};
template <class T>
struct blocked_batch {
  static std::unique_ptr<panel_batch<T>> make(input_of<T> const& of, int /*threads*/) {
    return std::make_unique<batch_of<T, panels::blocked_panels<T>>>(
        of.app.machine(), of.rows, of.cols, of.batch,
        panels::block_settings{.blocks = of.app.common().workers});
  }
};
template <class T>
struct cholesky_batch {
  static std::unique_ptr<panel_batch<T>> make(input_of<T> const& of, int /*threads*/) {
    return std::make_unique<batch_of<T, cholesky_panels<T>>>(
        of.app.machine(), of.rows, of.cols, of.batch,
        tall_settings{.blocks = of.app.common().workers, .forms_q = of.wanted.form_q});
  }
};

template <class T>
class library_work final : public reflector_work<T> {
 public:
  /// `streams` is for cusolver_streams.
  library_work(input_of<T> const& of, library_method how, int streams)
      : reflector_work<T>(of, of.wanted.form_q),
        taus_(this->machine().template allocate<T>(of.taus_size())),
        qr_(make_library_qr<T>(
            this->machine(), how,
            {this->matrices_.data(), taus_.data(), of.wanted.form_q ? this->r_.data() : nullptr,
             of.rows, of.cols, of.batch, streams})) {}

  void run() override { qr_->run(); }
  void check() override { qr_->require_done(); }
  void record(row& to) const override {
    reflector_work<T>::record(to);
    to.extra_bytes = static_cast<std::int64_t>(qr_->bytes() + taus_.bytes());
  }

 private:
  found_factors<T> result_of(std::int64_t number) override {
    auto const& of = this->of_;
    auto const factors = this->factors_of(number);
    // The part of rs_ holds the leading rows of geqrf's result, which has reflectors below R.
    if (this->forms_q())
      return this->q_found(factors.first(of.q_size()), this->r_of(number), of.vectors());
    auto const all = this->machine().copy_to_host(taus_);
    auto const taus = part_of(all, std::size_t(of.vectors()), number);
    return this->reflectors_found(factors, {taus.begin(), taus.end()});
  }

  buffer<T> taus_;
  std::unique_ptr<library_qr<T>> qr_;
};

}  // namespace gridloom::tiled_qr
