#pragma once
// Methods that leave what LAPACK's geqrf leaves, on whatever machine the program runs: the panels of
// reflectors from their Gram matrix, and cuSOLVER. Both are judged by a Q that LAPACK makes of the
// reflectors.

#include <memory>

#include "cusolver.hpp"
#include "input_of.hpp"
#include "tiled_qr/apply_q.hpp"
#include "tiled_qr/blocked/blocked_panels.hpp"
#include "tiled_qr/panel/gram_panels.hpp"

namespace gridloom::tiled_qr {

/// Reflectors and R in one matrix, as geqrf has them.
template <class T>
class reflector_work : public bench::work<row> {
 public:
  explicit reflector_work(input_of<T> const& of)
      : of_(of), matrix_(of.app.machine().template allocate<T>(of.values.size())) {}

  void copy_in() override {
    of_.app.machine().copy_to_device(matrix_, std::span<T const>(of_.values));
  }
  void copy_out() override { factors_ = of_.app.machine().copy_to_host(matrix_); }
  void verify() override {
    auto const r = upper_triangle<T>({of_.rows, of_.cols, 1}, factors_);
    std::vector<T> q = factors_;
    std::vector<T> taus = fetch_taus();
    taus.resize(static_cast<std::size_t>(of_.vectors()));
    lapack_orgqr(of_.rows, of_.cols, q.data(), taus.data());
    q.resize(static_cast<std::size_t>(of_.rows * of_.vectors()));
    of_.judge(q, r, found_.emplace());
  }
  void record(row& to) const override {
    to.matrix_bytes = static_cast<std::int64_t>(matrix_.bytes());
    record_residuals(found_, to);
  }

 protected:
  [[nodiscard]] virtual std::vector<T> fetch_taus() = 0;

  input_of<T> const& of_;
  buffer<T> matrix_;

 private:
  std::vector<T> factors_;
  std::optional<residuals> found_;
};

template <class T>
class panel_work final : public reflector_work<T> {
 public:
  panel_work(input_of<T> const& of, panels::panel_settings const& settings)
      : reflector_work<T>(of), qr_(of.app.machine(), of.rows, of.cols, settings) {}

  void run() override {
    qr_.reset();
    qr_.run({this->matrix_.data(), this->of_.rows, this->of_.cols, this->of_.rows});
  }
  void check() override { qr_.require_done(); }
  void record(row& to) const override {
    reflector_work<T>::record(to);
    to.blocks = qr_.shape().teams * qr_.shape().members;
    to.members = qr_.shape().members;
    to.chains = static_cast<std::int64_t>(qr_.chains());
    to.extra_bytes = static_cast<std::int64_t>(qr_.bytes());
    if (kernel_facts const facts = qr_.facts(); facts.registers != 0) {
      to.registers = facts.registers;
      to.shared_bytes = facts.shared_bytes;
      to.blocks_per_multiprocessor = facts.blocks_per_multiprocessor;
    }
  }

 private:
  std::vector<T> fetch_taus() override { return this->of_.app.machine().copy_to_host(qr_.tau()); }

  panels::gram_panels<T> qr_;
};

/// Panels streamed past the blocks, in blocks of columns with products of matrices between them.
template <class T>
class blocked_work final : public reflector_work<T> {
 public:
  blocked_work(input_of<T> const& of, panels::block_settings const& settings)
      : reflector_work<T>(of), qr_(of.app.machine(), of.rows, of.cols, settings) {}

  void run() override {
    qr_.run({this->matrix_.data(), this->of_.rows, this->of_.cols, this->of_.rows});
  }
  void record(row& to) const override {
    reflector_work<T>::record(to);
    to.blocks = qr_.blocks();
    to.chains = static_cast<std::int64_t>(qr_.chains());
    to.extra_bytes = static_cast<std::int64_t>(qr_.bytes());
    if (kernel_facts const facts = qr_.facts(); facts.registers != 0) {
      to.threads = facts.threads;
      to.registers = facts.registers;
      to.shared_bytes = facts.shared_bytes;
      to.blocks_per_multiprocessor = facts.blocks_per_multiprocessor;
    }
  }

 private:
  std::vector<T> fetch_taus() override { return this->of_.app.machine().copy_to_host(qr_.tau()); }

  panels::blocked_panels<T> qr_;
};

template <class T>
class cusolver_work final : public reflector_work<T> {
 public:
  explicit cusolver_work(input_of<T> const& of)
      : reflector_work<T>(of),
        qr_(make_cusolver_qr<T>(of.app.machine(), of.rows, of.cols)),
        taus_(of.app.machine().template allocate<T>(static_cast<std::size_t>(of.vectors()))) {}

  void run() override { qr_->run(this->matrix_.data(), taus_.data()); }
  void check() override { qr_->require_done(); }
  void record(row& to) const override {
    reflector_work<T>::record(to);
    to.extra_bytes = static_cast<std::int64_t>(qr_->bytes() + taus_.bytes());
  }

 private:
  std::vector<T> fetch_taus() override { return this->of_.app.machine().copy_to_host(taus_); }

  std::unique_ptr<cusolver_qr<T>> qr_;
  buffer<T> taus_;
};

}  // namespace gridloom::tiled_qr
