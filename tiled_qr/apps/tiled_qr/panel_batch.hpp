#pragma once
// K matrices of one size, one after the other in device memory, factorised by resident teams
// (panel/gram_panels.hpp). Today one launch a matrix; whoever replaces that by one launch for all
// changes this class alone.

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "tiled_qr/panel/form_q.hpp"
#include "tiled_qr/panel/gram_panels.hpp"

namespace gridloom::tiled_qr {

template <class T>
class panel_batch {
 public:
  panel_batch(device& machine, std::int64_t rows, std::int64_t cols, std::int64_t batch,
              bool forms_q, panels::panel_settings const& settings)
      : machine_(&machine), rows_(rows), cols_(cols) {
    if (forms_q)
      former_.emplace(machine, rows, cols,
                      panels::former_settings{.blocks = machine.is_host() ? settings.blocks : 0,
                                              .threads = settings.threads});
    for (std::int64_t number = 0; number < batch; ++number)
      each_.push_back(std::make_unique<panels::gram_panels<T>>(machine, rows, cols, settings));
  }

  /// In place; returns before it is done. Sets its words to zero, as part of the run.
  void run(T* matrices) {
    for (std::size_t number = 0; number < each_.size(); ++number) {
      each_[number]->reset();
      each_[number]->run(matrix(matrices, number));
    }
  }
  /// After run(): explicit Q of each, one after the other, min(rows, cols) columns.
  void form_q(T* matrices, T* q) {
    if (!former_) throw std::invalid_argument("no room to form Q was asked for");
    auto const size = static_cast<std::size_t>(rows_ * std::min(rows_, cols_));
    for (std::size_t number = 0; number < each_.size(); ++number)
      former_->run(matrix(matrices, number), each_[number]->t().data(), q + number * size);
  }
  void require_done() {
    for (auto const& one : each_) one->require_done();
  }
  /// The factors of one matrix, and zeros up to a multiple of 32.
  [[nodiscard]] std::vector<T> taus(std::int64_t number) const {
    return machine_->copy_to_host(each_[static_cast<std::size_t>(number)]->tau());
  }
  [[nodiscard]] int blocks() const { return shape().teams * shape().members; }
  [[nodiscard]] int members() const { return shape().members; }
  /// Of all matrices together.
  [[nodiscard]] std::int64_t chains() const {
    std::int64_t sum = 0;
    for (auto const& one : each_) sum += one->chains();
    return sum;
  }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = former_ ? former_->bytes() : 0;
    for (auto const& one : each_) sum += one->bytes();
    return sum;
  }
  [[nodiscard]] kernel_facts facts() const { return each_.front()->facts(); }

 private:
  [[nodiscard]] panels::team_shape const& shape() const { return each_.front()->shape(); }
  [[nodiscard]] panels::matrix_ref<T> matrix(T* matrices, std::size_t number) const {
    return {matrices + static_cast<std::int64_t>(number) * rows_ * cols_, rows_, cols_, rows_};
  }

  device* machine_;
  std::int64_t rows_;
  std::int64_t cols_;
  std::vector<std::unique_ptr<panels::gram_panels<T>>> each_;
  std::optional<panels::q_former<T>> former_;
};

}  // namespace gridloom::tiled_qr
