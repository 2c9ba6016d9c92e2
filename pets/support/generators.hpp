#pragma once
// The thesis's generator behind generate.hpp, and the memory that graphs need. Arithmetic on drawn
// numbers uses whole numbers, and real keys are first rounded to millionths. So contracted
// operations do not change a graph.

#include <cstdint>
#include <string_view>

#include "gridloom/generator_arguments.hpp"
#include "gridloom/random.hpp"
#include "gridloom/taskgraph/graph_file.hpp"
#include "pets/support/task_graph.hpp"

namespace gridloom::pets {

/// Throws usage_error `KIND: expected ..., got ...` if the graph would need more memory than the
/// machine has.
void require_memory(std::string_view kind, std::uint64_t tasks, std::uint64_t edges,
                    std::uint32_t processors);

/// The thesis's generator (4.1): v, alpha, beta, jump.
[[nodiscard]] csr_graph make_random(generator_arguments const& keys, std::uint32_t processors,
                                    random_source source);

}  // namespace gridloom::pets
