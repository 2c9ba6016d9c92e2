#include "gridloom/generator_arguments.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"

namespace gridloom {
namespace {

// The pairs of "a=1,b=2". A pair without '=' is a key with a missing value.
std::vector<std::pair<std::string_view, std::string_view>> pairs_of(std::string_view text) {
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  for (std::string_view const pair : split_at_commas(text)) {
    std::size_t const equals = pair.find('=');
    // The null pointer distinguishes a missing value from an empty one.
    pairs.emplace_back(pair.substr(0, equals), equals == std::string_view::npos
                                                   ? std::string_view{}
                                                   : pair.substr(equals + 1));
  }
  return pairs;
}

}  // namespace

generator_arguments::generator_arguments(std::string_view generator, std::string_view defaults,
                                         std::string_view fixed, std::string_view given)
    : generator_{generator} {
  std::string names;
  if (!defaults.empty()) {
    for (auto const& [key, value] : pairs_of(defaults)) {
      items_.push_back({std::string{key}, std::string{value}});
      names += (names.empty() ? "" : ", ") + items_.back().key;
    }
  }
  std::size_t const settable = items_.size();
  if (!given.empty()) {
    for (auto const& [key, value] : pairs_of(given)) {
      if (value.data() == nullptr) {
        throw usage_error(generator_ + ": expected KEY=VALUE, got " + in_quotes(key));
      }
      item const* const found = find(key);
      if (found == nullptr) {
        throw usage_error(generator_ + ": expected one of the keys " + names + ", got " +
                          in_quotes(key));
      }
      if (found->is_given) {
        throw usage_error(place(key) + ": expected once, got " + in_quotes(given));
      }
      items_[static_cast<std::size_t>(found - items_.data())] = {found->key, std::string{value},
                                                                 true};
    }
  }
  // The default of a key may be the name of another key.
  for (std::size_t i = 0; i < settable; ++i) {
    if (items_[i].is_given) continue;
    for (std::size_t k = 0; k < i; ++k) {
      if (items_[i].text == items_[k].key) items_[i].text = items_[k].text;
    }
  }
  if (fixed.empty()) return;
  for (auto const& [key, value] : pairs_of(fixed)) {
    items_.push_back({std::string{key}, std::string{value}, true});
  }
}

std::string generator_arguments::place(std::string_view key) const {
  return generator_ + ": " + std::string{key};
}

generator_arguments::item const* generator_arguments::find(std::string_view key) const {
  auto const found =
      std::find_if(items_.begin(), items_.end(), [key](item const& i) { return i.key == key; });
  return found == items_.end() ? nullptr : &*found;
}

std::string const& generator_arguments::text_of(std::string_view key) const {
  item const* const found = find(key);
  if (found == nullptr) throw std::invalid_argument(place(key) + ": not a key of the generator");
  return found->text;
}

std::uint64_t generator_arguments::whole(std::string_view key, std::uint64_t min,
                                         std::uint64_t max) const {
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::uint64_t>(parse_int(place(key), text_of(key),
                                              static_cast<std::int64_t>(std::min(min, largest)),
                                              static_cast<std::int64_t>(std::min(max, largest))));
}

std::uint64_t generator_arguments::word(std::string_view key) const {
  return parse_unsigned(place(key), text_of(key));
}

double generator_arguments::real(std::string_view key, double min, double max) const {
  return parse_real(place(key), text_of(key), min, max);
}

std::uint64_t generator_arguments::choice(std::string_view key,
                                          std::span<std::uint64_t const> choices) const {
  std::vector<std::string> texts;
  for (std::uint64_t const choice : choices) texts.push_back(std::to_string(choice));
  std::string const chosen = parse_choice(place(key), text_of(key), texts);
  return choices[static_cast<std::size_t>(std::find(texts.begin(), texts.end(), chosen) -
                                          texts.begin())];
}

bool generator_arguments::is_given(std::string_view key) const {
  item const* const found = find(key);
  return found != nullptr && found->is_given;
}

void generator_arguments::refuse(std::string_view key, std::string const& expected) const {
  throw usage_error(place(key) + ": expected " + expected + ", got " + in_quotes(text_of(key)));
}

}  // namespace gridloom
