// Runs with phases. Two sources let the two kinds of dependencies compile in parallel.

#include "program_runner.hpp"

namespace gridloom::mhive::generic {

std::unique_ptr<tree_runner> make_phases_runner(device& machine, tree_run const& run) {
  require_phases(*run.tree);
  return std::make_unique<program_runner<phases_queue>>(machine, run, dependencies::phases,
                                                        &phase_type);
}

}  // namespace gridloom::mhive::generic
