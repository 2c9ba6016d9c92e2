#pragma once
// Alphabets, and the scores of two letters and of a gap.

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
  /// scores[a * most_letters + b] is the score of letters a and b.
  std::array<std::int8_t, most_letters * most_letters> scores{};
  /// A gap of k letters costs gap_open + k gap_extend. Neither is below 0.
  int gap_open = 0;
  int gap_extend = 0;

  [[nodiscard]] int of(int a, int b) const {
    return scores[static_cast<std::size_t>(a * most_letters + b)];
  }
  /// The number of a letter of either case; -1 for a letter outside the alphabet.
  [[nodiscard]] int number_of(char letter) const;
};

/// A, C, G and T, and N, which matches nothing.
[[nodiscard]] scoring nucleotides(int match, int mismatch, int gap_open, int gap_extend);

/// BLOSUM62 by name, or a file in NCBI's format: comments begin with #, then a line with the
/// letters of the columns, then lines of a letter and its scores from -127 to 127. Throws
/// usage_error naming file and line.
[[nodiscard]] scoring substitution_matrix(std::string const& name_or_file, int gap_open,
                                          int gap_extend);

/// Throws usage_error when the best score of sequences of these lengths may not fit a 32-bit word.
void require_scores_fit(scoring const& by, std::int64_t rows, std::int64_t cols);

}  // namespace gridloom::juggler::sw
