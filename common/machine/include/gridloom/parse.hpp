#pragma once
// Conversion of command-line text to values. The whole text must be one value in range, without
// white space; "-1" never becomes a large unsigned number. Every usage_error reads
// `--option: expected ..., got "text"`. Callers pass `option` with its dashes.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridloom {

/// The parts of the text between commas: one more than there are commas, empty ones too.
[[nodiscard]] std::vector<std::string_view> split_at_commas(std::string_view text);

/// A decimal whole number in [min, max].
[[nodiscard]] std::int64_t parse_int(std::string_view option, std::string_view text,
                                     std::int64_t min,
                                     std::int64_t max = std::numeric_limits<std::int64_t>::max());

/// A decimal whole number from 0 to 2^64 - 1, such as a seed.
[[nodiscard]] std::uint64_t parse_unsigned(std::string_view option, std::string_view text);

/// A finite decimal number in [min, max].
[[nodiscard]] double parse_real(std::string_view option, std::string_view text, double min,
                                double max = std::numeric_limits<double>::max());

/// One of the choices. The error lists all choices.
[[nodiscard]] std::string parse_choice(std::string_view option, std::string_view text,
                                       std::span<std::string const> choices);

/// Whole numbers in [min, max] separated by commas, at least one, in the order given.
[[nodiscard]] std::vector<std::int64_t> parse_int_list(
    std::string_view option, std::string_view text, std::int64_t min,
    std::int64_t max = std::numeric_limits<std::int64_t>::max());

/// Choices separated by commas: at least one, none of them twice, in the order given.
[[nodiscard]] std::vector<std::string> parse_choice_list(std::string_view option,
                                                         std::string_view text,
                                                         std::span<std::string const> choices);

/// The words with the separator between them, for a message.
[[nodiscard]] std::string joined(std::span<std::string const> words,
                                 std::string_view separator = ", ");

/// Makes a text from outside, such as a name from a file, fit for a message: printable, and at most
/// 80 bytes. "..." replaces the rest.
[[nodiscard]] std::string shortened(std::string_view text);

/// The number with at most six digits, for a message.
[[nodiscard]] std::string shown(double number);

/// The beginning of a message about a run beyond its time limit.
[[nodiscard]] std::string timeout_text(double seconds);

/// The shortened text in quotes.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace gridloom
