#pragma once
// The published program of chapter 7.3 as an arm, under each scheduler.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "arm.hpp"

namespace gridloom::mhive::rcm {

[[nodiscard]] std::vector<start_node> find_starts_on_host(device_graph const& graph,
                                                          start_options const& options);

/// Makes the published program (7.3.2) under a scheduler. `scheduler` is the scheduler's name.
/// `merge_narrow_levels`: one task orders narrow levels, which goes beyond the thesis.
[[nodiscard]] std::unique_ptr<order_arm> make_mhive_arm(arm_setup const& setup,
                                                        std::string_view scheduler,
                                                        start_search search = find_starts_on_host,
                                                        bool merge_narrow_levels = false);

/// Returns the peak memory of the published program by Eq. 8.2.
[[nodiscard]] constexpr std::uint64_t bytes_by_equation_8_2(std::uint64_t vertices,
                                                            std::uint64_t entries) {
  return 48'000'000 + 8 * entries + 28 * vertices;
}

}  // namespace gridloom::mhive::rcm
