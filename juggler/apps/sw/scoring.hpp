#pragma once
// Alphabets, and the scores of letter pairs and gaps.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "apps/sw/cells.hpp"

namespace gridloom::juggler::sw {

struct scoring {
  /// The letters of the alphabet in the order of their numbers: capitals, at most most_letters.
  std::string letters;
  /// scores[a * most_letters + b] is the score of letters a and b.
  std::array<std::int8_t, most_letters * most_letters> scores{};
  /// A gap of k letters costs gap_open + k gap_extend. Both are at least 0.
  int gap_open = 0;
  int gap_extend = 0;

  [[nodiscard]] int of(int a, int b) const {
    return scores[static_cast<std::size_t>(a * most_letters + b)];
  }
  /// The number of a letter in either case; -1 for a letter outside the alphabet.
  [[nodiscard]] int number_of(char letter) const;
};

/// The alphabet A, C, G, T and N; N matches nothing.
[[nodiscard]] scoring nucleotides(int match, int mismatch, int gap_open, int gap_extend);

/// BLOSUM62 by name, or a file in NCBI's format. Such a file has comments that begin with #, a line
/// with the letters of the columns, and lines with a letter and its scores. Scores are from -127 to
/// 127. Throws usage_error naming file and line.
[[nodiscard]] scoring substitution_matrix(std::string const& name_or_file, int gap_open,
                                          int gap_extend);

/// Throws usage_error if the best score of sequences with these lengths may exceed 32 bits.
void require_scores_fit(scoring const& by, std::int64_t rows, std::int64_t cols);

}  // namespace gridloom::juggler::sw
