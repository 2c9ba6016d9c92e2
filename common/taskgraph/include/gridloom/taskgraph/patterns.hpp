#pragma once
// The task graph patterns of Task Bench, with which run-time systems are compared. A graph has
// steps of at most `width` tasks, and each edge goes from one step to the next.
//
// Slaughter et al.: "Task Bench: A Parameterized Benchmark for Evaluating Parallel Runtime
// Performance", SC 2020. The dependences are those of its program (core/core.cc of
// github.com/StanfordLegion/task-bench). The place of a task counts from 0 in its step. A task at
// place p depends on these places of the step before, where they have a task:
//
//   trivial              none
//   no_comm              p
//   stencil_1d           p - 1, p, p + 1
//   stencil_1d_periodic  the same modulo width
//   sweep                p - 1, p ("dom" in Task Bench)
//   fft                  p - d, p, p + d, where d = 1, 2, 4, ... below width, and then 1 again
//   tree                 p / 2
//   all_to_all           all
//   nearest              p - radix / 2 to p + (radix - 1) / 2
//   spread               p, and p + i * width / radix + step % period modulo width for each i from
//                        1 to radix - 1
//   random_nearest       p, and each other place of `nearest` with probability `fraction`; repeated
//                        after `period` steps
//
// All steps have `width` tasks, except in two patterns. Step s of a tree has min(width, 2^s) tasks. A
// sweep starts and ends with one task, and its steps grow and shrink by one task. If it has fewer
// than 2 * width - 1 steps, no step has `width` tasks, and some tasks of later steps depend on no
// other. Any width is valid: fft and tree leave out places from `width` on.
//
// Departures from Task Bench: random_nearest draws other numbers, from `seed`. A place that a
// formula names twice counts once. spread uses at most width for radix and at most
// ceil(width / radix) for period, which Task Bench refuses to exceed. fft of width 1 is a chain.

#include <cstdint>
#include <string_view>
#include <vector>

#include "gridloom/taskgraph/graph_file.hpp"

namespace gridloom {

/// Parameters of single patterns, with the defaults of Task Bench.
struct pattern_parameters {
  /// Number of dependences of one task in nearest, spread and random_nearest, at least 1.
  std::uint64_t radix = 3;
  /// Number of steps after which spread and random_nearest repeat, at least 1.
  std::uint64_t period = 3;
  /// Probability of a dependence in random_nearest, from 0 to 1.
  double fraction = 0.25;
};

/// The names of all patterns.
[[nodiscard]] std::vector<std::string_view> pattern_names();

/// Makes the pattern of this name. Task numbers ascend from step to step and by place in a step;
/// the successors of a task ascend. `width` and `steps` are at least 1, and their product is at most
/// most_tasks. Only random_nearest uses the seed. Throws usage_error naming all patterns if the name
/// is unknown, or naming the values out of range. Cost: linear in tasks and edges, one thread.
[[nodiscard]] csr_graph make_pattern(std::string_view name, std::uint64_t width,
                                     std::uint64_t steps, std::uint64_t seed = 1,
                                     pattern_parameters const& parameters = {});

}  // namespace gridloom
