#include "ours/tall/form_tall_q.hpp"

#include <algorithm>
#include <stdexcept>

#include "gridloom/group.hpp"
#include "ours/tall/gram_sum_kernel.hpp"
#include "ours/tall/multiply_kernel.hpp"
#include "ours/tall/row_stages.hpp"

namespace gridloom::tiled_qr {

// Computes the small matrix M for Q = E - V M, where E is the first columns of the identity. M =
// U⁻¹ V₁ᵀ, where V₁ is the top square of the reflectors V. U is upper triangular. Above its
// diagonal blocks it is VᵀV, and the inverses of these blocks are the panels' own T. (The UT
// transform; Joffrain and others, Accumulating Householder transformations, 2006.) V₁ᵀ is upper
// triangular, and so is M.
//
// The method is back substitution by blocks, from the last row of blocks to the first. Columns of M
// are independent. Once a block of M is known, one product subtracts it from all blocks above.

/// One block per column panel of M.
template <class Real>
struct solve_top_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = tall_threads;

  using tile = panels::panel_tile<work_real, most_tall_cols>;
  using square = panels::square<work_real>;
  struct scratch {
    /// What is left of V₁ᵀ after the known blocks of M were subtracted.
    tile right;
    tile products;
    square t;
    square row;
    square found;
  };

  /// The reflectors V, with at least as many rows as columns.
  matrix_ref<Real> reflectors;
  /// T of each panel, 32 × 32, column-major.
  Real const* t;
  /// VᵀV above its diagonal blocks, column-major, square with whole blocks.
  work_real const* products;
  /// Array for -M. The blocks of its upper triangle are in the order of block_pair, each row-major.
  work_real* squares;

  GRIDLOOM_FN int panels() const { return static_cast<int>(panels::in_panels(reflectors.cols)); }

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();
    for (int j = block.index(); j < panels(); j += block.count()) {
      load_top(block, j, shared.right);
      for (int k = j; k >= 0; --k) solve(block, block_pair{k, j}, shared);
      block.sync();
    }
  }

 private:
  /// Computes M_kj = T_k · (the rest of V₁ᵀ in block (k, j)), and then subtracts U_ik M_kj for all
  /// i < k.
  template <class Block>
  GRIDLOOM_FN void solve(Block const& block, block_pair at, scratch& shared) const {
    int const k = at.i;
    std::int64_t const size = std::int64_t{panels()} * panel_width;
    block.sync();
    panels::load_tile(block, matrix_ref<work_real const>{products, size, size, size}, k,
                      panels::row_share{0, 1}, 0, k * panel_width, shared.products);
    for (int e = block.thread_rank(); e < square_size; e += block.num_threads()) {
      int const low = e % panel_width;
      int const high = e / panel_width;
      shared.t(high, low) = static_cast<work_real>(t[std::size_t(k) * square_size + e]);
      shared.row(low, high) = shared.right(k * panel_width + low, high);
    }
    block.sync();
    panels::transposed_product(block, shared.t, shared.row, shared.found);
    block.sync();
    work_real* const to = squares + std::size_t(at.number()) * square_size;
    for (int e = block.thread_rank(); e < square_size; e += block.num_threads())
      to[e] = -shared.found(e / panel_width, e % panel_width);
    panels::subtract_product(block, shared.products, shared.found, 0, k * panel_width,
                             shared.right);
  }

  /// Loads a column panel of V₁ᵀ, down to its diagonal block.
  template <class Block>
  GRIDLOOM_FN void load_top(Block const& block, int j, tile& to) const {
    for (int e = block.thread_rank(); e < (j + 1) * square_size; e += block.num_threads()) {
      std::int64_t const v_row = std::int64_t{j} * panel_width + e % panel_width;
      int const v_col = e / panel_width;
      work_real value = 0;
      if (v_row < reflectors.cols && v_row >= v_col)
        value =
            v_row == v_col ? work_real{1} : static_cast<work_real>(*reflectors.at(v_row, v_col));
      to(v_col, e % panel_width) = value;
    }
  }
};

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
