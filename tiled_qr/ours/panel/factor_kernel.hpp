#pragma once
// QR factorisation by resident teams of blocks. A team holds a panel of 32 columns in its blocks'
// shared memory and applies all reflectors to its left as they are finished. Then it makes the
// panel's own reflectors and goes on to its next panel. Teams take panels in turn. The matrix is
// read and written once. Teams read each other's panels only when these are finished.
//
// A meeting is a barrier of a team's blocks. A panel takes few meetings: one per block reflector
// that is applied, one per chain of the panel's own reflectors (reflectors.hpp), and one for T.
// team.hpp has the rules TM.R1 to TM.R5.

#include "gridloom/watchdog.hpp"
#include "ours/panel/reflectors.hpp"
#include "ours/panel/team.hpp"

namespace gridloom::tiled_qr::panels {

/// The work of one launch: `count` matrices of one size, `stride` entries apart. `teams` teams work
/// on a matrix at the same time (TM.R5).
struct panel_batch {
  int count;
  std::int64_t stride;
  int teams;
};

/// The results of a factorisation besides the matrix, and the words on which blocks wait.
template <class Real>
struct panel_memory {
  /// T of each panel, 32 × 32, column-major.
  Real* t;
  /// Array of the reflectors' factors tau, one per column.
  Real* tau;
  /// Memory in which blocks leave their parts of the teams' sums. All matrices share `parts`,
  /// `meetings` and `chains`.
  part_memory<Real> parts;
  /// One word per team and member: the number of meetings to which the member has come; zero at the
  /// start.
  std::uint32_t* meetings;
  /// One word per panel and member: 1 when the member has written its reflectors; zero at the
  /// start.
  std::uint32_t* reflectors_ready;
  /// One word per panel: 1 when T is written; zero at the start.
  std::uint32_t* t_ready;
  /// Number of chains of all panels together (reflectors.hpp): one per panel if no column lost its
  /// digits.
  std::uint32_t* chains;

  /// Returns the memory of matrix `number`. Parts, meetings and chains are common to all matrices.
  GRIDLOOM_FN panel_memory of_matrix(int number, int panels, int members) const {
    panel_memory one = *this;
    std::size_t const at = std::size_t(number) * panels;
    one.t += at * square_size;
    one.tau += at * panel_width;
    one.reflectors_ready += at * members;
    one.t_ready += at;
    return one;
  }
};

/// Largest number of rows that a host worker holds on its stack.
inline constexpr int host_rows = 4096;

template <class Real, int Rows>
struct factor_kernel {
  static constexpr bool persistent = true;
  static constexpr bool on_host = Rows == host_rows;
  static constexpr bool on_cuda = Rows != host_rows;
  static constexpr int max_threads = 256;

  struct scratch {
    panel_tile<work_real, Rows> panel;
    panel_tile<work_real, Rows> applied;
    square<work_real> parts[cross_parts];
    square<work_real> sum;
    square<work_real> scaled;
    square<work_real> t;
    chain_scratch<work_real> chain;
    work_real taus[panel_width];
    bool stopped;
  };

  matrix_ref<Real> matrix;
  panel_batch batch;
  int members;
  panel_memory<Real> memory;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    int const team = block.index() / members;
    row_share const share{block.index() % members, members};
    run<Block> mine{*this,
                    matrix,
                    memory,
                    block,
                    shared,
                    share,
                    team,
                    {memory.meetings + std::size_t(team) * members, share},
                    {dog, block.index(), on_host}};
    if (block.thread_rank() == 0) {
      shared.stopped = false;
      shared.chain.over_most = least_length(matrix.rows, matrix.cols);
    }
    block.sync();
    int const at_once = block.count() / members / batch.teams;
    for (int number = team / batch.teams; number < batch.count; number += at_once) {
      mine.matrix.data = matrix.data + number * batch.stride;
      mine.memory = memory.of_matrix(number, panels(), members);
      for (int panel = team % batch.teams; panel < col_panels(); panel += batch.teams)
        if (!take_panel(mine, panel, panels())) return;
    }
  }

  /// Number of panels that have reflectors.
  GRIDLOOM_FN int panels() const {
    return row_blocks() < col_panels() ? row_blocks() : col_panels();
  }

