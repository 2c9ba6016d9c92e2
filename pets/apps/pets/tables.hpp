#pragma once
// The tables of the program's results.

#include "gridloom/bench/result_table.hpp"

namespace gridloom::pets {

/// A row a graph, algorithm, implementation and repetition.
[[nodiscard]] result_table runs_table();
/// A row a graph.
[[nodiscard]] result_table graphs_table();
/// The machine's own bandwidth, a row a repetition.
[[nodiscard]] result_table memory_table();
/// A row a task of each graph and algorithm.
[[nodiscard]] result_table schedules_table();

}  // namespace gridloom::pets
