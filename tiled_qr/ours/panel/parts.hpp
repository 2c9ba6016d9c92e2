#pragma once
// Where the members of a team leave their parts of a sum. Parts lie in separate memory, or inside
// the matrix, in the place of a panel that the team holds. team.hpp says who may write there and
// when.

#include <cstring>
#include <type_traits>

#include "ours/panel/tile.hpp"

namespace gridloom::tiled_qr::panels {

/// Number of matrix entries that take as many bytes as one number of a sum.
template <class Real>
inline constexpr int entries_a_number = sizeof(work_real) / sizeof(Real);

/// A view of small square matrices of work_real, one per member, in memory of `Real`. In a matrix,
/// 32 entries are contiguous: 32 rows of a column.
template <class Real>
struct part_buffer {
  Real* first;
  /// Distances, in entries of `Real`: between the parts of two members, between two columns, and
  /// between the halves of a part. A part has two halves if it takes two row blocks.
  std::int64_t of_member;
  std::int64_t of_col;
  std::int64_t half_stride;

  /// Returns a buffer of contiguous parts, one after the other.
  GRIDLOOM_FN static part_buffer packed(Real* first) {
    return {first, entries, panel_width, square_size};
  }
  /// Returns a buffer in the place of a panel. Part `buffer` of a member takes the member's row
  /// block `buffer`. It takes two row blocks if an entry has half the bytes of a number.
  GRIDLOOM_FN static part_buffer in_panel(matrix_ref<Real> matrix, int panel, int members,
                                          int buffer) {
    std::int64_t const row_blocks = std::int64_t{entries_a_number<Real>} * buffer * members;
    return {matrix.at(row_blocks * panel_width, std::int64_t{panel} * panel_width), panel_width,
            matrix.leading, std::int64_t{members} * panel_width};
  }

  /// Offset of number `e` in its part.
  GRIDLOOM_FN std::int64_t offset(int e) const {
    constexpr int a_col = panel_width / entries_a_number<Real>;
    std::int64_t const in_half =
        e / a_col % panel_width * of_col + e % a_col * entries_a_number<Real>;
    if constexpr (entries_a_number<Real> == 1)
      return in_half;
    else
      return in_half + e / (a_col * panel_width) * half_stride;
  }
  GRIDLOOM_FN work_real get(int member, std::int64_t offset) const {
    slot const found = *reinterpret_cast<slot const*>(at(member, offset));
    work_real value;
    std::memcpy(&value, &found, sizeof value);
    return value;
  }
  GRIDLOOM_FN void set(int member, std::int64_t offset, work_real value) const {
    slot to;
    std::memcpy(&to, &value, sizeof to);
    *reinterpret_cast<slot*>(at(member, offset)) = to;
  }

  /// Number of entries of `Real` that a part takes.
  static constexpr int entries = square_size * entries_a_number<Real>;

 private:
  /// Accesses use the type of the matrix's entries, so that the compiler keeps their order.
  using slot = std::conditional_t<entries_a_number<Real> == 1, Real, detail::pair_of<Real>>;
  static_assert(sizeof(slot) == sizeof(work_real));

  GRIDLOOM_FN Real* at(int member, std::int64_t offset) const {
    return first + member * of_member + offset;
  }
};

/// Returns how many of a member's parts fit into the place of a panel of 32 columns, at most two. A
/// part needs whole row blocks, and its numbers must be aligned.
template <class Real>
constexpr int parts_in_panel(std::int64_t rows, int members, bool aligned) {
  if (!aligned) return 0;
  std::int64_t const fit = rows / panel_width / members / entries_a_number<Real>;
  return fit < 2 ? static_cast<int>(fit) : 2;
}

/// Memory of all parts that do not lie in the matrix.
template <class Real>
struct part_memory {
  /// For each matrix that is worked on: two buffers, with one part per member each.
  Real* panel_values;
  /// For each matrix that is worked on: one top square per buffer.
  work_real* tops;
  /// How many of a team's two buffers of products lie in the place of its panel.
  int in_matrix;
  /// For each team: its buffers of products with finished reflectors that do not lie in the matrix.
  Real* of_teams;
  /// For each matrix: buffers for the products of its last panel, if that has fewer than 32
  /// columns.
  Real* of_last_panel;

  /// Returns the buffer for the sums of a panel's own columns.
  GRIDLOOM_FN part_buffer<Real> for_panel(int matrix, int members, int buffer) const {
    return packed(panel_values, matrix * 2 + buffer, members);
  }
  GRIDLOOM_FN work_real* top(int matrix, int buffer) const {
    return tops + (std::size_t(matrix) * 2 + buffer) * square_size;
  }
  /// Returns the buffer for the products of panel `panel` with finished reflectors.
  GRIDLOOM_FN part_buffer<Real> for_products(matrix_ref<Real> in, int panel, int matrix, int team,
                                             int members, int buffer) const {
    if (buffer >= in_matrix)
      return packed(of_teams, team * (2 - in_matrix) + buffer - in_matrix, members);
    if (in.cols < std::int64_t{panel + 1} * panel_width)
      return packed(of_last_panel, matrix * in_matrix + buffer, members);
    return part_buffer<Real>::in_panel(in, panel, members, buffer);
  }

 private:
  GRIDLOOM_FN static part_buffer<Real> packed(Real* from, int number, int members) {
    return part_buffer<Real>::packed(from +
                                     std::size_t(number) * members * part_buffer<Real>::entries);
  }
};

}  // namespace gridloom::tiled_qr::panels
