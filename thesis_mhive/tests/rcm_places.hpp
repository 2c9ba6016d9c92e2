#pragma once
// The machines and numbers of workers with which orderings are tested.

#include <vector>

#include "test_machines.hpp"

namespace gridloom::test {

/// A machine and a number of workers; 0 means as many as fit. Schedulers choose their own block
/// sizes. So one launch shape of a GPU is enough, with all workers and with few.
struct rcm_place {
  device* machine;
  int workers;
};
inline std::vector<rcm_place> rcm_places(bool few_on_gpu) {
  std::vector<rcm_place> result;
  for (auto const& on : test_machines()) {
    if (!on.machine->is_host() && on.shape.threads != 256) continue;
    if (few_on_gpu || on.machine->is_host()) result.push_back({on.machine, on.shape.blocks});
    if (!on.machine->is_host()) result.push_back({on.machine, 0});
  }
  return result;
}

/// Runs the body in each place. The message of a failed check names the place.
template <class Body>
void in_each(std::vector<rcm_place> const& places, Body&& body) {
  for (rcm_place const& in : places) {
    BOOST_TEST_CONTEXT(in.machine->properties().backend << ", " << in.workers << " workers") {
      body(in);
    }
  }
}

}  // namespace gridloom::test
