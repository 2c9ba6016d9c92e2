#pragma once
// Plans of PETS and HEFT. The header launches kernels (gridloom_kernel_sources).

#include "pets/ours/plan_executor.hpp"
#include "pets/pets.hpp"
#include "schedulers/scheduler.hpp"

namespace gridloom::schedulers {

namespace detail {

template <auto Plan, block_tasks Tasks>
std::unique_ptr<executor> make_plan(device& machine, csr_graph const& graph, Tasks const& tasks,
                                    executor_settings const& settings) {
  using namespace gridloom::pets;
  return make_plan_executor({"", Plan, policy::insertion}, {}, machine, graph, tasks, settings);
}

}  // namespace detail

template <block_tasks Tasks>
std::vector<scheduler<Tasks>> pets_plans() {
  return {{.name = "pets-plan",
           .about = "one list per worker: a schedule of PETS, which knows the durations",
           .by = origin::ours,
           .make = detail::make_plan<gridloom::pets::pets, Tasks>},
          {.name = "heft-plan",
           .about = "one list per worker: a schedule of HEFT, which knows the durations",
           .by = origin::ours,
           .make = detail::make_plan<gridloom::pets::heft, Tasks>}};
}

}  // namespace gridloom::schedulers
