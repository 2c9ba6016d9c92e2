// Runs with individual dependencies.

#include "program_runner.hpp"

namespace gridloom::mhive::generic {

std::unique_ptr<tree_runner> make_individual_runner(device& machine, tree_run const& run) {
  return std::make_unique<program_runner<individual_queue>>(machine, run, dependencies::individual,
                                                            &size_rank);
}

}  // namespace gridloom::mhive::generic
