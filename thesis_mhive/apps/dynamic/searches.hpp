#pragma once
// The searches of mhive-dynamic by name, and their known results.

#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "expand.hpp"
#include "quadrature.hpp"
#include "uts_tree.hpp"

namespace gridloom::mhive::dynamic {

static_assert(node_search<uts_tree> && node_search<quadrature>);

struct named_search {
  std::string_view name, what;
  std::variant<uts_tree, quadrature> search;
  /// What the authors of UTS publish for the tree.
  std::optional<totals> published{};
};

[[nodiscard]] std::span<named_search const> all_searches();

/// The result that every method must find: what is published, else that of a serial search.
[[nodiscard]] totals expected_totals(named_search const& of);

/// Throws wrong_result if `found` differs from what is expected, or if an integral is too far from
/// its known value.
void require_totals(named_search const& of, totals const& expected, totals const& found);

}  // namespace gridloom::mhive::dynamic
