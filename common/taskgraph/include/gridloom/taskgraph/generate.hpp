#pragma once
// Task graphs from a line of text, such as "fft:width=1000,steps=100" or
// "random:tasks=1000,degree=4,window=100,seed=3". The same text gives the same graph on every
// machine: all random numbers come from random_source.
//
// A specification is NAME or NAME:KEY=VALUE,... The patterns of Task Bench (patterns.hpp) have
// their names. Every generator also takes `seed` and two ways of renumbering the tasks: `shuffle=1`
// numbers them at random, and `levels=1` numbers them level by level. Without shuffle=1, edges go
// from smaller to larger numbers.

#include <string>
#include <string_view>
#include <vector>

#include "gridloom/taskgraph/graph_file.hpp"

namespace gridloom {

/// Makes a graph. The successors of a task ascend. Throws usage_error that names the generator, the
/// key and what was expected. Cost: linear in tasks and edges, one thread.
[[nodiscard]] csr_graph generate_graph(std::string_view specification);

/// All generators with their keys and defaults, for --list.
[[nodiscard]] std::string list_graph_generators();

}  // namespace gridloom
