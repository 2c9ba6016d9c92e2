#include "apps/sw/fasta.hpp"

#include <algorithm>

#include "gridloom/random.hpp"

namespace gridloom::juggler::sw {

sequence read_fasta(std::string const& file, std::int64_t number, scoring const& by) {
  return gridloom::read_fasta(file, {by.letters, [&](char letter) { return by.number_of(letter); }},
                              number);
}

sequence make_sequence(std::int64_t length, std::uint64_t seed, scoring const& by) {
  random_source random(seed);
  // The letter after A, C, G and T matches nothing, so it is not drawn.
  std::size_t const usual =
      by.letters.size() == 5 ? 4 : std::min<std::size_t>(by.letters.size(), 20);
  sequence made(static_cast<std::size_t>(length));
  for (std::uint8_t& letter : made) letter = static_cast<std::uint8_t>(random.below(usual));
  return made;
}

}  // namespace gridloom::juggler::sw
