#include "ours/stream/streamed_panels.hpp"

#include <algorithm>

#include "gridloom/host_time_limit.hpp"
#include "ours/stream/chain_kernel.hpp"
#include "ours/stream/pass_kernel.hpp"

namespace gridloom::tiled_qr::panels {

namespace {

template <class Real>
int choose_blocks(device& machine, std::int64_t rows, int wanted) {
  int const most = wanted != 0 ? wanted
                   : machine.is_host()
                       ? machine.properties().multiprocessors
                       : machine.resident_blocks<pass_kernel<Real>>(pass_kernel<Real>::max_threads);
  return static_cast<int>(std::min<std::int64_t>(most, (rows + chunk_rows - 1) / chunk_rows));
}

std::int64_t choose_sums(std::int64_t rows, int blocks) {
  return std::min(sums_of(rows, blocks), (rows + chunk_rows - 1) / chunk_rows);
}

/// Returns a launch of one block per item on a GPU, and of as many workers as a pass has on the
/// host.
template <class Kernel>
launch_shape shape_for(device const& machine, int items, int blocks) {
  return machine.is_host() ? launch_shape{std::min(items, blocks), 1}
                           : launch_shape{items, Kernel::max_threads};
}

}  // namespace

template <class Real>
streamed_panels<Real>::streamed_panels(device& machine, std::int64_t rows, std::int64_t cols,
                                       stream_settings settings, work_real* lent)
    : machine_(&machine),
      blocks_(choose_blocks<Real>(machine, rows, settings.blocks)),
      sums_of_pass_(static_cast<int>(choose_sums(rows, blocks_))),
      board_(machine),
      progress_(machine.allocate<stream_progress>(2)),
      partials_(machine.allocate<work_real>(
          lent != nullptr ? 0 : entries_of(machine, rows, cols, settings))),
      lent_(lent),
      sums_(machine.allocate<work_real>(std::size_t(in_panels(cols)) * square_size)),
      squares_(machine.allocate<work_real>(std::size_t(2 + in_panels(cols)) * square_size)) {}

template <class Real>
std::size_t streamed_panels<Real>::entries_of(device& machine, std::int64_t rows, std::int64_t cols,
                                              stream_settings settings) {
  int const blocks = choose_blocks<Real>(machine, rows, settings.blocks);
  return std::size_t(in_panels(cols)) * static_cast<std::size_t>(choose_sums(rows, blocks)) *
         square_size;
}

template <class Real>
void streamed_panels<Real>::start(matrix_ref<Real> matrix, Real* t, Real* tau) {
  step_ = 0;
  before_ = board_.last();
  work_real* const squares = squares_.data();
  scene_ = {matrix,
            {progress_.data(), lent_ != nullptr ? lent_ : partials_.data(), sums_.data(), squares,
             squares + square_size, squares + 2 * square_size, t, tau},
            sums_of_pass_,
            0};
  machine_->fill_bytes(progress_, 0);
  pass();
  for (int panel = 0; panel < scene_.panels(); ++panel) {
    next_chain();
    pass();
  }
  next_chain();
}

template <class Real>
std::uint32_t streamed_panels<Real>::finish() {
  for (int made = 1;; ++made) {
    heard const now = board_.wait(before_ + static_cast<std::uint32_t>(made));
    made = static_cast<int>(now.number - before_);
    // Each remaining panel takes at least one chain, and T of the last panel takes one more step.
    int const left = scene_.panels() - now.news;
    while (step_ < made + left + 1) {
      pass();
      next_chain();
    }
    if (left == 0) return static_cast<std::uint32_t>(made);
    // The step for T of the last panel was reported, too. It makes no chain.
    if (left < 0) return static_cast<std::uint32_t>(made - 1);
  }
}

template <class Real>
void streamed_panels<Real>::pass() {
  host_time_limit::check("panels");
  scene_.step = step_;
  machine_->launch(shape_for<pass_kernel<Real>>(*machine_, blocks_, blocks_),
                   pass_kernel<Real>{scene_});
}

template <class Real>
void streamed_panels<Real>::next_chain() {
  using sum = sum_kernel<Real>;
  using chain = chain_kernel<Real>;
  scene_.step = step_;
  int const panels = scene_.col_panels();
  // At most this many slots are in use at the same time: one per column panel.
  int const sums = panels * sum::items_of_slot;
  int const chains = chain::own_items + panels - 1;
  machine_->launch(shape_for<sum>(*machine_, sums, blocks_), sum{scene_});
  machine_->launch(shape_for<chain>(*machine_, chains, blocks_), chain{scene_, board_.next()});
  ++step_;
}

template <class Real>
kernel_facts streamed_panels<Real>::facts() const {
  return machine_->facts<pass_kernel<Real>>(pass_kernel<Real>::max_threads);
}

template <class Real>
std::size_t streamed_panels<Real>::bytes() const {
  return progress_.bytes() + partials_.bytes() + sums_.bytes() + squares_.bytes();
}

template class streamed_panels<float>;
template class streamed_panels<double>;

}  // namespace gridloom::tiled_qr::panels
