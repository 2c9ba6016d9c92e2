#include "pets/list_scheduler.hpp"

#include "pets/priorities.hpp"

namespace gridloom::pets {

schedule pets(task_graph const& graph, policy how) {
  return select_processors(graph, order_of(graph, priorities_of(graph)), how);
}

std::span<list_scheduler const> list_schedulers() {
  static constexpr list_scheduler all[] = {
      {"pets_insertion", pets, policy::insertion},
      {"pets_append", pets, policy::append},
      {"pets_literal", pets, policy::literal},
      {"heft_insertion", heft, policy::insertion},
      {"heft_append", heft, policy::append},
      {"cpop_insertion", cpop, policy::insertion},
      {"cpop_append", cpop, policy::append},
      {"peft_insertion", peft, policy::insertion},
      {"lookahead_insertion", lookahead_heft, policy::insertion},
  };
  return all;
}

}  // namespace gridloom::pets
