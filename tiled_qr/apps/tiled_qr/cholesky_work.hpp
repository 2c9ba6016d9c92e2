#pragma once
// CholeskyQR2 as an arm. It always forms Q, so it is compared only with methods that form Q, too
// (--form-q). If it loses orthogonality or breaks down, the program goes on: the column `verified`
// is "no", and `broke_down` counts the breakdowns.

#include <algorithm>
#include <memory>
#include <vector>

#include "apps/tiled_qr/panel_work.hpp"
#include "rivals/device_products.hpp"
#include "rivals/tall_products.hpp"

namespace gridloom::tiled_qr {

template <class T>
class cholesky_work final : public reflector_work<T> {
 public:
  cholesky_work(input_of<T> const& of, product_maker who) : reflector_work<T>(of, true) {
    if (of.rows < of.cols)
      throw unsupported("CholeskyQR2: expected at least as many rows as columns, got " +
                        std::to_string(of.rows) + " x " + std::to_string(of.cols));
    products_ = make_products<T>(this->machine(), who, of.rows, of.cols, of.app.common().workers);
    g_ = this->machine().template allocate<T>(of.r_size());
    infos_ = this->machine().template allocate<int>(2 * this->batch());
  }

  void prepare() override { set_lapack_threads(0); }
  void run() override {
    for (std::size_t at = 0; at < this->batch(); ++at)
      cholesky_qr2(*products_, this->matrices_.data() + at * this->of_.size(),
                   this->r_.data() + at * this->of_.r_size(), g_.data(), infos_.data() + 2 * at);
  }
  void check() override {
    auto const infos = this->machine().copy_to_host(infos_);
    broke_down_ = std::count_if(infos.begin(), infos.end(), [](int info) { return info != 0; });
  }
  void verify() override {
    reflector_work<T>::verify();
    // The second round may repair the result by luck, but a user would still see the failure.
    if (broke_down_ > 0)
      throw wrong_result("Cholesky's factorisation broke down " + std::to_string(broke_down_) +
                         " times");
  }
  void record(row& to) const override {
    reflector_work<T>::record(to);
    to.broke_down = broke_down_;
    to.extra_bytes = static_cast<std::int64_t>(products_->bytes() + g_.bytes() + infos_.bytes());
  }

 private:
  found_factors<T> result_of(std::int64_t number) override {
    return this->q_found(this->factors_of(number), this->r_of(number), this->of_.cols);
  }

  std::unique_ptr<tall_products<T>> products_;
  buffer<T> g_;
  buffer<int> infos_;
  std::int64_t broke_down_ = 0;
};

}  // namespace gridloom::tiled_qr
