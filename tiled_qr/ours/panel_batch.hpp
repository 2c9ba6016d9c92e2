#pragma once
// Factorises a batch of matrices of one size, which follow each other in device memory. There are
// three methods: resident teams with all matrices in one launch, blocks of columns, and steps of
// CholeskyQR.
//
// The methods square entries. So a matrix whose largest entry is far from 1 is first multiplied by
// a power of two. Afterwards R is divided by that power. Reflectors and T do not depend on it.

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ours/blocked/blocked_panels.hpp"
#include "ours/matrix_kernels.hpp"
#include "ours/panel/form_q.hpp"
#include "ours/panel/gram_panels.hpp"
#include "ours/tall/cholesky_panels.hpp"

namespace gridloom::tiled_qr {

/// Shape of a run's launches, and facts of its main kernel.
struct panel_facts {
  int blocks;
  int members;
  kernel_facts kernel;
};

template <class T>
class panel_batch {
 public:
  panel_batch(device& machine, std::int64_t rows, std::int64_t cols, std::int64_t batch)
      : machine_(&machine), rows_(rows), cols_(cols), batch_(batch) {}
  panel_batch(panel_batch const&) = delete;
  panel_batch& operator=(panel_batch const&) = delete;
  virtual ~panel_batch() = default;

  /// Sets the exponents of the powers of two by which run() scales the matrices. An empty list
  /// means 0 for all.
  void scale_by(std::vector<int> exponents) { exponents_ = std::move(exponents); }
  /// Factorises all matrices in place. May return before the work is done.
  void run(T* matrices) {
    scale(matrices);
    factorise(matrices);
    scale_r(matrices);
  }
  virtual void require_done() = 0;
  /// Number of chains of all matrices together.
  [[nodiscard]] virtual std::int64_t chains() const = 0;
  /// Largest number of steps of CholeskyQR that a matrix took; empty for other methods.
  [[nodiscard]] virtual std::optional<int> steps() const { return {}; }
  [[nodiscard]] virtual panel_facts facts() const = 0;

  /// Whether run() leaves Q in place of the matrices, and R elsewhere.
  [[nodiscard]] bool leaves_q() const { return r_of(0) != nullptr; }
  /// Returns R, n × n with zeros below the diagonal, in device memory if run() leaves Q; otherwise
  /// null.
  [[nodiscard]] virtual buffer<T> const* r_of(std::int64_t /*number*/) const { return nullptr; }

  /// Allocates memory to form Q. Call it before form_q().
  void prepare_q(panels::former_settings const& settings) {
    if (!leaves_q()) former_.emplace(*machine_, rows_, cols_, settings);
  }
  /// Call it after run(). Forms explicit Q of each matrix, min(rows, cols) columns, one after the
  /// other.
  void form_q(T* matrices, T* q) {
    if (!former_) throw std::invalid_argument("form_q() without prepare_q()");
    auto const size = rows_ * std::min(rows_, cols_);
    for (std::int64_t number = 0; number < batch_; ++number)
      former_->run(matrix(matrices, number), t_of(number), q + number * size);
  }
  /// Returns how Q is formed: "steps" (by run() itself), "tall" (in two passes over the rows), or
  /// "products" (of the identity with several panels at a time). Empty if Q is not formed.
  [[nodiscard]] std::string former() const {
    if (leaves_q()) return "steps";
    if (!former_) return "";
    return former_->is_tall() ? "tall" : "products";
  }
  /// Returns tau of one matrix, followed by zeros up to a multiple of 32.
  [[nodiscard]] std::vector<T> taus(std::int64_t number) const {
    std::vector<T> result(panels() * panels::panel_width);
    machine_->copy_to_host(std::span<T>(result), tau_of(number));
    return result;
  }
  [[nodiscard]] std::size_t bytes() const { return own_bytes() + (former_ ? former_->bytes() : 0); }

 protected:
  virtual void factorise(T* matrices) = 0;
  [[nodiscard]] virtual T const* t_of(std::int64_t number) const = 0;
  [[nodiscard]] virtual T const* tau_of(std::int64_t number) const = 0;
  [[nodiscard]] virtual std::size_t own_bytes() const = 0;

  [[nodiscard]] std::size_t panels() const {
    return static_cast<std::size_t>((std::min(rows_, cols_) + panels::panel_width - 1) /
                                    panels::panel_width);
  }
  [[nodiscard]] panels::matrix_ref<T> matrix(T* matrices, std::int64_t number) const {
    return {matrices + number * rows_ * cols_, rows_, cols_, rows_};
  }
  [[nodiscard]] std::int64_t batch() const { return batch_; }

