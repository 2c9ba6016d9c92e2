#pragma once
// A piece of a matrix in the registers of a warp, and products on it. This file depends on the
// backend. On a GPU, the matrix unit multiplies and determines each lane's entries; on a host, a
// thread has all entries.

#include "apps/lud/view.hpp"
#include "gridloom/async_copy.hpp"
#include "gridloom/group.hpp"
#include "gridloom/matrix_unit.hpp"
#include "gridloom/portable.hpp"

namespace gridloom::juggler::lud {

/// The rank of a thread in a group, computed anew at each use. Otherwise the compiler would keep
/// all values derived from it in registers, for all kernels at once, and run out of registers.
struct place {
  template <thread_group Group>
  GRIDLOOM_FN explicit place(Group const& group) : rank(group.thread_rank()) {
#if defined(__CUDA_ARCH__)
    asm volatile("" : "+r"(rank));
#endif
    warp = rank / 32;
    lane = rank % 32;
  }
  int rank, warp, lane;
};

/// Two adjacent entries, the first in an even column.
struct alignas(16) entry_pair {
  double first;
  double second;
};

/// Rows × Cols entries, multiples of 16 and 8. To read or write an entry, members call at(row,
/// col), which returns it or a reference to it.
template <int Rows, int Cols, bool OnUnit = has_matrix_unit>
class piece {
 public:
  GRIDLOOM_FN explicit piece(int lane) : row_(lane / 4), deep_(lane % 4) {}

  GRIDLOOM_FN void clear() {
    for_entries([](int, int, double& first, double& second) { first = second = 0; });
  }
  template <class At>
  GRIDLOOM_FN void load(At const& at) {
    for_entries([&](int row, int col, double& first, double& second) {
      first = at(row, col);
      second = at(row, col + 1);
    });
  }
  template <class At>
  GRIDLOOM_FN void store(At const& at) {
    for_entries([&](int row, int col, double& first, double& second) {
      at(row, col) = first;
      at(row, col + 1) = second;
    });
  }
  /// Number of entry pairs per lane.
  static constexpr int pairs = Rows * Cols / 64;
  /// Starts to copy part `part` of the lane's pairs from a target in memory to `room`. A part has
  /// `Each` pairs. In `room` they are `distance` apart. Pairs begin at multiples of 16 bytes.
  template <int Each>
  GRIDLOOM_FN void bring_target(int part, view target, entry_pair* room, int distance) {
    for_pairs(target, [&](int pair, entry_pair* target_pair, double, double) {
      if (pair / Each == part) copy_async(room + pair % Each * distance, target_pair);
    });
  }
  /// target <- target - entries. bring_target() has copied the first `Parts` parts to room(part).
  template <int Each, int Parts, class Room>
  GRIDLOOM_FN void subtract_from(view target, Room const& room, int distance) {
    for_pairs(target, [&](int pair, entry_pair* target_pair, double first, double second) {
      entry_pair const before =
          pair < Each * Parts ? room(pair / Each)[pair % Each * distance] : *target_pair;
      *target_pair = {before.first - first, before.second - second};
    });
  }

  /// Adds or subtracts left × right (Rows × Depth and Depth × Cols). Depth is a multiple of 8.
  template <int Depth, class Left, class Right>
  GRIDLOOM_FN void add_product(Left const& left, Right const& right) {
    multiply<Depth>([&](int row, int k) { return left(row, k); }, right);
  }
  template <int Depth, class Left, class Right>
  GRIDLOOM_FN void subtract_product(Left const& left, Right const& right) {
    multiply<Depth>([&](int row, int k) { return -left(row, k); }, right);
  }

