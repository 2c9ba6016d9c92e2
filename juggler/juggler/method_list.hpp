#pragma once
// Ways to run a task graph. Each is a struct that has its name, and a template make() that returns
// an executor. A list of them makes the one that a user names.

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "juggler/dag.hpp"
#include "juggler/executor.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler {

template <class... Methods>
struct method_list {
  static constexpr std::array<std::string_view, sizeof...(Methods)> names{Methods::name...};

  /// Makes the executor of the method `name`. The machine must outlive it. Throws usage_error if no
  /// method has this name, or if the settings are out of range.
  template <application App>
  static std::unique_ptr<executor> make(std::string_view name, device& machine, task_dag const& dag,
                                        std::vector<typename App::task_data> const& data,
                                        execution_settings const& settings, App const& app) {
    std::unique_ptr<executor> made;
    if (((name == Methods::name && (made = Methods::make(machine, dag, data, settings, app))) ||
         ...))
      return made;
    throw usage_error("expected one of " + joined(std::array{std::string(Methods::name)...}) +
                      ", got " + std::string(name));
  }
};

/// A list of both lists' methods, for decltype.
template <class... First, class... Second>
method_list<First..., Second...> operator+(method_list<First...>, method_list<Second...>);

}  // namespace gridloom::juggler
