// Parses speeds, bandwidths and latencies of processors from texts and files.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>

#include "gridloom/error.hpp"
#include "gridloom/files/input_file.hpp"
#include "gridloom/parse.hpp"
#include "pets/support/platform.hpp"

namespace gridloom::pets {
namespace {

constexpr std::uint64_t million = 1'000'000;
constexpr std::uint64_t most_whole = 10'000'000;
constexpr std::uint64_t most_latency = 1'000'000'000'000;

using reader = std::optional<std::uint64_t> (*)(std::string_view);

std::optional<std::uint64_t> digits(std::string_view text, std::uint64_t most) {
  std::uint64_t value = 0;
  for (char const c : text) {
    if (c < '0' || c > '9') return {};
    value = 10 * value + static_cast<std::uint64_t>(c - '0');
    if (value > most) return {};
  }
  return text.empty() ? std::nullopt : std::optional(value);
}

// Parses a number such as "12.5" into millionths.
std::optional<std::uint64_t> millionths(std::string_view text) {
  std::size_t const point = std::min(text.find('.'), text.size());
  auto const whole = digits(text.substr(0, point), most_whole);
  std::uint64_t part = 0;
  if (point < text.size()) {
    std::string behind(text.substr(point + 1));
    if (behind.empty() || behind.size() > 6) return {};
    behind.resize(6, '0');
    auto const read = digits(behind, million);
    if (!read) return {};
    part = *read;
  }
  if (!whole || *whole * million + part > most_whole * million) return {};
  return *whole * million + part;
}
std::optional<std::uint64_t> positive_millionths(std::string_view text) {
  auto const value = millionths(text);
  return value && *value != 0 ? value : std::nullopt;
}
std::optional<std::uint64_t> microseconds(std::string_view text) {
  return digits(text, most_latency);
}

[[noreturn]] void refuse(std::string const& place, std::string const& what, std::string_view got) {
  throw usage_error(place + ": expected " + what + ", got " + in_quotes(got));
}

// Calls take() for each word between commas or white space. A comma without a word on one side
// gives an empty word.
template <class Take>
void for_each_word(std::string_view text, Take&& take) {
  auto const is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  // Whether there was a word since the last comma.
  bool word_before = false;
  bool comma_last = false;
  for (std::size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      ++at;
    } else if (text[at] == ',') {
      if (!word_before) take(std::string_view{});
      word_before = false;
      comma_last = true;
      ++at;
    } else {
      std::size_t end = at;
      while (end < text.size() && text[end] != ',' && !is_space(text[end])) ++end;
      take(text.substr(at, end - at));
      word_before = true;
      comma_last = false;
      at = end;
    }
  }
  if (comma_last) take(std::string_view{});
}

std::string contents_of(std::string const& option, std::string const& file,
                        std::string const& what) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) refuse(option, what + " or a file of them", file);
  auto const bytes = read_file(file);
  return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

// Reads a square matrix of numbers. The diagonal is ignored, so it may contain any words.
std::vector<std::uint64_t> read_pairs(std::string const& option, std::string const& file,
                                      std::string const& what, reader read) {
  std::string const text = contents_of(option, file, what);
  std::vector<std::uint64_t> numbers;
  std::vector<std::size_t> widths;
  std::size_t line = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const end = std::min(text.find('\n', at), text.size());
    std::size_t width = 0;
    ++line;
    for_each_word(std::string_view(text).substr(at, end - at), [&](std::string_view word) {
      auto const value = read(word);
      bool const diagonal = width++ == widths.size();
      if (!value && !diagonal) refuse(file + ":" + std::to_string(line), what, word);
      numbers.push_back(value.value_or(0));
    });
    if (width != 0) widths.push_back(width);
    at = end + 1;
  }
  std::size_t const rows = widths.size();
  for (std::size_t const width : widths) {
    if (width == rows) continue;
    throw usage_error(file + ": expected as many numbers per row as rows, " + std::to_string(rows) +
                      ", got " + std::to_string(width));
  }
  if (rows < 2 || rows > most_processors) {
    throw usage_error(file + ": expected 2 to " + std::to_string(most_processors) + " rows, got " +
                      std::to_string(rows));
  }
  return numbers;
}

std::string const speeds_text = "speeds above 0 and up to 10000000, with at most 6 decimals";
std::string const bandwidth_text = "MB/s above 0 and up to 10000000, with at most 6 decimals";
std::string const latency_text = "whole microseconds up to 1000000000000";

}  // namespace

std::vector<std::uint64_t> parse_speeds(std::string const& text) {
  bool const is_list = text.find_first_not_of("0123456789.,") == std::string::npos;
  std::string const list = is_list ? text : contents_of("--speeds", text, speeds_text);
  std::vector<std::uint64_t> speeds;
  for_each_word(list, [&](std::string_view word) {
    auto const speed = positive_millionths(word);
    if (!speed) refuse(is_list ? "--speeds" : text, speeds_text, word);
    speeds.push_back(*speed);
  });
  if (speeds.empty() || speeds.size() > most_processors) {
    throw usage_error((is_list ? "--speeds" : text) + ": expected 1 to " +
                      std::to_string(most_processors) + " speeds, got " +
                      std::to_string(speeds.size()));
  }
  return speeds;
}

std::vector<std::uint64_t> parse_bandwidth(std::string const& text) {
  if (auto const value = positive_millionths(text)) return {*value};
  return read_pairs("--bandwidth", text, bandwidth_text, positive_millionths);
}

std::vector<std::uint64_t> parse_latency(std::string const& text) {
  if (auto const value = microseconds(text)) return {*value};
  return read_pairs("--latency", text, latency_text, microseconds);
}

}  // namespace gridloom::pets