 private:
  template <class Visit>
  GRIDLOOM_FN void for_entries(Visit const& visit) {
    GRIDLOOM_UNROLL
    for (int down = 0; down < Rows / 16; ++down) {
      GRIDLOOM_UNROLL
      for (int across = 0; across < Cols / 8; ++across) {
        double(&of)[4] = entries_[down][across];
        visit(16 * down + row_, 8 * across + 2 * deep_, of[0], of[1]);
        visit(16 * down + row_ + 8, 8 * across + 2 * deep_, of[2], of[3]);
      }
    }
  }
  /// Visits each pair with its number, address and entries. Addresses differ from the first by
  /// constants, so they take no registers.
  template <class Visit>
  GRIDLOOM_FN void for_pairs(view target, Visit const& visit) {
    double* const first = &target.at(row_, 2 * deep_);
    GRIDLOOM_UNROLL
    for (int pair = 0; pair < pairs; ++pair) {
      int const half = pair % 2, across = pair / 2 % (Cols / 8), down = pair / 2 / (Cols / 8);
      double const(&of)[4] = entries_[down][across];
      visit(pair,
            reinterpret_cast<entry_pair*>(first + (16 * down + 8 * half) * target.stride +
                                          8 * across),
            of[2 * half], of[2 * half + 1]);
    }
  }
  template <int Depth, class Left, class Right>
  GRIDLOOM_FN void multiply(Left const& left, Right const& right) {
    GRIDLOOM_UNROLL
    for (int k = 0; k < Depth; k += 8) {
      double b[Cols / 8][2];
      GRIDLOOM_UNROLL
      for (int across = 0; across < Cols / 8; ++across) {
        b[across][0] = right(k + deep_, 8 * across + row_);
        b[across][1] = right(k + deep_ + 4, 8 * across + row_);
      }
      GRIDLOOM_UNROLL
      for (int down = 0; down < Rows / 16; ++down) {
        int const row = 16 * down + row_;
        double const a[4] = {left(row, k + deep_), left(row + 8, k + deep_),
                             left(row, k + deep_ + 4), left(row + 8, k + deep_ + 4)};
        GRIDLOOM_UNROLL
        for (int across = 0; across < Cols / 8; ++across)
          multiply_add(entries_[down][across], a, b[across]);
      }
    }
  }

  double entries_[Rows / 16][Cols / 8][4];
  int row_, deep_;
};

/// The piece of a host thread.
template <int Rows, int Cols>
class piece<Rows, Cols, false> {
 public:
  GRIDLOOM_FN explicit piece(int) {}

  GRIDLOOM_FN void clear() {
    for_entries([](int, int, double& entry) { entry = 0; });
  }
  template <class At>
  GRIDLOOM_FN void load(At const& at) {
    for_entries([&](int row, int col, double& entry) { entry = at(row, col); });
  }
  template <class At>
  GRIDLOOM_FN void store(At const& at) {
    for_entries([&](int row, int col, double& entry) { at(row, col) = entry; });
  }
  static constexpr int pairs = 0;
  template <int Each>
  GRIDLOOM_FN void bring_target(int, view, entry_pair*, int) {}
  template <int Each, int Parts, class Room>
  GRIDLOOM_FN void subtract_from(view target, Room const&, int) {
    for_entries([&](int row, int col, double entry) { target.at(row, col) -= entry; });
  }
  template <int Depth, class Left, class Right>
  GRIDLOOM_FN void add_product(Left const& left, Right const& right) {
    for (int row = 0; row < Rows; ++row) {
      for (int k = 0; k < Depth; ++k) {
        double const factor = left(row, k);
        for (int col = 0; col < Cols; ++col) entries_[row][col] += factor * right(k, col);
      }
    }
  }
  template <int Depth, class Left, class Right>
  GRIDLOOM_FN void subtract_product(Left const& left, Right const& right) {
    add_product<Depth>([&](int row, int k) { return -left(row, k); }, right);
  }

 private:
  template <class Visit>
  GRIDLOOM_FN void for_entries(Visit const& visit) {
    for (int row = 0; row < Rows; ++row) {
      for (int col = 0; col < Cols; ++col) visit(row, col, entries_[row][col]);
    }
  }

  double entries_[Rows][Cols];
};

}  // namespace gridloom::juggler::lud
