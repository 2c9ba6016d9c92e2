#pragma once
// A double that says whether it has been written: a word of 64 bits is the number, or the mark of
// an empty word. The mark is a NaN that no computation returns. If the user's data holds a NaN with
// the same bits, another NaN is written.
//
// Such a word has half the size of a number with a tag, so twice as many fit into a cache line. In
// exchange, the words must be emptied; the solver does that during the next run
// (in_order_solve.hpp, IS.R2).

#include <bit>
#include <cstdint>
#include <cstring>

#include "gridloom/portable.hpp"

namespace gridloom::wavefront::sptrsv {

using value_word = std::uint64_t;

/// All bits are set, so that filling an array with one byte value makes all words empty.
inline constexpr value_word empty_word = ~value_word{0};

GRIDLOOM_FN inline value_word word_of(double value) {
  value_word word;
  memcpy(&word, &value, sizeof(word));
  return word == empty_word ? empty_word >> 1 : word;
}

/// The number in a word that is not empty.
GRIDLOOM_FN inline double value_of(value_word word) {
  double value;
  memcpy(&value, &word, sizeof(value));
  return value;
}

}  // namespace gridloom::wavefront::sptrsv
