#include "ours/panel/form_q.hpp"

#include <algorithm>
#include <stdexcept>

#include "gridloom/host_time_limit.hpp"
#include "ours/panel/form_q_kernels.hpp"

namespace gridloom::tiled_qr::panels {

namespace {

constexpr std::size_t square_entries = std::size_t{panel_width} * panel_width;

std::int64_t in_parts(std::int64_t n, std::int64_t part) { return (n + part - 1) / part; }

/// Makes a group with its sizes, but without memory.
template <class Real>
panel_group<Real> group_of(std::int64_t rows, std::int64_t cols, int begin, int width) {
  matrix_ref<Real> const q{nullptr, rows, std::min(rows, cols), rows};
  panel_group<Real> group{{nullptr, rows, cols, rows}, q, begin, 0, 1, nullptr, nullptr};
  group.end = std::min(begin + width, group.q_panels());
  return group;
}

/// Returns how much memory sums may take for a matrix of this size, in squares of 32 × 32.
std::int64_t room_for_sums(std::int64_t rows, std::int64_t cols) {
  return rows * cols / 12 / static_cast<std::int64_t>(square_entries);
}

}  // namespace

template <class Real>
q_former<Real>::q_former(device& machine, std::int64_t rows, std::int64_t cols,
                         former_settings settings)
    : machine_(&machine),
      rows_(rows),
      cols_(cols),
      blocks_(settings.blocks != 0
                  ? settings.blocks
                  : (machine.is_host() ? 1 : 2) * machine.properties().multiprocessors),
      threads_(machine.is_host() ? 1 : settings.threads) {
  std::int64_t const reflectors = std::min(rows, cols);
  // With other numbers of threads, two passes are slow, because they do not use matrix units.
  bool const quick = machine.is_host() || threads_ == tall_threads || settings.tall_from == 0;
  if (quick && rows / reflectors >= settings.tall_from &&
      tall_q_former<Real>::takes(machine, reflectors)) {
    tall_.emplace(machine, rows, reflectors, settings.blocks, threads_);
    return;
  }
  bool const fits =
      group_of<Real>(rows, cols, 0, group_panels).products() <= room_for_sums(rows, cols);
  width_ = fits ? group_panels : group_panels / 2;
  sums_ = machine.allocate<Real>(most_sums() * square_entries);
  x_ = machine.allocate<Real>(std::size_t{group_panels} * group_panels * square_entries);
}

template <class Real>
int q_former<Real>::panels() const {
  return static_cast<int>(in_panels(std::min(rows_, cols_)));
}

template <class Real>
int q_former<Real>::splits_of(int begin) const {
  std::int64_t const products = std::max(1, group_of<Real>(rows_, cols_, begin, width_).products());
  std::int64_t const chunks = in_parts(rows_ - std::int64_t{begin} * panel_width, former_rows);
  std::int64_t const room = room_for_sums(rows_, cols_);
  return static_cast<int>(
      std::clamp<std::int64_t>(std::min<std::int64_t>(blocks_, room) / products, 1, chunks));
}

template <class Real>
std::size_t q_former<Real>::most_sums() const {
  std::size_t most = 0;
  for (int begin = 0; begin < panels(); begin += width_)
    most = std::max(most, std::size_t(group_of<Real>(rows_, cols_, begin, width_).products()) *
                              splits_of(begin));
  return most;
}

template <class Real>
void q_former<Real>::run(matrix_ref<Real> factors, Real const* t, Real* q) {
  if (factors.rows != rows_ || factors.cols != cols_)
    throw std::invalid_argument("reflectors: expected the size given to the constructor");
  if (tall_)
    tall_->run({factors.data, rows_, std::min(rows_, cols_), factors.leading}, t, q);
  else
    run_groups(factors, t, q);
}

template <class Real>
void q_former<Real>::run_groups(matrix_ref<Real> factors, Real const* t, Real* q) {
  auto const blocks_for = [&](std::int64_t items) {
    // On a device each item has its own block; on a host, the workers share the items.
    constexpr std::int64_t most = 1 << 20;
    return static_cast<int>(std::min(items, machine_->is_host() ? std::int64_t{blocks_} : most));
  };
  for (int begin = (panels() - 1) / width_ * width_; begin >= 0; begin -= width_) {
    host_time_limit::check("forming Q");
    auto group = group_of<Real>(rows_, cols_, begin, width_);
    group.factors = factors;
    group.q.data = q;
    group.splits = splits_of(begin);
    group.sums = sums_.data();
    group.x = x_.data();
    if (int const items = group.products() * group.splits; items > 0)
      machine_->launch({blocks_for(items), threads_}, products_kernel<Real>{group});
    add_splits_kernel<Real> const adding{group};
    if (group.splits > 1 && adding.items() > 0)
      machine_->launch({blocks_for(adding.items()), threads_}, adding);
    machine_->launch({blocks_for(panels() - begin), threads_}, solve_kernel<Real>{group, t});
    update_kernel<Real> const update{group};
    machine_->launch({blocks_for(update.tiles()), threads_}, update);
  }
}

template class q_former<float>;
template class q_former<double>;

}  // namespace gridloom::tiled_qr::panels