 private:
  void scale(T* matrices) {
    for_scaled([&](std::int64_t number, int exponent) {
      scale_matrix(*machine_, matrix(matrices, number).data, rows_, cols_, exponent,
                   scaled_part::all);
    });
  }
  void scale_r(T* matrices) {
    for_scaled([&](std::int64_t number, int exponent) {
      buffer<T> const* const apart = r_of(number);
      if (apart != nullptr)
        scale_matrix(*machine_, apart->data(), cols_, cols_, -exponent,
                     scaled_part::upper_triangle);
      else
        scale_matrix(*machine_, matrix(matrices, number).data, rows_, cols_, -exponent,
                     scaled_part::upper_triangle);
    });
  }
  template <class Function>
  void for_scaled(Function const& f) const {
    for (std::size_t number = 0; number < exponents_.size(); ++number)
      if (exponents_[number] != 0) f(static_cast<std::int64_t>(number), exponents_[number]);
  }

  device* machine_;
  std::int64_t rows_;
  std::int64_t cols_;
  std::int64_t batch_;
  std::vector<int> exponents_;
  std::optional<panels::q_former<T>> former_;
};

/// Factorises a batch by resident teams, with all matrices in one launch.
template <class T>
class resident_batch final : public panel_batch<T> {
 public:
  resident_batch(device& machine, std::int64_t rows, std::int64_t cols, std::int64_t batch,
                 panels::panel_settings settings)
      : panel_batch<T>(machine, rows, cols, batch), qr_(machine, rows, cols, settings) {}

  void require_done() override { qr_.require_done(); }
  [[nodiscard]] std::int64_t chains() const override { return qr_.chains(); }
  [[nodiscard]] panel_facts facts() const override {
    return {qr_.blocks(), qr_.shape().members, qr_.facts()};
  }

 private:
  void factorise(T* matrices) override {
    // Counted as part of the run, because rivals do the same inside their call.
    qr_.reset();
    auto const first = this->matrix(matrices, 0);
    qr_.run(first, first.rows * first.cols);
  }
  [[nodiscard]] T const* t_of(std::int64_t number) const override {
    return qr_.t().data() + static_cast<std::size_t>(number) * this->panels() * panels::square_size;
  }
  [[nodiscard]] T const* tau_of(std::int64_t number) const override {
    return qr_.tau().data() +
           static_cast<std::size_t>(number) * this->panels() * panels::panel_width;
  }
  [[nodiscard]] std::size_t own_bytes() const override { return qr_.bytes(); }

  panels::gram_panels<T> qr_;
};

/// Factorises one matrix after the other by blocked_panels or cholesky_panels.
template <class T, class Qr>
class batch_of final : public panel_batch<T> {
 public:
  template <class Settings>
  batch_of(device& machine, std::int64_t rows, std::int64_t cols, std::int64_t batch,
           Settings const& settings)
      : panel_batch<T>(machine, rows, cols, batch) {
    for (std::int64_t number = 0; number < batch; ++number)
      each_.push_back(std::make_unique<Qr>(machine, rows, cols, settings));
  }

  void require_done() override {}
  [[nodiscard]] std::int64_t chains() const override {
    std::int64_t sum = 0;
    for (auto const& one : each_) sum += one->chains();
    return sum;
  }
  [[nodiscard]] std::optional<int> steps() const override {
    if constexpr (requires(Qr const& qr) { qr.steps(); }) {
      int most = 0;
      for (auto const& one : each_) most = std::max(most, one->steps());
      return most;
    } else {
      return {};
    }
  }
  [[nodiscard]] panel_facts facts() const override { return {of(0).blocks(), 0, of(0).facts()}; }
  [[nodiscard]] buffer<T> const* r_of(std::int64_t number) const override {
    if constexpr (requires(Qr const& qr) { qr.r(); }) {
      buffer<T> const& r = of(number).r();
      return r.size() > 0 ? &r : nullptr;
    } else {
      return nullptr;
    }
  }

 private:
  void factorise(T* matrices) override {
    for (std::int64_t number = 0; number < this->batch(); ++number)
      of(number).run(this->matrix(matrices, number));
  }
  [[nodiscard]] Qr& of(std::int64_t number) const {
    return *each_[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] T const* t_of(std::int64_t number) const override { return of(number).t().data(); }
  [[nodiscard]] T const* tau_of(std::int64_t number) const override {
    return of(number).tau().data();
  }
  [[nodiscard]] std::size_t own_bytes() const override {
    std::size_t sum = 0;
    for (auto const& one : each_) sum += one->bytes();
    return sum;
  }

  std::vector<std::unique_ptr<Qr>> each_;
};

}  // namespace gridloom::tiled_qr
