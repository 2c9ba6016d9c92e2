#pragma once
// Computes AᵀA in one pass over the rows. Each block sums over chunks of rows, and
// gram_sum_kernel.hpp adds up the blocks' sums.
//
// The upper triangle is cut into squares of 32 × 32, and each square into halves of 32 × 16. A half
// takes 16 numbers per lane of a warp. An item is the product of one half over 32 of a chunk's
// rows. A warp has some items, whose sums stay in registers over all chunks. If a thread block has
// too few registers for all halves, thread blocks form groups. Each group has its own halves and
// goes over all rows.
//
// GK.R1. Sums are added in the order of a block's chunks, then of the parts of a chunk, then of the
//     blocks. So the same input on the same number of blocks gives the same bits.

#include "gridloom/group.hpp"
#include "ours/tall/row_stages.hpp"

namespace gridloom::tiled_qr {

inline constexpr int half_width = panel_width / 2;
inline constexpr int half_size = panel_width * half_width;
/// An item takes 32 registers. With five items a thread has registers left for its factors.
inline constexpr int items_of_warp = 5;

/// The 32 × 32 squares that are computed: those of the upper triangle. For reflectors, the squares
/// on the diagonal are left out, because they follow from the panels' T.
template <tall_kind Kind>
struct gram_pairs {
  static constexpr int above = Kind == tall_kind::reflectors ? 1 : 0;
  GRIDLOOM_FN static int count(int panels) { return (panels - above) * (panels - above + 1) / 2; }
  GRIDLOOM_FN static block_pair of(int number) {
    block_pair const pair = block_pair::of(number);
    return {pair.i, pair.j + above};
  }
};

struct gram_shares {
  int halves;
  /// Number of groups of thread blocks. Each group has halves of its own.
  int groups;
  int halves_of_group;
  /// Number of partial sums per group, at least one per block.
  int members;
  /// Number of partial sums that have rows.
  int active;

  static gram_shares of(tall_shape const& shape, int pairs, int blocks) {
    int const halves = 2 * pairs;
    int const held = items_of_warp * (tall_threads / 32) / shape.parts;
    int const groups = halves <= held ? 1 : (halves + held - 1) / held;
    auto const members = static_cast<int>(
        panels::sums_of(shape.chunks * shape.chunk_rows(), blocks < groups ? 1 : blocks / groups));
    return gram_shares{halves, groups, (halves + groups - 1) / groups, 0, 0}.with(members, shape);
  }
  [[nodiscard]] gram_shares with(int wanted, tall_shape const& shape) const {
    int const rows = static_cast<int>(shape.chunks < wanted ? shape.chunks : wanted);
    return {halves, groups, halves_of_group, wanted, rows};
  }
  /// Number of entries of all partial sums.
  [[nodiscard]] std::size_t entries() const {
    return std::size_t(groups) * members * halves_of_group * half_size;
  }
  GRIDLOOM_FN std::size_t partial(int group, int member) const {
    return (std::size_t(group) * members + member) * halves_of_group * half_size;
  }
};

/// Place of an item's factors in a stage, packed into one register.
template <tall_kind Kind>
struct item_place {
  int code;
  GRIDLOOM_FN static item_place of(int half, int part, int panels) {
    block_pair const pair = gram_pairs<Kind>::of(half / 2);
    return {(part * panels + pair.i) | (part * panels + pair.j) << 8 | half % 2 << 16};
  }
  GRIDLOOM_FN int left() const { return code & 0xff; }
  GRIDLOOM_FN int right() const { return code >> 8 & 0xff; }
  GRIDLOOM_FN int col() const { return (code >> 16) * half_width; }
};

/// The sums of a warp's items, at most `Items`, in registers. Items are numbered part by part; each
/// part has `halves` items, which begin with half `first`.
template <tall_kind Kind, int Items>
class gram_of_warp {
 public:
  template <class Block>
  GRIDLOOM_FN gram_of_warp(Block const& block, tall_shape const& shape, int first, int halves)
      : warp_(block.thread_rank() / 32),
        lane_(block.thread_rank() % 32),
        halves_(halves),
        parts_(shape.parts) {
    GRIDLOOM_UNROLL
    for (int own = 0; own < Items; ++own) {
      int const item = item_of(own);
      places_[own] = item_place<Kind>::of(first + item % halves, item / halves, shape.panels);
    }
  }

  /// Adds the products of a chunk.
  GRIDLOOM_FN void add(row_tile const* tiles) {
    GRIDLOOM_UNROLL
    for (int own = 0; own < Items; ++own) {
      item_place<Kind> const at = places_[own];
      if (item_of(own) < halves_ * parts_)
        add_product(lane_, tiles[at.left()], tiles[at.right()], at.col(), sums_[own]);
    }
  }

  /// Adds up the sums of all parts of the chunks, and stores the result. Overwrites the ring, so a
  /// barrier must separate the call from earlier use of the ring.
  template <class Block>
  GRIDLOOM_FN void store(Block const& block, row_stages& ring, work_real* to) const {
    auto* const all = reinterpret_cast<work_real*>(&ring);
    GRIDLOOM_UNROLL
    for (int own = 0; own < Items; ++own) {
      int const item = item_of(own);
      if (item < halves_ * parts_) put(lane_, sums_[own], all + item * half_size);
    }
    block.sync();
    int const entries = halves_ * half_size;
    for (int e = block.thread_rank(); e < entries; e += block.num_threads()) {
      work_real sum = 0;
      for (int part = 0; part < parts_; ++part) sum += all[part * entries + e];
      to[e] = sum;
    }
  }

