// Our kernels compute the tall products of CholeskyQR2; the library computes the small products, n
// × n. A R⁻¹ is computed as a product with R's inverse, so that no column of the result waits for
// another. A - QR loses digits if |R⁻¹| |R| is large, as for Kahan's matrix. That product is small
// if R's rows shrink as A's singular values do.

#include "gridloom/error.hpp"
#include "gridloom/group.hpp"
#include "ours/tall/gram_kernel.hpp"
#include "ours/tall/gram_sum_kernel.hpp"
#include "ours/tall/multiply_kernel.hpp"
#include "rivals/device_products.hpp"
#include "tiled_qr/apply_q.hpp"

namespace gridloom::tiled_qr {

namespace {

void require_supported(device const& machine, std::int64_t cols) {
  if (cols > most_tall_cols)
    throw unsupported("expected at most " + std::to_string(most_tall_cols) +
                      " columns for CholeskyQR2 with our own products, got " +
                      std::to_string(cols));
  int const capability = machine.properties().compute_capability;
  if (!machine.is_host() && capability < 90)
    throw unsupported("CholeskyQR2 with our own products: expected compute capability 9.0, got " +
                      std::to_string(capability / 10) + "." + std::to_string(capability % 10));
}

template <class T>
class own_products final : public tall_products<T> {
 public:
  own_products(device& machine, std::int64_t rows, std::int64_t cols, int blocks)
      : machine_(machine),
        m_(rows),
        n_(cols),
        small_(make_library_products<T>(machine, cols, cols)),
        shape_(tall_shape::of(rows, cols)),
        gram_shares_(
            gram_shares::of(shape_, shape_.pairs(), blocks_for<gram_kernel<T>>(machine, blocks))),
        multiply_blocks_(static_cast<int>(std::min<std::int64_t>(
            shape_.chunks, blocks_for<multiply_kernel<T>>(machine, blocks)))),
        partials_(machine.allocate<work_real>(gram_shares_.entries())),
        inverse_(machine.allocate<T>(static_cast<std::size_t>(cols * cols))),
        squares_(
            machine.allocate<work_real>(static_cast<std::size_t>(shape_.pairs()) * square_size)) {}

  void gram(T const* a, T* g) override {
    // The view allows writing, but this kernel only reads.
    matrix_ref<T> const matrix{const_cast<T*>(a), m_, n_, m_};
    machine_.launch(shape(gram_shares_.groups * gram_shares_.members),
                    gram_kernel<T>{matrix, shape_, gram_shares_, partials_.data()});
    gram_sum_kernel<T> const sum{gram_shares_, partials_.data(), g, n_};
    machine_.launch(shape(sum.items()), sum);
  }
  void factor(T* g, int* info) override { small_->factor(g, info); }
  void solve(T const* r, T* a) override {
    machine_.launch(shape(static_cast<int>(n_)), identity_kernel<T>{inverse_.data(), n_, n_});
    small_->solve(r, inverse_.data());
    machine_.launch(shape(shape_.pairs()),
                    spread_kernel<T>{inverse_.data(), n_, shape_.pairs(), squares_.data()});
    matrix_ref<T> const matrix{a, m_, n_, m_};
    machine_.launch(shape(multiply_blocks_),
                    multiply_kernel<T>{matrix, shape_, squares_.data(), matrix});
  }
  void combine(T const* s, T* r) override { small_->combine(s, r); }
  [[nodiscard]] std::size_t bytes() const override {
    return small_->bytes() + partials_.bytes() + inverse_.bytes() + squares_.bytes();
  }

 private:
  template <class Kernel>
  static int blocks_for(device const& machine, int wanted) {
    if (wanted != 0) return wanted;
    return machine.is_host() ? machine.properties().multiprocessors
                             : machine.resident_blocks<Kernel>(tall_threads);
  }
  /// Returns one block per item on a GPU. On the host, returns one worker per item, but at most as
  /// many as the Gram matrix has partial sums.
  [[nodiscard]] launch_shape shape(int items) const {
    if (!machine_.is_host()) return {items, tall_threads};
    return {std::min(items, gram_shares_.groups * gram_shares_.members), 1};
  }

  device& machine_;
  std::int64_t m_;
  std::int64_t n_;
  std::unique_ptr<tall_products<T>> small_;
  tall_shape shape_;
  gram_shares gram_shares_;
  int multiply_blocks_;
  buffer<work_real> partials_;
  buffer<T> inverse_;
  buffer<work_real> squares_;
};

}  // namespace

template <class T>
std::unique_ptr<tall_products<T>> make_products(device& machine, product_maker who,
                                                std::int64_t rows, std::int64_t cols, int blocks) {
  if (who == product_maker::library) return make_library_products<T>(machine, rows, cols);
  require_supported(machine, cols);
  return std::make_unique<own_products<T>>(machine, rows, cols, blocks);
}

template std::unique_ptr<tall_products<float>> make_products(device&, product_maker, std::int64_t,
                                                             std::int64_t, int);
template std::unique_ptr<tall_products<double>> make_products(device&, product_maker, std::int64_t,
                                                              std::int64_t, int);

}  // namespace gridloom::tiled_qr
