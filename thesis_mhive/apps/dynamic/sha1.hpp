#pragma once
// SHA-1 (FIPS 180-4) of a message that fits one block and has whole 32-bit words, on both machines.
// The splittable random numbers of the tree search need no other messages (uts_tree.hpp).

#include <cstdint>

#include "gridloom/portable.hpp"

namespace gridloom::mhive::dynamic {

/// A hash of 160 bits. Word 0 has the first four bytes, with the first byte on top.
struct digest {
  std::uint32_t words[5];
};

namespace detail {

GRIDLOOM_FN inline std::uint32_t rotated(std::uint32_t x, unsigned by) {
  return x << by | x >> (32U - by);
}

/// The state of the rounds. Loops have fixed bounds, so that it stays in registers once unrolled.
struct sha1_rounds {
  std::uint32_t a, b, c, d, e;
  std::uint32_t schedule[16];

  GRIDLOOM_FN void step(unsigned t, std::uint32_t mixed, std::uint32_t constant) {
    std::uint32_t& word = schedule[t % 16];
    if (t >= 16) {
      word ^= schedule[(t + 13) % 16] ^ schedule[(t + 8) % 16] ^ schedule[(t + 2) % 16];
      word = rotated(word, 1);
    }
    std::uint32_t const next = rotated(a, 5) + mixed + e + constant + word;
    e = d;
    d = c;
    c = rotated(b, 30);
    b = a;
    a = next;
  }
};

}  // namespace detail

/// The hash of the words, of which the first byte of each is on top.
template <unsigned Words>
GRIDLOOM_FN digest sha1(std::uint32_t const (&message)[Words]) {
  static_assert(Words <= 13, "the message and its length must fit one block");
  detail::sha1_rounds on{0x67452301U, 0xefcdab89U, 0x98badcfeU, 0x10325476U, 0xc3d2e1f0U, {}};
  detail::sha1_rounds const start = on;
  GRIDLOOM_UNROLL
  for (unsigned t = 0; t < Words; ++t) on.schedule[t] = message[t];
  on.schedule[Words] = 0x80000000U;
  on.schedule[15] = 32 * Words;
  GRIDLOOM_UNROLL
  for (unsigned t = 0; t < 20; ++t) on.step(t, (on.b & on.c) | (~on.b & on.d), 0x5a827999U);
  GRIDLOOM_UNROLL
  for (unsigned t = 20; t < 40; ++t) on.step(t, on.b ^ on.c ^ on.d, 0x6ed9eba1U);
  GRIDLOOM_UNROLL
  for (unsigned t = 40; t < 60; ++t) {
    on.step(t, (on.b & on.c) | (on.b & on.d) | (on.c & on.d), 0x8f1bbcdcU);
  }
  GRIDLOOM_UNROLL
  for (unsigned t = 60; t < 80; ++t) on.step(t, on.b ^ on.c ^ on.d, 0xca62c1d6U);
  return {{start.a + on.a, start.b + on.b, start.c + on.c, start.d + on.d, start.e + on.e}};
}

}  // namespace gridloom::mhive::dynamic
