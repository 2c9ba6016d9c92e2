#pragma once
// Task types: what a user of MHive writes. A task is a work item and the code for it.

#include <concepts>
#include <string_view>
#include <type_traits>

#include "gridloom/backend/types.hpp"

namespace gridloom::mhive {

/// A task type is a struct with
///
/// - `work_item`: the input of one task, trivially copyable;
/// - `worker_size`: threads that execute one task together, a power of two from 1 to 1024 (on the
///   host a worker is one thread whatever it says);
/// - `template <class Context> GRIDLOOM_FN static void execute(Context& context, work_item
/// const&)`,
///   called by all threads of the worker (see context.hpp for what the context offers);
/// - optionally `scratch`: shared memory of one worker, a struct that is not initialised;
/// - optionally `name`: for messages and plots.
template <class Type>
concept task_type = requires {
  typename Type::work_item;
  { Type::worker_size } -> std::convertible_to<int>;
}
&&std::is_trivially_copyable_v<typename Type::work_item>&& Type::worker_size >= 1 &&
    Type::worker_size <= 1024 && (Type::worker_size & (Type::worker_size - 1)) == 0;

namespace detail {

template <class Type>
struct scratch_of {
  using type = no_scratch;
};
template <class Type>
requires requires { typename Type::scratch; }
struct scratch_of<Type> {
  using type = typename Type::scratch;
};

}  // namespace detail

template <task_type Type>
using scratch_of_t = typename detail::scratch_of<Type>::type;

/// The task type's name, "task type 3" where it has none.
template <task_type Type>
constexpr std::string_view name_of() {
  if constexpr (requires { Type::name; }) {
    return Type::name;
  } else {
    return {};
  }
}

}  // namespace gridloom::mhive
