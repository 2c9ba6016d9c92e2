#include "ours/tall/form_tall_q.hpp"

#include <algorithm>
#include <stdexcept>

#include "ours/tall/gram_sum_kernel.hpp"
#include "ours/tall/multiply_kernel.hpp"
#include "ours/tall/solve_top_kernel.hpp"

namespace gridloom::tiled_qr {

namespace {

constexpr tall_kind kind = tall_kind::reflectors;

/// Returns how many entries of sums fit into Q's memory, from its first aligned place on.
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

int blocks_of(device const& machine, int asked) {
  return asked != 0 ? asked : machine.properties().multiprocessors;
}
gram_shares shares_of(tall_shape const& shape, int blocks) {
  return gram_shares::of(shape, gram_pairs<kind>::count(shape.panels), blocks);
}

}  // namespace

template <class Real>
bool tall_q_former<Real>::takes(device const& machine, std::int64_t reflectors) {
  return reflectors <= most_tall_cols &&
         (machine.is_host() || machine.properties().compute_capability >= 90);
}

template <class Real>
std::size_t tall_q_former<Real>::entries_of(device const& machine, std::int64_t rows,
                                            std::int64_t reflectors, int blocks) {
  return shares_of(tall_shape::of(rows, reflectors), blocks_of(machine, blocks)).entries();
}

template <class Real>
tall_q_former<Real>::tall_q_former(device& machine, std::int64_t rows, std::int64_t reflectors,
                                   int blocks, int threads, work_real* sums)
    : machine_(&machine),
      blocks_(blocks_of(machine, blocks)),
      threads_(threads),
      shape_(tall_shape::of(rows, reflectors)),
      shares_(shares_of(shape_, blocks_)),
      sums_(sums) {
  if (shares_.halves > 0) {
    if (sums_ == nullptr) {
      std::size_t const member_entries = shares_.with(1, shape_).entries();
      auto const fit = static_cast<std::int64_t>(room_in<Real>(rows, reflectors) / member_entries);
      shares_ =
          shares_.with(static_cast<int>(std::clamp<std::int64_t>(fit, 1, shares_.members)), shape_);
      if (fit == 0) partials_ = machine.allocate<work_real>(shares_.entries());
    }
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
  work_real* const own = partials_.size() > 0 ? partials_.data() : room_at(q);
  form(reflectors, t, sums_ != nullptr ? sums_ : own,
       {q, reflectors.rows, reflectors.cols, reflectors.rows});
}

template <class Real>
void tall_q_former<Real>::run_in_place(matrix_ref<Real> reflectors, Real const* t) {
  if (sums_ == nullptr) throw std::invalid_argument("expected memory for sums besides Q, got none");
  form(reflectors, t, sums_, reflectors);
}

template <class Real>
void tall_q_former<Real>::form(matrix_ref<Real> reflectors, Real const* t, work_real* sums,
                               matrix_ref<Real> to) {
  if (shares_.halves > 0) {
    machine_->launch(shape_of(shares_.groups * shares_.members),
                     gram_kernel<Real, kind>{reflectors, shape_, shares_, sums});
    gram_sum_kernel<work_real, kind> const sum{shares_, sums, products_.data(),
                                               std::int64_t{shape_.panels} * panel_width};
    machine_->launch(shape_of(sum.items()), sum);
  }
  machine_->launch(shape_of(shape_.panels),
                   solve_top_kernel<Real>{reflectors, t, products_.data(), squares_.data()});
  machine_->launch(shape_of(static_cast<int>(std::min<std::int64_t>(shape_.chunks, blocks_))),
                   multiply_kernel<Real, kind>{reflectors, shape_, squares_.data(), to});
}

template class tall_q_former<float>;
template class tall_q_former<double>;

}  // namespace gridloom::tiled_qr
