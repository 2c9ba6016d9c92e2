#pragma once
// Phases (chapter 4): groups of task types that run one after the other, and again from the first,
// until no task is left. The compiler knows the phase of every task type:
//
//   using queue = phase_queue<phaseless<log>, phase<create_leg, create_tabletop>, phase<assemble>>;
//
// This gives every task type an index in the order of declaration, and every phase a range of
// indices (table 4.1). So two comparisons decide whether a task type may run now.

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "gridloom/portable.hpp"
#include "mhive/task_type.hpp"

namespace gridloom::mhive {

/// Task types that may run together.
template <class... Types>
struct phase {};

/// Task types that may run at any time.
template <class... Types>
struct phaseless {};

/// A row of table 4.1. The task types of the phase have the indices in [begin, end). The row of
/// `phaseless` has index -1.
struct phase_row {
  int index;
  int begin;
  int end;

  friend constexpr bool operator==(phase_row, phase_row) = default;
};

namespace detail {

template <class... Lists>
struct joined;
template <template <class...> class List, class... Types>
struct joined<List<Types...>> {
  using type = std::tuple<Types...>;
};
template <template <class...> class First, class... Types, template <class...> class Second,
          class... Others, class... Lists>
struct joined<First<Types...>, Second<Others...>, Lists...> {
  using type = typename joined<std::tuple<Types..., Others...>, Lists...>::type;
};

template <class List>
inline constexpr int count_of = 0;
template <template <class...> class List, class... Types>
inline constexpr int count_of<List<Types...>> = sizeof...(Types);

template <class>
inline constexpr bool is_phase = false;
template <class... Types>
inline constexpr bool is_phase<phase<Types...>> = true;
template <class>
inline constexpr bool is_phaseless = false;
template <class... Types>
inline constexpr bool is_phaseless<phaseless<Types...>> = true;

template <class Type, class Tuple>
inline constexpr int times_in = 0;
template <class Type, class... Types>
inline constexpr int times_in<Type, std::tuple<Types...>> = (0 + ... +
                                                             (std::is_same_v<Type, Types> ? 1 : 0));

template <class Tuple>
inline constexpr bool all_distinct = false;
template <class... Types>
inline constexpr bool all_distinct<std::tuple<Types...>> =
    (true && ... && (times_in<Types, std::tuple<Types...>> == 1));

template <class Type, class Tuple>
struct index_in;
template <class Type, class... Types>
struct index_in<Type, std::tuple<Types...>> {
  static constexpr int value = [] {
    int index = -1;
    int at = 0;
    ((std::is_same_v<Type, Types> ? void(index = at++) : void(++at)), ...);
    return index;
  }();
};

template <class... Lists>
inline constexpr bool has_queue_form = false;
template <class Phaseless, class... Phases>
inline constexpr bool has_queue_form<Phaseless, Phases...> = is_phaseless<Phaseless> &&
                                                             (true && ... && is_phase<Phases>);

// The requirements of a phase_queue's declaration, each with a message. A queue that violates one
// gets the members of a valid queue, so that the message is the only error.
template <class... Types>
constexpr bool type_rules_hold(std::tuple<Types...>*) {
  static_assert(sizeof...(Types) > 0, "a phase_queue needs a task type");
  static_assert(all_distinct<std::tuple<Types...>>, "a task type belongs to one phase only");
  bool const all_right[] = {true, is_task_type<Types>()...};
  for (bool const right : all_right) {
    if (!right) return false;
  }
  return sizeof...(Types) > 0 && all_distinct<std::tuple<Types...>>;
}
template <class... Lists>
constexpr bool queue_rules_hold() {
  constexpr bool has_form = has_queue_form<Lists...>;
  static_assert(has_form,
                "a phase_queue is phaseless<...> followed by phase<...>, phase<...>, ...");
  if constexpr (has_form) {
    return type_rules_hold(static_cast<typename joined<Lists...>::type*>(nullptr));
  } else {
    return false;
  }
}

template <bool RulesHold, class... Lists>
struct queue_members;
template <class Phaseless, class... Phases>
struct queue_members<true, Phaseless, Phases...> {
  /// All task types in the order of their indices.
  using types = typename joined<Phaseless, Phases...>::type;

  static constexpr int num_types = std::tuple_size_v<types>;
  static constexpr int num_phaseless = count_of<Phaseless>;
  static constexpr int num_phases = sizeof...(Phases);

  template <class Type>
  static constexpr bool contains = times_in<Type, types> == 1;

  template <class Type>
  GRIDLOOM_FN static constexpr int index_of() {
    static_assert(contains<Type>, "this task type is not declared in the phase_queue");
    return contains<Type> ? index_in<Type, types>::value : 0;
  }

  /// Index of the first task type of phase P. If P is the number of phases, this is the number of
  /// task types.
  template <int P>
  static constexpr int begin_of = [] {
    int const counts[] = {num_phaseless, count_of<Phases>...};
    int begin = 0;
    for (int p = 0; p <= P; ++p) begin += counts[p];
    return begin;
  }();

  /// Table 4.1, with the row of `phaseless` first.
  static constexpr std::array<phase_row, num_phases + 1> table() {
    return []<int... P>(std::integer_sequence<int, P...>) {
      return std::array<phase_row, num_phases + 1>{phase_row{-1, 0, num_phaseless},
                                                   phase_row{P, begin_of<P>, begin_of<P + 1>}...};
    }
    (std::make_integer_sequence<int, num_phases>{});
  }

  /// Phase of the task type with this index; -1 for a phaseless type.
  GRIDLOOM_FN static constexpr int phase_of(int type_index) {
    return phase_of(type_index, std::make_integer_sequence<int, num_phases>{});
  }

  /// Number of threads of the largest worker.
  static constexpr int largest_worker = []<class... Types>(std::tuple<Types...>*) {
    int largest = 1;
    ((largest = Types::worker_size > largest ? Types::worker_size : largest), ...);
    return largest;
  }(static_cast<types*>(nullptr));
  static constexpr int smallest_worker = []<class... Types>(std::tuple<Types...>*) {
    return std::min({int{Types::worker_size}...});
  }(static_cast<types*>(nullptr));
  /// The largest demand of a type, for kernels of all types.
  static constexpr int resident_threads = []<class... Types>(std::tuple<Types...>*) {
    return std::max({0, mhive::resident_threads<Types>...});
  }(static_cast<types*>(nullptr));

 private:
  template <int... P>
  GRIDLOOM_FN static constexpr int phase_of([[maybe_unused]] int type_index,
                                            std::integer_sequence<int, P...>) {
    int found = -1;
    ((type_index >= begin_of<P> && type_index < begin_of<P + 1> ? void(found = P) : void()), ...);
    return found;
  }
};

struct stand_in_task {
  using work_item = int;
  static constexpr int worker_size = 1;
  template <class Context>
  GRIDLOOM_FN static void execute(Context&, int) {}
};
template <class... Lists>
struct queue_members<false, Lists...> : queue_members<true, phaseless<stand_in_task>> {
  template <class Type>
  static constexpr bool contains = true;
  template <class Type>
  GRIDLOOM_FN static constexpr int index_of() {
    return 0;
  }
};

}  // namespace detail

/// The declaration of a program's queues: `phaseless<...>` first, then the phases in order.
template <class... Lists>
struct phase_queue : detail::queue_members<detail::queue_rules_hold<Lists...>(), Lists...> {};

}  // namespace gridloom::mhive
