#pragma once
// The keys of a generator, as in the specification "lattice:rows=100,cols=200".

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridloom {

/// Values of the keys of one generator. Errors read `GENERATOR: KEY: expected ..., got "text"`.
class generator_arguments {
 public:
  /// The largest number of tasks of a graph, or rows of a matrix.
  static constexpr std::uint64_t most = (std::uint64_t{1} << 31U) - 2;

  /// `defaults`, such as "nx=100,ny=nx", has the keys, each with a number or an earlier key, or
  /// without a value if it must be given. `fixed` has the same form for keys that the user cannot
  /// set. `given` is the user's text. Throws usage_error for unknown and repeated keys.
  generator_arguments(std::string_view generator, std::string_view defaults, std::string_view fixed,
                      std::string_view given);

  [[nodiscard]] std::string const& generator() const { return generator_; }
  [[nodiscard]] std::uint64_t whole(std::string_view key, std::uint64_t min,
                                    std::uint64_t max = most) const;
  /// Any unsigned 64-bit number.
  [[nodiscard]] std::uint64_t word(std::string_view key) const;
  [[nodiscard]] double real(std::string_view key, double min, double max) const;
  [[nodiscard]] std::uint64_t choice(std::string_view key,
                                     std::span<std::uint64_t const> choices) const;
  [[nodiscard]] bool is_given(std::string_view key) const;

  /// Throws usage_error `GENERATOR: KEY: expected EXPECTED, got "text"`.
  [[noreturn]] void refuse(std::string_view key, std::string const& expected) const;

 private:
  struct item {
    std::string key;
    std::string text;
    bool is_given = false;
  };
  /// Returns null if there is no such key.
  [[nodiscard]] item const* find(std::string_view key) const;
  [[nodiscard]] std::string const& text_of(std::string_view key) const;
  [[nodiscard]] std::string place(std::string_view key) const;

  std::string generator_;
  std::vector<item> items_;
};

}  // namespace gridloom
