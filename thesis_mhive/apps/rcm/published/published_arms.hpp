#pragma once
// The versions of chapter 7.3 as arms: the published program under each scheduler, the CPU-GPU
// version, and the baseline of the thesis.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arm.hpp"

namespace gridloom::mhive::rcm {

[[nodiscard]] std::vector<start_node> find_starts_on_host(device_graph const& graph,
                                                          start_options const& options);

/// Returns the names tsk, mk, pdc (the schedulers of the thesis), resident, cpu_gpu and cusolver.
[[nodiscard]] std::vector<std::string> published_arm_names();

/// Whether this build has the arm. Only cusolver needs CUDA.
[[nodiscard]] bool has_published_arm(std::string_view name);

/// Makes an arm by its name. The first four use `search`, cpu_gpu searches on the host, and
/// cuSOLVER has its own search. Throws std::invalid_argument for an unknown name. Throws
/// unsupported for an arm that this build lacks, or that cannot take the graph.
[[nodiscard]] std::unique_ptr<order_arm> make_published_arm(
    std::string_view name, arm_setup const& setup, start_search search = find_starts_on_host);

/// Returns the peak memory of the published program by Eq. 8.2.
[[nodiscard]] constexpr std::uint64_t bytes_by_equation_8_2(std::uint64_t vertices,
                                                            std::uint64_t entries) {
  return 48'000'000 + 8 * entries + 28 * vertices;
}

}  // namespace gridloom::mhive::rcm
