#pragma once
// Converts a task type's index to its C++ type, and loops over all task types.

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "mhive/phases.hpp"

namespace gridloom::mhive {

/// Carries a task type as a value.
template <class Type>
struct type_tag {
  using type = Type;
};

namespace detail {

// Halves the types in each step. A comparison with each type in turn would lead through the code of
// all types, which fills the instruction cache.
template <class Queue, int Begin, int End, class Body>
GRIDLOOM_FN void with_type_of(int index, Body& body) {
  if constexpr (End - Begin == 1) {
    body(type_tag<std::tuple_element_t<Begin, typename Queue::types>>{});
  } else {
    constexpr int middle = Begin + (End - Begin) / 2;
    if (index < middle) {
      with_type_of<Queue, Begin, middle>(index, body);
    } else {
      with_type_of<Queue, middle, End>(index, body);
    }
  }
}

}  // namespace detail

/// Calls body(type_tag<Type>{}) for the task type with this index. For workers and the host.
template <class Queue, class Body>
GRIDLOOM_FN void with_type(int index, Body&& body) {
  if (index < 0 || index >= Queue::num_types) return;
  detail::with_type_of<Queue, 0, Queue::num_types>(index, body);
}

/// Calls body(type_tag<Type>{}) for all task types in the order of their indices. For host code.
template <class Queue, class Body>
void for_each_type(Body&& body) {
  [&]<class... Types>(std::type_identity<std::tuple<Types...>>) {
    (body(type_tag<Types>{}), ...);
  }(std::type_identity<typename Queue::types>{});
}

/// Returns the task type's name for messages; "task type 3", for example, if it has no name.
template <class Queue, class Type>
std::string display_name() {
  auto const name = name_of<Type>();
  return name.empty() ? "task type " + std::to_string(Queue::template index_of<Type>())
                      : std::string{name};
}

}  // namespace gridloom::mhive