  GRIDLOOM_FN int row_blocks() const { return static_cast<int>(in_panels(matrix.rows)); }
  GRIDLOOM_FN int col_panels() const { return static_cast<int>(in_panels(matrix.cols)); }

 private:
  /// The work of one block, and the state that the steps of take_panel() share.
  template <class Block>
  struct run {
    factor_kernel const& self;
    matrix_ref<Real> matrix;
    panel_memory<Real> memory;
    Block const& block;
    scratch& shared;
    row_share share;
    int team;
    team_member member;
    watch patience;
    direct_memory words{};

    /// Returns a row of this thread block's tile. From that row on, the tile holds row block
    /// `row_block` of the matrix and later ones.
    GRIDLOOM_FN int from(int row_block) const { return share.held_of(row_block) * panel_width; }
    GRIDLOOM_FN int end() const { return from(self.row_blocks()); }
    /// Number of the team's matrix among those that are worked on at the same time.
    GRIDLOOM_FN int matrix_number() const { return team / self.batch.teams; }

    GRIDLOOM_FN void load(int panel) {
      load_tile(block, matrix, panel, share, 0, end(), shared.panel);
      block.sync();
    }
    GRIDLOOM_FN void store(int panel) {
      store_tile(block, shared.panel, panel, share, 0, end(), matrix);
      block.sync();
    }
    GRIDLOOM_FN void tell_reflectors(int panel) {
      tell(memory.reflectors_ready + std::size_t(panel) * share.members + share.member);
    }
    GRIDLOOM_FN bool meet(int panel) {
      return member.meet(
          block, words, [] {}, waiting_at(panel), [] {});
    }

    /// Applies the block reflector of panel k to this panel: C -= V Tᵀ (Vᵀ C).
    GRIDLOOM_FN bool apply(int k, int panel) {
      int const begin = from(k);
      // A host thread may never have to wait, and takes long for a panel, so it checks the time.
      if constexpr (on_host)
        if (patience.stop(words, wait_kind::own_work, 0, static_cast<std::uint64_t>(k), 0))
          return false;
      // A member holds the same rows of every panel, so it waits only for the member with its own
      // number.
      std::uint32_t const* const ready =
          memory.reflectors_ready + std::size_t(k) * share.members + share.member;
      if (!wait({ready, 1, 1}, k)) return false;
      load_tile(block, matrix, k, share, begin, end(), shared.applied);
      block.sync();
      if (share.holds(k)) {
        unit_lower(begin, shared.applied);
        block.sync();
      }
      cross_products(block, shared.applied, shared.panel, begin, end(), shared.parts);
      auto const at = memory.parts.for_products(matrix, panel, matrix_number(), team, share.members,
                                                member.buffer());  // TM.R4
      if (!member.add_up(block, words, at, shared.parts, shared.sum, waiting_at(k))) return false;
      if (!wait({memory.t_ready + k, 1, 1}, k)) return false;
      Real const* const t = memory.t + std::size_t(k) * square_size;
      for (int e = block.thread_rank(); e < square_size; e += block.num_threads())
        shared.t(e % panel_width, e / panel_width) = t[e];
      block.sync();
      transposed_product(block, shared.t, shared.sum, shared.scaled);
      block.sync();
      subtract_product(block, shared.applied, shared.scaled, begin, end(), shared.panel);
      block.sync();
      return true;
    }

    /// Makes the panel's reflectors and R. All members compute the same chains.
    GRIDLOOM_FN bool make_reflectors(int panel) {
      int const begin = from(panel);
      bool const has_top = share.holds(panel);
      auto& chain = shared.chain;
      std::uint32_t chains = 0;
      for (int first = 0; first < panel_width; ++chains) {
        cross_products(block, shared.panel, shared.panel, begin, end(), shared.parts);
        // The member that holds the top square leaves it here for the others.
        work_real* const top = memory.parts.top(matrix_number(), member.buffer());  // TM.R5
        if (has_top)
          for (int e = block.thread_rank(); e < square_size; e += block.num_threads())
            top[e] = shared.panel(begin + e / panel_width, e % panel_width);
        if (!add_own(chain.gram, panel)) return false;
        for (int e = block.thread_rank(); e < square_size; e += block.num_threads())
          chain.top(e / panel_width, e % panel_width) = top[e];
        int const last = reflectors_of_gram(block, first, chain);
        reflect_rows(block, chain.coefficients, first, last, has_top ? begin + panel_width : begin,
                     end(), shared.panel);
        if (has_top) write_top(begin, last);
        block.sync();
        first = last;
      }
      if (share.member == 0 && block.thread_rank() == 0)
        words.fetch_add_relaxed(memory.chains, chains);
      return true;
    }

