#pragma once
// Sequences of letters for alignments: FASTA files, and the scores of BLOSUM62 (Henikoff and
// Henikoff, 1992) as NCBI distributes them.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gridloom {

/// The letters of a sequence as numbers in an alphabet.
using sequence = std::vector<std::uint8_t>;

struct fasta_alphabet {
  /// The letters, for messages.
  std::string letters;
  /// The number of an upper-case or lower-case letter; -1 for other characters.
  std::function<int(char)> number_of;
};

/// Reads all sequences of a FASTA file. Each has a line that begins with '>', then lines of
/// letters. Blanks and empty lines are skipped. Throws usage_error naming file and line for letters
/// before the first '>', letters outside the alphabet, and empty sequences or files.
[[nodiscard]] std::vector<sequence> read_fasta(std::filesystem::path const& path,
                                               fasta_alphabet const& by);

/// Reads only the sequence with this number, counted from 1. The others are not checked.
[[nodiscard]] sequence read_fasta(std::filesystem::path const& path, fasta_alphabet const& by,
                                  std::int64_t number);

/// The letters of BLOSUM62 in the order of their numbers. The twenty amino acids come first.
inline constexpr std::string_view blosum62_letters = "ARNDCQEGHILKMFPSTWYVBZX*";

/// The score of two letters, given by their numbers, in half bits.
[[nodiscard]] int blosum62(std::size_t a, std::size_t b);

}  // namespace gridloom