 private:
  /// A lane's share of the matrix unit's results: four entries of each of 2 × 2 tiles of 16 × 8.
  using lane_sums = work_real[2][2][4];

  GRIDLOOM_FN int item_of(int own) const { return warp_ + own * (tall_threads / 32); }

  GRIDLOOM_FN static void add_product(int lane, row_tile const& left, row_tile const& right,
                                      int first_col, lane_sums& c) {
    int const deep = lane % 4;
    int const across = lane / 4;
    GRIDLOOM_UNROLL
    for (int k = deep; k < panel_width; k += 8) {
      work_real b[2][2];
      GRIDLOOM_UNROLL
      for (int part = 0; part < 2; ++part) {
        b[part][0] = right(k, first_col + 8 * part + across);
        b[part][1] = right(k + 4, first_col + 8 * part + across);
      }
      GRIDLOOM_UNROLL
      for (int strip = 0; strip < 2; ++strip) {
        int const row = 16 * strip + across;
        work_real const a[4] = {left(k, row), left(k, row + 8), left(k + 4, row),
                                left(k + 4, row + 8)};
        GRIDLOOM_UNROLL
        for (int part = 0; part < 2; ++part) multiply_add(c[strip][part], a, b[part]);
      }
    }
  }
  GRIDLOOM_FN static void put(int lane, lane_sums const& c, work_real* to) {
    GRIDLOOM_UNROLL
    for (int strip = 0; strip < 2; ++strip) {
      GRIDLOOM_UNROLL
      for (int part = 0; part < 2; ++part) {
        work_real* const at = to + (16 * strip + lane / 4) * half_width + 8 * part + lane % 4 * 2;
        at[0] = c[strip][part][0];
        at[1] = c[strip][part][1];
        at[8 * half_width] = c[strip][part][2];
        at[8 * half_width + 1] = c[strip][part][3];
      }
    }
  }

  int warp_;
  int lane_;
  int halves_;
  int parts_;
  item_place<Kind> places_[Items];
  lane_sums sums_[Items] = {};
};

/// Adds a chunk's products to sums in memory, with any number of threads. The chunk's sum is
/// computed before it is added, as in the loops of panel/products.hpp.
template <tall_kind Kind, class Block>
GRIDLOOM_FN void add_gram_by_threads(Block const& block, tall_shape const& shape, int first,
                                     int halves, row_tile const* tiles, work_real* to) {
  for (int e = block.thread_rank(); e < halves * half_size; e += block.num_threads()) {
    int const row = e % half_size / half_width;
    int const col = e % half_width;
    work_real sum = 0;
    for (int part = 0; part < shape.parts; ++part) {
      auto const at = item_place<Kind>::of(first + e / half_size, part, shape.panels);
      sum += panels::detail::product_of_rows(tiles[at.left()], tiles[at.right()], 0, row,
                                             at.col() + col);
    }
    to[e] += sum;
  }
}

template <class Real, tall_kind Kind = tall_kind::as_they_stand>
struct gram_kernel {
  static constexpr bool persistent = false;
  static constexpr bool overlaps_previous = true;
  static constexpr int max_threads = tall_threads;

  struct scratch {
    row_stages ring;
  };
  static_assert(sizeof(row_stages) >= sizeof(work_real) * items_of_warp * 8 * half_size,
                "the ring has room for all items' sums");

  /// A, which the kernel only reads.
  matrix_ref<Real> matrix;
  tall_shape shape;
  gram_shares shares;
  /// Partial sums of each group's members, one half after the other. Each half is row-major.
  work_real* partials;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    block.wait_for_previous_launch();
    for (int share = block.index(); share < shares.groups * shares.members;
         share += block.count()) {
      // The groups of a chunk are consecutive blocks, so that the second group finds the chunk in
      // the cache.
      int const group = share % shares.groups;
      int const member = share / shares.groups;
      if (member >= shares.active) continue;
      int const first = group * shares.halves_of_group;
      int const left = shares.halves - first;
      int const halves = left < shares.halves_of_group ? left : shares.halves_of_group;
      work_real* const to = partials + shares.partial(group, member);
      if (has_eight_warps(block))
        by_warps(block, first, halves, member, to, shared);
      else
        by_threads(block, first, halves, member, to, shared);
      block.sync();
    }
  }

 private:
  template <class Block>
  GRIDLOOM_FN void by_warps(Block const& block, int first, int halves, int member, work_real* to,
                            scratch& shared) const {
    gram_of_warp<Kind, items_of_warp> sums(block, shape, first, halves);
    for_chunks<Kind>(block, matrix, shape, member, shares.active, shared.ring,
                     [&](std::int64_t, row_tile const* tiles) { sums.add(tiles); });
    sums.store(block, shared.ring, to);
  }

  template <class Block>
  GRIDLOOM_FN void by_threads(Block const& block, int first, int halves, int member, work_real* to,
                              scratch& shared) const {
    for (int e = block.thread_rank(); e < halves * half_size; e += block.num_threads()) to[e] = 0;
    for_chunks<Kind>(block, matrix, shape, member, shares.active, shared.ring,
                     [&](std::int64_t, row_tile const* tiles) {
                       add_gram_by_threads<Kind>(block, shape, first, halves, tiles, to);
                     });
  }
};

}  // namespace gridloom::tiled_qr
