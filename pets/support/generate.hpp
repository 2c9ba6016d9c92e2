#pragma once
// Makes task graphs from specifications. Examples are "v=1000,alpha=1,beta=4,ccr=1,eta=0.5" (the
// thesis's generator, 4.1) and "fft:width=16,steps=5,ccr=2" (a generator of common/taskgraph). All
// except "topcuoglu" also take ccr, eta and w. "topcuoglu" is the example that other papers use.

#include <cstdint>
#include <string>
#include <string_view>

#include "gridloom/generator_arguments.hpp"
#include "gridloom/random.hpp"
#include "gridloom/taskgraph/graph_file.hpp"
#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

/// Makes a graph for `processors` processors; 0 means 8, or the example's number. Equal seeds give
/// equal graphs on every machine. Throws a usage_error that names the key and the expected value.
[[nodiscard]] task_graph generate(std::string_view specification, std::uint32_t processors,
                                  std::uint64_t seed);

/// The example of Topcuoglu, Hariri, Wu (2002): 10 tasks (from 0), 15 edges, 3 processors.
[[nodiscard]] task_graph topcuoglu_graph();

/// The parameters of a specification, with defaults filled in. A parameter is -1 if the kind has no
/// such key. Throws usage_error like generate() for the keys that are read.
struct graph_parameters {
  /// Random, topcuoglu, or the name of a generator of common/taskgraph.
  std::string kind;
  double v = -1;
  double alpha = -1;
  double beta = -1;
  double ccr = -1;
  double eta = -1;
  double jump = -1;
  double degree = -1;
};
[[nodiscard]] graph_parameters parameters_of(std::string_view specification);

/// The keys and their ranges for --list, one line per kind.
[[nodiscard]] std::string generator_help();

// The thesis's generator, and the memory that graphs need. Arithmetic on drawn
// numbers uses whole numbers, and real keys are first rounded to millionths. So contracted
// operations do not change a graph.

/// Throws usage_error `KIND: expected ..., got ...` if the graph would need more memory than the
/// machine has.
void require_memory(std::string_view kind, std::uint64_t tasks, std::uint64_t edges,
                    std::uint32_t processors);

/// The thesis's generator (4.1): v, alpha, beta, jump, and our bound of degrees.
[[nodiscard]] csr_graph make_random(generator_arguments const& keys, std::uint32_t processors,
                                    random_source source);

}  // namespace gridloom::pets
