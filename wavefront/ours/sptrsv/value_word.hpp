#pragma once
// A word of 64 bits that holds a double, or marks that the double has not been written. The mark is
// a NaN that no computation returns. A NaN of the user's data with the same bits becomes another
// NaN.
//
// Such a word has half the size of a number with a tag, so twice as many fit into a cache line. In
// exchange, the words must be emptied, which the solver does during the next run (IS.R2 of
// in_order_solve.hpp).

#include <bit>
#include <cstdint>
#include <cstring>

#include "gridloom/portable.hpp"

namespace gridloom::wavefront::sptrsv {

using value_word = std::uint64_t;

/// All bits are set, so that filling an array with one byte value empties all words.
inline constexpr value_word empty_word = ~value_word{0};

GRIDLOOM_FN inline value_word word_of(double value) {
  value_word word;
  memcpy(&word, &value, sizeof(word));
  return word == empty_word ? empty_word >> 1 : word;
}

/// The number in a word, which must not be empty.
GRIDLOOM_FN inline double value_of(value_word word) {
  double value;
  memcpy(&value, &word, sizeof(value));
  return value;
}

}  // namespace gridloom::wavefront::sptrsv
