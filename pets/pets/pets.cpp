#include "pets/pets.hpp"

#include "pets/priorities.hpp"

namespace gridloom::pets {

schedule pets(task_graph const& graph, policy how) {
  return select_processors(graph, order_of(graph, priorities_of(graph)), how);
}

}  // namespace gridloom::pets
