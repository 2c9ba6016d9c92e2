#pragma once
// Small random damage to texts, which depends only on the seed.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/random.hpp"

namespace gridloom::fuzz {

class mutator {
 public:
  mutator(std::vector<std::string> const& seeds, std::uint64_t seed)
      : seeds_{seeds}, random_{seed} {}

  /// One of the seeds with one to four changes. There must be at least one seed.
  std::string next() {
    std::string text = seeds_[any_of(seeds_.size())];
    for (std::uint64_t changes = 1 + random_.below(4); changes > 0; --changes) change(text);
    return text;
  }

 private:
  std::size_t any_of(std::size_t count) { return static_cast<std::size_t>(random_.below(count)); }

  // A place in the text, including its end.
  std::size_t place(std::string_view text) { return any_of(text.size() + 1); }

  void change(std::string& text) {
    switch (random_.below(7)) {
      case 0: flip_bit(text); break;
      case 1: text.erase(place(text), length()); break;
      case 2: duplicate(text); break;
      case 3: splice(text); break;
      case 4: text.insert(place(text), 1, static_cast<char>(random_.below(256))); break;
      default: swap_number(text); break;
    }
  }

  // A random length: mostly a few bytes, sometimes several lines.
  std::size_t length() {
    return static_cast<std::size_t>(1 + random_.below(random_.below(4) == 0 ? 60 : 4));
  }

  void flip_bit(std::string& text) {
    if (text.empty()) return;
    char& byte = text[any_of(text.size())];
    byte = static_cast<char>(byte ^ (1 << random_.below(8)));
  }

  void duplicate(std::string& text) {
    std::string const piece = text.substr(place(text), length());
    text.insert(place(text), piece);
  }

  // Joins the beginning of the text and the end of another seed.
  void splice(std::string& text) {
    std::string const& other = seeds_[any_of(seeds_.size())];
    text.erase(place(text));
    text += other.substr(place(other));
  }

  // Replaces a number by another number of the text, or by an extreme value of a type.
  void swap_number(std::string& text) {
    static constexpr std::array<std::string_view, 16> edges{"0",
                                                            "1",
                                                            "2",
                                                            "-1",
                                                            "3",
                                                            "2147483645",
                                                            "2147483646",
                                                            "2147483647",
                                                            "4294967295",
                                                            "4294967297",
                                                            "9007199254740993",
                                                            "18446744073709551615",
                                                            "18446744073709551616",
                                                            "1e400",
                                                            "1e-400",
                                                            "nan"};
    std::size_t const begin = text.find_first_of(digits, place(text));
    if (begin == std::string::npos) return;
    std::size_t const end = text.find_first_not_of(digits, begin);
    std::size_t const from = text.find_first_of(digits, place(text));
    std::string other{edges[any_of(edges.size())]};
    if (from != std::string::npos && random_.below(2) == 0) {
      other = text.substr(from, text.find_first_not_of(digits, from) - from);
    }
    text.replace(begin, end == std::string::npos ? end : end - begin, other);
  }

  static constexpr std::string_view digits = "0123456789";

  std::vector<std::string> const& seeds_;
  random_source random_;
};

}  // namespace gridloom::fuzz
