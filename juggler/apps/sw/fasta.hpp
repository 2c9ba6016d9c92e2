#pragma once
// Sequences: of FASTA files, and random ones.

#include <cstdint>
#include <string>
#include <vector>

#include "apps/sw/scoring.hpp"

namespace gridloom::juggler::sw {

/// Letters by number.
using sequence = std::vector<std::uint8_t>;

/// The `number`-th sequence of a file, from 1 on: a header line that begins with >, and lines of
/// letters of either case. Throws usage_error naming file and line: no header, a letter that the
/// scoring does not know, a sequence without letters, or fewer sequences than that.
[[nodiscard]] sequence read_fasta(std::string const& file, std::int64_t number, scoring const& by);

/// Letters as likely as each other: A, C, G and T, or the twenty that matrices of proteins begin with.
[[nodiscard]] sequence make_sequence(std::int64_t length, std::uint64_t seed, scoring const& by);

}  // namespace gridloom::juggler::sw
