#pragma once
// Alphabets, and what two letters and a gap score.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "apps/sw/cells.hpp"

namespace gridloom::juggler::sw {

struct scoring {
  /// Letter n of the alphabet; capitals, at most most_letters.
  std::string letters;
  /// Of letters a and b: scores[a * most_letters + b].
  std::array<std::int8_t, most_letters * most_letters> scores{};
  /// A gap of k letters costs gap_open + k gap_extend. None is below 0.
  int gap_open = 0;
  int gap_extend = 0;

  [[nodiscard]] int of(int a, int b) const {
    return scores[static_cast<std::size_t>(a * most_letters + b)];
  }
  /// A letter's number, of either case; -1 where it is foreign.
  [[nodiscard]] int number_of(char letter) const;
};

/// A, C, G and T, and N, which matches nothing.
[[nodiscard]] scoring nucleotides(int match, int mismatch, int gap_open, int gap_extend);

/// A matrix by name (BLOSUM62), or of a file in the format of NCBI: comments behind #, a line with the
/// letters of the columns, then lines of a letter and its scores. Throws usage_error naming file and
/// line. Scores are -127 to 127.
[[nodiscard]] scoring substitution_matrix(std::string const& name_or_file, int gap_open,
                                          int gap_extend);

/// Throws usage_error where the best score of sequences of these lengths may be beyond a 32-bit word.
void require_scores_fit(scoring const& by, std::int64_t rows, std::int64_t cols);

}  // namespace gridloom::juggler::sw
