// Parses the text of a specification, and bounds the memory that its graph needs.

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "support/generators.hpp"

namespace gridloom::pets {

generator_keys::generator_keys(std::string_view kind, std::vector<std::string_view> known,
                               std::string_view given)
    : kind_{kind} {
  for (std::string_view const item : split_at_commas(given)) {
    std::size_t const equals = item.find('=');
    if (equals == std::string_view::npos) {
      throw usage_error(kind_ + ": expected KEY=VALUE, got " + in_quotes(item));
    }
    std::string_view const key = item.substr(0, equals);
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      std::string names;
      for (std::string_view const name : known) {
        names += (names.empty() ? "" : ", ") + std::string{name};
      }
      throw usage_error(kind_ + ": expected one of the keys " + names + ", got " + in_quotes(key));
    }
    if (find(key)) throw usage_error(place(key) + ": expected once, got " + in_quotes(given));
    items_.emplace_back(key, item.substr(equals + 1));
  }
}

std::string generator_keys::place(std::string_view key) const {
  return kind_ + ": " + std::string{key};
}

std::optional<std::string_view> generator_keys::find(std::string_view key) const {
  for (auto const& [name, text] : items_) {
    if (name == key) return text;
  }
  return {};
}

std::uint64_t generator_keys::whole(std::string_view key, std::uint64_t min, std::uint64_t max,
                                    std::optional<std::uint64_t> fallback) const {
  std::optional<std::string_view> const text = find(key);
  if (!text && fallback) return *fallback;
  if (!text) {
    throw usage_error(place(key) + ": expected a whole number from " + std::to_string(min) +
                      " to " + std::to_string(max) + ", got no such key");
  }
  return static_cast<std::uint64_t>(
      parse_int(place(key), *text, static_cast<std::int64_t>(min), static_cast<std::int64_t>(max)));
}

double generator_keys::real(std::string_view key, double min, double max, double fallback) const {
  std::optional<std::string_view> const text = find(key);
  return text ? parse_real(place(key), *text, min, max) : fallback;
}

std::uint64_t generator_keys::millionths(std::string_view key, double min, double max,
                                         double fallback) const {
  return static_cast<std::uint64_t>(std::round(real(key, min, max, fallback) * 1e6));
}

void generator_keys::refuse(std::string_view key, std::string const& expected) const {
  throw usage_error(place(key) + ": expected " + expected + ", got " +
                    in_quotes(find(key).value_or("")));
}

void require_memory(std::string_view kind, std::uint64_t tasks, std::uint64_t edges,
                    std::uint32_t processors, bool named) {
  // Per task: costs, offsets of two adjacencies and of the structure, levels, scratch. A name of
  // more than 15 letters takes heap memory. Per edge: neighbour and weight, three times.
  double const per_task = 8.0 * processors + 40 + (named ? 64 : 0);
  double const per_edge = 36;
  double const needed =
      per_task * static_cast<double>(tasks) + per_edge * static_cast<double>(edges);
  long const pages = sysconf(_SC_PHYS_PAGES);
  long const page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return;
  double const present = static_cast<double>(pages) * static_cast<double>(page_bytes);
  if (needed <= present) return;
  char text[96];
  std::snprintf(text, sizeof text, ": expected to need at most %.1f GiB of memory, got %.1f GiB",
                present * 0x1p-30, needed * 0x1p-30);
  throw usage_error(std::string{kind} + text);
}

}  // namespace gridloom::pets
