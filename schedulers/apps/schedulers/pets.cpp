// One source per artifact, so that they compile at the same time.

#include "schedulers/pets.hpp"

#include "apps/schedulers/all.hpp"

namespace gridloom::schedulers {

std::vector<synthetic_scheduler> synthetic_pets() { return pets_plans<synthetic_graph_ref>(); }

}  // namespace gridloom::schedulers