    /// Writes the top square into the tile. After the last chain it holds R above the reflectors.
    /// After other chains it is the input of the next chain, with zeros in the finished rows.
    GRIDLOOM_FN void write_top(int begin, int last) {
      auto const& chain = shared.chain;
      bool const done = last == panel_width;
      for (int e = block.thread_rank(); e < square_size; e += block.num_threads()) {
        int const row = e % panel_width;
        int const col = e / panel_width;
        work_real value;
        if (row > col && col < last)
          value = done || row >= last ? chain.reflectors(col, row) : work_real{0};
        else if (done)
          value = chain.r(row, col);
        else
          value = row < last ? work_real{0} : chain.top(row, col);
        shared.panel(begin + row, col) = value;
      }
    }

    GRIDLOOM_FN bool finish_t(int panel) {
      int const begin = from(panel);
      if (share.holds(panel)) unit_lower(begin, shared.panel);
      block.sync();
      cross_products(block, shared.panel, shared.panel, begin, end(), shared.parts);
      if (!add_own(shared.sum, panel, share.member == 0)) return false;
      if (share.member != 0) return true;  // TM.R5
      block_reflector(block, shared.sum, shared.chain.coefficients, shared.taus, shared.scaled,
                      shared.t);
      Real* const t = memory.t + std::size_t(panel) * square_size;
      for (int e = block.thread_rank(); e < square_size; e += block.num_threads())
        t[e] = static_cast<Real>(shared.t(e % panel_width, e / panel_width));
      for (int c = block.thread_rank(); c < panel_width; c += block.num_threads())
        memory.tau[std::size_t(panel) * panel_width + c] = static_cast<Real>(shared.taus[c]);
      block.sync();
      tell(memory.t_ready + panel);
      return true;
    }

    /// Replaces R, which lies above the reflectors, by ones and zeros.
    GRIDLOOM_FN void unit_lower(int begin, panel_tile<work_real, Rows>& tile) {
      for (int e = block.thread_rank(); e < square_size; e += block.num_threads()) {
        int const row = e % panel_width;
        int const col = e / panel_width;
        if (row <= col) tile(begin + row, col) = row == col ? work_real{1} : work_real{0};
      }
    }

    /// Adds up the members' parts of a sum over the panel's own columns.
    GRIDLOOM_FN bool add_own(square<work_real>& sum, int panel, bool takes = true) {
      auto const at =
          memory.parts.for_panel(matrix_number(), share.members, member.buffer());  // TM.R5
      return member.add_up(block, words, at, shared.parts, sum, waiting_at(panel), takes);
    }

    GRIDLOOM_FN auto waiting_at(int panel) {
      return [this, panel](panel_words wanted) { return wait(wanted, panel); };
    }

    /// Sets a word to 1 (TM.R1). Called after a barrier, so that the block's writes are visible.
    GRIDLOOM_FN void tell(std::uint32_t* word) {
      if (block.thread_rank() == 0) words.store_release(word, 1U);
    }

    /// Waits until all the words are set, one word per thread (TM.R1). Called by all threads.
    /// Returns false if the watchdog stopped the run.
    GRIDLOOM_FN bool wait(panel_words wanted, int panel) {
      for (int w = block.thread_rank(); w < wanted.count; w += block.num_threads()) {
        std::uint32_t seen = 0;
        for (unsigned attempt = 0; (seen = words.load_acquire(wanted.first + w)) < wanted.wanted;
             ++attempt) {
          if (patience.stop(words, wait_kind::task, static_cast<std::uint32_t>(panel), seen,
                            wanted.wanted)) {
            shared.stopped = true;
            break;
          }
          give_way(attempt);
        }
      }
      block.sync();
      return !shared.stopped;
    }
  };
};

}  // namespace gridloom::tiled_qr::panels
