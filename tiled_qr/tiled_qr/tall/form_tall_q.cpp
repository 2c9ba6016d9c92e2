#include "tiled_qr/tall/form_tall_q.hpp"

#include <algorithm>

#include "tiled_qr/tall/gram_sum_kernel.hpp"
#include "tiled_qr/tall/multiply_kernel.hpp"
#include "tiled_qr/tall/solve_top_kernel.hpp"

namespace gridloom::tiled_qr {

namespace {

constexpr tall_kind kind = tall_kind::reflectors;

/// Numbers of a sum that fit into Q, from its first place on that is aligned for them.
template <class Real>
std::size_t room_in(std::int64_t rows, std::int64_t cols) {
  std::size_t const bytes = static_cast<std::size_t>(rows * cols) * sizeof(Real);
  return (bytes - (sizeof(work_real) - sizeof(Real))) / sizeof(work_real);
}
template <class Real>
work_real* room_at(Real* q) {
  auto const past = reinterpret_cast<std::uintptr_t>(q) % sizeof(work_real);
  return reinterpret_cast<work_real*>(q + (past == 0 ? 0 : 1));
}

}  // namespace

template <class Real>
bool tall_q_former<Real>::takes(device const& machine, std::int64_t reflectors) {
  return reflectors <= most_tall_cols &&
         (machine.is_host() || machine.properties().compute_capability >= 90);
}

template <class Real>
tall_q_former<Real>::tall_q_former(device& machine, std::int64_t rows, std::int64_t reflectors,
                                   int blocks, int threads)
    : machine_(&machine),
      blocks_(blocks != 0 ? blocks : machine.properties().multiprocessors),
      threads_(threads),
      shape_(tall_shape::of(rows, reflectors)),
      shares_(gram_shares::of(shape_, gram_pairs<kind>::count(shape_.panels), blocks_)) {
  if (shares_.halves > 0) {
    std::size_t const of_member = shares_.with(1, shape_).entries();
    auto const fit = static_cast<std::int64_t>(room_in<Real>(rows, reflectors) / of_member);
    shares_ =
        shares_.with(static_cast<int>(std::clamp<std::int64_t>(fit, 1, shares_.members)), shape_);
    if (fit == 0) partials_ = machine.allocate<work_real>(shares_.entries());
    products_ =
        machine.allocate<work_real>(std::size_t(shape_.panels) * shape_.panels * square_size);
  }
  squares_ = machine.allocate<work_real>(std::size_t(shape_.pairs()) * square_size);
}

template <class Real>
launch_shape tall_q_former<Real>::shape_of(int items) const {
  return {machine_->is_host() ? std::min(items, blocks_) : items, threads_};
}

template <class Real>
void tall_q_former<Real>::run(matrix_ref<Real> reflectors, Real const* t, Real* q) {
  if (shares_.halves > 0) {
    work_real* const partials = partials_.size() > 0 ? partials_.data() : room_at(q);
    machine_->launch(shape_of(shares_.groups * shares_.members),
                     gram_kernel<Real, kind>{reflectors, shape_, shares_, partials});
    gram_sum_kernel<work_real, kind> const sum{shares_, partials, products_.data(),
                                               std::int64_t{shape_.panels} * panel_width};
    machine_->launch(shape_of(sum.items()), sum);
  }
  machine_->launch(shape_of(shape_.panels),
                   solve_top_kernel<Real>{reflectors, t, products_.data(), squares_.data()});
  matrix_ref<Real> const to{q, reflectors.rows, reflectors.cols, reflectors.rows};
  machine_->launch(shape_of(static_cast<int>(std::min<std::int64_t>(shape_.chunks, blocks_))),
                   multiply_kernel<Real, kind>{reflectors, shape_, squares_.data(), to});
}

template class tall_q_former<float>;
template class tall_q_former<double>;

}  // namespace gridloom::tiled_qr
