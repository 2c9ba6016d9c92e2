#pragma once
// Sequences of letters for alignments: FASTA files, and the scores of BLOSUM62 (Henikoff and Henikoff,
// 1992) as NCBI distributes them.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gridloom {

/// Letters by their numbers in an alphabet.
using sequence = std::vector<std::uint8_t>;

struct fasta_alphabet {
  /// For messages.
  std::string letters;
  /// The number of a letter of either case; -1 for a letter outside the alphabet.
  std::function<int(char)> number_of;
};

/// The sequences of a FASTA file: each a line that begins with '>', then lines of letters. Blanks and
/// empty lines are skipped. Throws usage_error naming file and line: letters before the first '>', a
/// letter outside the alphabet, a sequence without letters, a file without sequences.
[[nodiscard]] std::vector<sequence> read_fasta(std::filesystem::path const& path,
                                               fasta_alphabet const& by);

/// The `number`-th sequence alone, from 1 on; the others are not checked.
[[nodiscard]] sequence read_fasta(std::filesystem::path const& path, fasta_alphabet const& by,
                                  std::int64_t number);

/// The letters of BLOSUM62 in its order; the twenty amino acids come first.
inline constexpr std::string_view blosum62_letters = "ARNDCQEGHILKMFPSTWYVBZX*";

/// The score of two of them, by number, in half bits.
[[nodiscard]] int blosum62(std::size_t a, std::size_t b);

}  // namespace gridloom
