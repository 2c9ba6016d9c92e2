#pragma once
// Shared code for tests of graphs: edges as pairs, and messages.

#include <string>
#include <utility>
#include <vector>

#include "juggler/app_context.hpp"
#include "test_support.hpp"

namespace gridloom::juggler::test {

/// A task without data of its own.
struct nothing {};
using context = app_context<nothing>;

using edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The edges of a graph, sorted by source and then by target.
inline edges edges_of(task_dag const& dag) {
  edges all;
  for (std::uint32_t task = 0; task < dag.tasks(); ++task) {
    for (std::uint32_t const child : dag.children.of(task)) all.emplace_back(task, child);
  }
  return all;
}

inline edges edges_of(context& program) {
  program.build_csr();
  return edges_of(program.dag());
}

inline std::string refused(std::function<void()> const& what) {
  return gridloom::test::message_of<usage_error>(what);
}

}  // namespace gridloom::juggler::test
