#include "searches.hpp"

#include <cmath>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::mhive::dynamic {

std::span<named_search const> all_searches() {
  static named_search const all[] = {
      {"T1", "UTS: -t 1 -a 3 -d 10 -b 4 -r 19", uts_tree::geometric(4, 10, 19),
       totals{4'130'071, 3'305'118, 10}},
      {"T1L", "UTS: -t 1 -a 3 -d 13 -b 4 -r 29", uts_tree::geometric(4, 13, 29),
       totals{102'181'082, 81'746'377, 13}},
      {"T3", "UTS: -t 0 -b 2000 -q 0.124875 -m 8 -r 42",
       uts_tree::binomial_of(2000, 0.124875, 8, 42), totals{4'112'897, 3'599'034, 1572}},
      {"small", "UTS: -t 1 -a 3 -d 7 -b 4 -r 19", uts_tree::geometric(4, 7, 19)},
      {"square-root", "adaptive quadrature of a function that is singular at one end",
       quadrature{0, 1e-12}},
      {"peaks", "adaptive quadrature of a function with 1,024 narrow peaks", quadrature{11, 1e-10}},
      {"one-peak", "adaptive quadrature of a function with one of them", quadrature{1, 1e-10}}};
  return all;
}

totals expected_totals(named_search const& of) {
  if (of.published) return *of.published;
  return std::visit([](auto const& search) { return search_serially(search); }, of.search);
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
  auto const* const integral = std::get_if<quadrature>(&of.search);
  if (integral == nullptr) return;
  double const value = static_cast<double>(static_cast<std::int64_t>(found.sum)) / integral->unit;
  // Beside the estimated errors, each leaf is rounded to a whole multiple of 1 / unit, and the known
  // value has an error of its own.
  double const allowed =
      integral->tolerance + static_cast<double>(found.nodes) / integral->unit + 1e-14;
  if (std::abs(value - integral->exact()) <= allowed) return;
  throw wrong_result("integral: expected " + shown(integral->exact()) + ", got an error of " +
                     shown(value - integral->exact()));
}

}  // namespace gridloom::mhive::dynamic
