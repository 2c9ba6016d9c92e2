#pragma once
// K matrices of one size, one after the other in device memory, factorised by resident teams
// (panel/gram_panels.hpp). Today one launch a matrix; whoever replaces that by one launch for all
// changes this class alone.

#include <memory>
#include <vector>

#include "tiled_qr/panel/gram_panels.hpp"

namespace gridloom::tiled_qr {

template <class T>
class panel_batch {
 public:
  panel_batch(device& machine, std::int64_t rows, std::int64_t cols, std::int64_t batch,
              panels::panel_settings const& settings)
      : machine_(&machine), rows_(rows), cols_(cols) {
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
    std::size_t sum = 0;
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
};

}  // namespace gridloom::tiled_qr
