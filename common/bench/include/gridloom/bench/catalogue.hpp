#pragma once
// Functions for the table of a program's methods. Each entry is a struct with a `name`, a
// description `what`, other facts, and a factory. --help, --list and the check of names use it.

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::bench {

/// The names of a table's entries, in order.
template <class Entry>
[[nodiscard]] std::vector<std::string> names_of(std::span<Entry const> entries) {
  std::vector<std::string> names;
  for (Entry const& one : entries) names.emplace_back(one.name);
  return names;
}

/// One line per entry for --list: its name and description.
template <class Entry>
[[nodiscard]] std::string list_of(std::span<Entry const> entries) {
  std::string text;
  for (Entry const& one : entries) {
    text += std::string(one.name) + ": " + std::string(one.what) + "\n";
  }
  return text;
}

/// The entry with this name. Throws usage_error "option: expected one of ..., got ...".
template <class Entry>
[[nodiscard]] Entry const& named(std::span<Entry const> entries, std::string_view name,
                                 std::string_view option) {
  auto const found = std::find_if(entries.begin(), entries.end(),
                                  [&](Entry const& one) { return one.name == name; });
  if (found != entries.end()) return *found;
  throw usage_error(std::string(option) + ": expected one of " + joined(names_of(entries)) +
                    ", got \"" + std::string(name) + "\"");
}

}  // namespace gridloom::bench
