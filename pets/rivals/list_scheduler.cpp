#include "pets/rivals/list_scheduler.hpp"

#include "pets/pets.hpp"

namespace gridloom::pets {

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
