#include "searches.hpp"

#include <array>
#include <bit>
#include <cmath>

#include "gridloom/error.hpp"
#include "gridloom/generator_arguments.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::mhive::dynamic {
namespace {

using arguments = generator_arguments;
using made = std::variant<uts_tree, quadrature>;

std::uint32_t whole(arguments const& given, std::string_view key, std::uint32_t min,
                    std::uint32_t max) {
  return static_cast<std::uint32_t>(given.whole(key, min, max));
}
std::uint32_t seed_of(arguments const& given) { return whole(given, "seed", 0, 0x7fffffffU); }

made make_geometric(arguments const& given) {
  return uts_tree::geometric(given.real("branching", 0.01, 20), whole(given, "depth", 0, 1000),
                             seed_of(given));
}
made make_binomial(arguments const& given) {
  std::uint32_t const inner = whole(given, "inner", 1, uts_tree::most_children);
  double const probability = given.real("probability", 0, 1);
  if (probability * inner >= 1) {
    given.refuse("probability", "less than 1 / inner, as the tree is infinite else");
  }
  return uts_tree::binomial_of(whole(given, "root", 0, 1U << 20U), probability, inner,
                               seed_of(given));
}
double tolerance_of(arguments const& given) { return given.real("tolerance", 1e-12, 1); }
made make_root(arguments const& given) { return quadrature{0, tolerance_of(given)}; }
made make_peaks(arguments const& given) {
  std::uint32_t const peaks = whole(given, "peaks", 1, 1U << 20U);
  if (!std::has_single_bit(peaks)) given.refuse("peaks", "a power of two");
  auto const per_peak = static_cast<std::uint32_t>(std::countr_zero(peaks)) + 2;
  return quadrature{peaks, tolerance_of(given), per_peak};
}

struct generator {
  std::string_view name;
  /// Keys with their defaults; see generator_arguments.
  std::string_view keys;
  made (*make)(arguments const&);
  std::string_view what;
};
constexpr std::array generators{
    generator{"geometric", "branching=4,depth=10,seed=19", make_geometric,
              "UTS: nodes above `depth` have `branching` children on average (fixed shape)"},
    generator{"binomial", "root=2000,probability=0.124875,inner=8,seed=42", make_binomial,
              "UTS: a node has `inner` children or none, the root `root` children"},
    generator{"square-root", "tolerance=1e-9", make_root,
              "adaptive quadrature of the square root on [0, 1]"},
    generator{"peaks", "peaks=1024,tolerance=1e-9", make_peaks,
              "adaptive quadrature of a function with `peaks` narrow peaks"}};

struct known_tree {
  std::string_view name, specification;
  totals published;
};
constexpr std::array known_trees{
    known_tree{"T1", "geometric:branching=4,depth=10,seed=19", {4'130'071, 3'305'118, 10}},
    known_tree{"T1L", "geometric:branching=4,depth=13,seed=29", {102'181'082, 81'746'377, 13}},
    known_tree{"T3",
               "binomial:root=2000,probability=0.124875,inner=8,seed=42",
               {4'112'897, 3'599'034, 1572}}};

made make(std::string_view specification) {
  auto const colon = specification.find(':');
  std::string_view const name = specification.substr(0, colon);
  std::vector<std::string> names;
  for (known_tree const& tree : known_trees) names.emplace_back(tree.name);
  for (generator const& one : generators) names.emplace_back(one.name);
  for (generator const& one : generators) {
    if (one.name != name) continue;
    if (colon + 1 == specification.size())
      throw usage_error(std::string(name) + ": expected KEY=VALUE, got \"\"");
    return one.make(arguments(name, one.keys, "",
                              colon == specification.npos ? "" : specification.substr(colon + 1)));
  }
  throw usage_error("expected one of " + joined(names) + ", got " + in_quotes(name));
}

}  // namespace

named_search find_search(std::string_view option, std::string const& specification) {
  try {
    for (known_tree const& tree : known_trees) {
      if (tree.name == specification)
        return {specification, make(tree.specification), tree.published};
    }
    return {specification, make(specification)};
  } catch (usage_error const& error) {
    throw usage_error(std::string(option) + ": " + error.what());
  }
}

std::string list_searches() {
  std::string text;
  for (known_tree const& tree : known_trees)
    text.append(tree.name).append("\n    ").append(tree.specification).append("\n");
  for (generator const& one : generators)
    text.append(one.name).append(":").append(one.keys).append("\n    ").append(one.what).append(
        "\n");
  return text;
}

totals expected_totals(named_search const& of) {
  if (of.published) return *of.published;
  return std::visit([](auto const& search) { return search_serially(search); }, of.what);
}

void require_totals(named_search const& of, totals const& expected, totals const& found) {
  auto const require = [](char const* what, std::uint64_t wanted, std::uint64_t got) {
    if (wanted == got) return;
    throw wrong_result(std::string(what) + ": expected " + std::to_string(wanted) + ", got " +
                       std::to_string(got));
  };
  require("nodes", expected.nodes, found.nodes);
  require("sum of the leaves' values", expected.sum, found.sum);
  require("depth", expected.deepest, found.deepest);
  if (auto const* const integral = std::get_if<quadrature>(&of.what)) {
    double const value = static_cast<double>(static_cast<std::int64_t>(found.sum)) / integral->unit;
    // Beside the estimated errors, each leaf is rounded to a whole multiple of 1 / unit, and the
    // known value has an error of its own.
    double const allowed =
        integral->tolerance + static_cast<double>(found.nodes) / integral->unit + 1e-14;
    if (std::abs(value - integral->exact()) <= allowed) return;
    throw wrong_result("integral: expected " + shown(integral->exact()) + ", got an error of " +
                       shown(value - integral->exact()));
  }
}

}  // namespace gridloom::mhive::dynamic
