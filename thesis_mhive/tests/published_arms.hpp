#pragma once
// The orderings of chapter 7.3 for tests: the published program under each scheduler, the CPU-GPU
// version, and cuSOLVER if the build has it.

#include <functional>
#include <string>
#include <vector>

#include "published/level_sorter.hpp"
#include "published/mhive_arm.hpp"
#include "thesis_mhive/rivals/rcm/cusolver.hpp"

namespace gridloom::mhive::rcm {

inline std::vector<std::string> const scheduler_names{"time_sliced", "megakernel",
                                                      "device_controller", "resident_controller"};

struct published_arm {
  std::string name;
  std::function<std::unique_ptr<order_arm>(arm_setup const&)> make;
};

inline std::vector<published_arm> published_arms() {
  std::vector<published_arm> all{{"cpu_gpu", make_cpu_gpu_arm}};
  for (std::string const& scheduler : scheduler_names)
    all.push_back({scheduler, [scheduler](arm_setup const& setup) {
                     return make_mhive_arm(setup, scheduler);
                   }});
  if (has_cusolver()) all.push_back({"cusolver", make_cusolver_arm});
  return all;
}

}  // namespace gridloom::mhive::rcm
