#pragma once
// The experiment of mhive-rcm: one matrix ordered by several arms in turn.

#include <cstdint>
#include <string>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/bench/options.hpp"
#include "gridloom/bench/result_table.hpp"
#include "problem.hpp"
#include "start_node.hpp"

namespace gridloom::mhive::rcm {

/// All arms of this build that run on the machine, in the order in which they are listed.
[[nodiscard]] std::vector<std::string> arm_names();
[[nodiscard]] std::vector<std::string> default_arms(device const& machine);

struct request {
  std::vector<std::string> arms;
  start_options starts;
  std::string start_text;  // as it was asked for
  bool with_parts = false;
};

struct outcome {
  result_table runs;
  result_table parts;
  std::vector<std::uint32_t> order;  // reversed, of the first arm that gave one
  bool failed = false;
};

/// Runs every arm once untimed, with a check of its order by faults_of and a comparison with the
/// serial order, then the repetitions in balanced order. An arm that fails says so on stderr and in
/// its rows, and ends; the others go on. Throws usage_error for what an arm cannot take.
[[nodiscard]] outcome run_arms(device& machine, problem const& given, request const& wanted,
                               common_options const& common);

}  // namespace gridloom::mhive::rcm
