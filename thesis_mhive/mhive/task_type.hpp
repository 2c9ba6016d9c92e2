#pragma once
// Task types, which a user of MHive writes (chapter 3.1). A task is a work item and the code for
// it.

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "gridloom/backend/types.hpp"

namespace gridloom::mhive {

namespace detail {

template <class Type>
concept declares_task = requires {
  typename Type::work_item;
  { Type::worker_size } -> std::convertible_to<int>;
};
template <class Type>
concept has_plain_item =
    declares_task<Type> && std::is_trivially_copyable_v<typename Type::work_item> &&
    std::is_default_constructible_v<typename Type::work_item>;
template <class Type>
concept has_worker = declares_task<Type> && Type::worker_size >= 1 && Type::worker_size <= 1024 &&
                     (Type::worker_size & (Type::worker_size - 1)) == 0;

template <class Type>
constexpr bool has_plain_scratch() {
  if constexpr (requires { typename Type::scratch; }) {
    return std::is_trivially_default_constructible_v<typename Type::scratch>;
  }
  return true;
}
template <class Type>
constexpr bool has_right_policy() {
  if constexpr (requires { typename Type::insert_policy; }) {
    return requires(typename Type::work_item const& item) {
      std::uint32_t{Type::insert_policy::start(item, 0U)};
    };
  }
  return true;
}

}  // namespace detail

/// A task type is a struct with
///
/// - `work_item`: the input of one task, trivially copyable and default constructible;
/// - `worker_size`: number of threads that execute one task together, a power of two from 1 to 1024
///   (on the host a worker is always one thread);
/// - a static member template `execute(Context& context, work_item const& item)`, called by all
///   threads of the worker (see context.hpp for what the context offers);
/// - optionally `scratch`: shared memory of one worker, a struct that is not initialised;
/// - optionally `insert_policy`: its tasks may wait for dependencies (insert_policy.hpp);
/// - optionally `static constexpr bool clearable = true`: context.clear may drop its tasks;
/// - optionally `static constexpr bool grouped = true`: its tasks may wait in groups
///   (dependency.hpp);
/// - optionally `static constexpr int resident_threads`: number of threads per multiprocessor for
///   which kernels of the type must leave registers;
/// - optionally `name`: for messages and plots.
template <class Type>
concept task_type = detail::has_plain_item<Type> && detail::has_worker<Type>;

namespace detail {

/// The concept's requirements as messages, which a phase_queue prints for a type that is no task
/// type. It is a function, because compilers still use the result of a function after a failed
/// assertion, but abandon a class.
template <class Type>
constexpr bool is_task_type() {
  static_assert(declares_task<Type>, "a task type has a work_item and a worker_size");
  static_assert(!declares_task<Type> || has_plain_item<Type>,
                "a work item is trivially copyable and default constructible");
  static_assert(!declares_task<Type> || has_worker<Type>,
                "worker_size is a power of two from 1 to 1024");
  static_assert(has_plain_scratch<Type>(),
                "scratch is trivially default constructible: shared memory is not initialised");
  static_assert(has_right_policy<Type>(),
                "an insert_policy has a static function start(item, salt) that returns a slot");
  return task_type<Type> && has_plain_scratch<Type>() && has_right_policy<Type>();
}

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

/// Whether context.clear may drop the type's tasks. Each such task costs one more load.
template <class Type>
inline constexpr bool is_clearable = false;
template <class Type>
requires requires { Type::clearable; }
inline constexpr bool is_clearable<Type> = Type::clearable;

/// Whether the type's tasks may wait in groups. Each task of such a type costs one more load.
template <class Type>
inline constexpr bool is_grouped = false;
template <class Type>
requires requires { Type::grouped; }
inline constexpr bool is_grouped<Type> = Type::grouped;

/// 0: the compiler decides.
template <class Type>
inline constexpr int resident_threads = 0;
template <class Type>
requires requires { Type::resident_threads; }
inline constexpr int resident_threads<Type> = Type::resident_threads;

/// Returns the task type's name, or an empty text.
template <task_type Type>
constexpr std::string_view name_of() {
  if constexpr (requires { Type::name; }) {
    return Type::name;
  } else {
    return {};
  }
}

}  // namespace gridloom::mhive
