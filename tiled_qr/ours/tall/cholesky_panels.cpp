#include "ours/tall/cholesky_panels.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/host_time_limit.hpp"
#include "ours/tall/cholesky_decision.hpp"
#include "ours/tall/cholesky_kernels.hpp"
#include "ours/tall/gram_sum_kernel.hpp"
#include "ours/tall/pass_rows_kernel.hpp"
#include "ours/tall/reflector_kernels.hpp"

namespace gridloom::tiled_qr {

namespace {

std::int64_t require_supported(device const& machine, std::int64_t rows, std::int64_t cols) {
  if (cols > most_tall_cols || rows < cols)
    throw unsupported("expected at most " + std::to_string(most_tall_cols) +
                      " columns and at least as many rows for steps of CholeskyQR, got " +
                      std::to_string(rows) + " x " + std::to_string(cols));
  int const capability = machine.properties().compute_capability;
  if (!machine.is_host() && capability < 90)
    throw unsupported("expected compute capability 9.0 for steps of CholeskyQR, got " +
                      std::to_string(capability / 10) + "." + std::to_string(capability % 10));
  return cols;
}

/// Returns the number of squares of each small matrix, in the order of cholesky_memory. Sums and
/// signs take whole squares, too.
std::array<std::size_t, 11> parts_of(tall_shape const& shape) {
  auto const panels = static_cast<std::size_t>(shape.panels);
  auto const pairs = static_cast<std::size_t>(shape.pairs());
  std::size_t const all = panels * panels;
  return {all,
          variants * pairs,
          variants * pairs,
          variants * panels,
          variants * pairs,
          1,
          2 * pairs,
          all,
          all,
          1,
          pairs};
}

// A square must have room for the row sums, followed by the panels' numbers of chains.
static_assert(variants * (most_tall_cols + most_panels) <= square_size);

}  // namespace

template <class Real>
cholesky_panels<Real>::cholesky_panels(device& machine, std::int64_t rows, std::int64_t cols,
                                       tall_settings settings)
    : machine_(&machine),
      blocks_(settings.blocks != 0 ? settings.blocks : machine.properties().multiprocessors),
      shape_(tall_shape::of(rows, require_supported(machine, rows, cols))),
      shares_(gram_shares::of(shape_, shape_.pairs(), blocks_)),
      sums_in_pass_(settings.sums_in_pass && sums_in_pass(shape_, shares_)),
      chooses_(settings.chooses),
      forms_q_(settings.forms_q),
      partials_(machine.allocate<work_real>(std::max(
          {shares_.entries(),
           panels::streamed_panels<Real>::entries_of(machine, rows, cols, {settings.blocks}),
           settings.forms_q ? tall_q_former<Real>::entries_of(machine, rows, cols, settings.blocks)
                            : 0}))),
      chains_of_(machine, rows, cols, {settings.blocks}, partials_.data()),
      plan_(machine.allocate<tall_plan>(1)),
      board_(machine) {
  auto const parts = parts_of(shape_);
  small_ = machine.allocate<work_real>(std::accumulate(parts.begin(), parts.end(), std::size_t{0}) *
                                       square_size);
  auto const panels = static_cast<std::size_t>(shape_.panels);
  t_ = machine.allocate<Real>(panels * square_size);
  tau_ = machine.allocate<Real>(panels * panel_width);
  if (!forms_q_) return;
  r_ = machine.allocate<Real>(static_cast<std::size_t>(cols * cols));
  former_.emplace(machine, rows, cols, settings.blocks, machine.is_host() ? 1 : tall_threads,
                  partials_.data());
}

template <class Real>
void cholesky_panels<Real>::run(panels::matrix_ref<Real> matrix) {
  cholesky_scene<Real> scene{matrix, memory(), shape_, 0, chooses_, forms_q_};
  auto outcome = tall_outcome::going;
  while (outcome == tall_outcome::going) {
    outcome = begin_step(scene);
    if (outcome == tall_outcome::to_chains) break;
    end_step(scene, outcome);
    ++scene.step;
  }
  steps_ = scene.step;
  chains_ = 0;
  if (outcome == tall_outcome::to_chains) run_chains(scene);
}

template <class Real>
void cholesky_panels<Real>::run_chains(cholesky_scene<Real> const& scene) {
  chains_of_.start(scene.matrix, t_.data(), tau_.data());
  chains_ = chains_of_.finish();
  if (scene.step > 0) launch(shape_.panels, multiply_r_kernel<Real>{scene});
  if (!forms_q_) return;
  launch(static_cast<int>(scene.n()), take_r_kernel<Real>{scene.matrix, r_.data()});
  former_->run_in_place(scene.matrix, t_.data());
}

template <class Real>
tall_outcome cholesky_panels<Real>::begin_step(cholesky_scene<Real> const& scene) {
  using gram = gram_kernel<Real>;
  using sum = gram_sum_kernel<work_real>;
  int const panels = shape_.panels;
  auto const& memory = scene.memory;
  if (scene.step == 0 || !sums_in_pass_)
    launch(shares_.groups * shares_.members, gram{scene.matrix, shape_, shares_, partials_.data()});
  sum const add{shares_, partials_.data(), memory.products, std::int64_t{panels} * panel_width};
  launch(add.items(), add);
  for (int k = 0; k < panels; ++k) {
    factor_kernel<Real> const factor{scene, k};
    launch(factor.items(), factor);
  }
  invert_kernel<Real> const invert{scene};
  launch(invert.items(), invert);
  notice const decision = board_.next();
  launch(1, decide_kernel<Real>{scene, decision});
  combine_kernel<Real> const combine{scene, forms_q_ ? r_.data() : nullptr};
  launch(combine.items(), combine);
  return static_cast<tall_outcome>(board_.wait(decision.number).news);
}

template <class Real>
void cholesky_panels<Real>::end_step(cholesky_scene<Real> const& scene, tall_outcome outcome) {
  if (outcome == tall_outcome::last && !forms_q_) put_reflectors(scene);
  int const blocks = static_cast<int>(std::min<std::int64_t>(shape_.chunks, blocks_));
  if (sums_in_pass_)
    launch(blocks, pass_rows_kernel<Real, true>{scene, shares_, partials_.data()});
  else
    launch(blocks, pass_rows_kernel<Real, false>{scene, shares_, partials_.data()});
}

template <class Real>
void cholesky_panels<Real>::put_reflectors(cholesky_scene<Real> const& scene) {
  for (int k = 0; k < shape_.panels; ++k) {
    reconstruct_kernel<Real> const reconstruct{scene, k};
    launch(reconstruct.items(), reconstruct);
  }
  put_reflectors_kernel<Real> const put{scene, t_.data(), tau_.data()};
  launch(put.items(), put);
}

template <class Real>
template <class Kernel>
void cholesky_panels<Real>::launch(int items, Kernel const& kernel) {
  host_time_limit::check("steps of CholeskyQR");
  machine_->launch(machine_->is_host() ? launch_shape{std::min(items, blocks_), 1}
                                       : launch_shape{items, Kernel::max_threads},
                   kernel);
}

template <class Real>
cholesky_memory cholesky_panels<Real>::memory() const {
  auto const parts = parts_of(shape_);
  std::array<work_real*, parts.size()> at{};
  std::size_t first = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    at[part] = small_.data() + first * square_size;
    first += parts[part];
  }
  return {plan_.data(), at[0], at[1], at[2], at[3], at[4], at[5], at[5] + variants * most_tall_cols,
          at[6],        at[7], at[8], at[9], at[10]};
}

template <class Real>
kernel_facts cholesky_panels<Real>::facts() const {
  return sums_in_pass_ ? machine_->facts<pass_rows_kernel<Real, true>>(tall_threads)
                       : machine_->facts<pass_rows_kernel<Real, false>>(tall_threads);
}

template <class Real>
std::size_t cholesky_panels<Real>::bytes() const {
  return chains_of_.bytes() + plan_.bytes() + partials_.bytes() + small_.bytes() + t_.bytes() +
         tau_.bytes() + (former_ ? former_->bytes() : 0);
}

template class cholesky_panels<float>;
template class cholesky_panels<double>;

}  // namespace gridloom::tiled_qr
