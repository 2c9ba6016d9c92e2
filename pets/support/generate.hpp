#pragma once
// Task graphs by specification, such as "v=1000,alpha=1,beta=4,ccr=1,eta=0.5" (the thesis's
// generator, 4.1), "gauss:m=10", "fft:m=16" or "cholesky:t=8", each with ccr, eta and w besides;
// and "topcuoglu", the example that others compare with.

#include <cstdint>
#include <string>
#include <string_view>

#include "support/task_graph.hpp"

namespace gridloom::pets {

/// Makes the graph for that many processors, 0 for 8 or those of the example; the same for the same
/// seed on every machine. Throws usage_error that names the key and what was expected.
[[nodiscard]] task_graph generate(std::string_view specification, std::uint32_t processors,
                                  std::uint64_t seed);

/// The example of Topcuoglu, Hariri, Wu (2002): 10 tasks, 15 edges, 3 processors; numbers from 0.
[[nodiscard]] task_graph topcuoglu_graph();

/// What a specification asks for, with defaults filled in; -1 where its kind has no such key.
/// Throws usage_error like generate, on what it looks at.
struct graph_parameters {
  /// Random, gauss, fft, cholesky or topcuoglu.
  std::string kind;
  double v = -1;
  double alpha = -1;
  double beta = -1;
  double ccr = -1;
  double eta = -1;
  double jump = -1;
};
[[nodiscard]] graph_parameters parameters_of(std::string_view specification);

/// The keys and their ranges, one kind a line, for --list.
[[nodiscard]] std::string generator_help();

}  // namespace gridloom::pets
