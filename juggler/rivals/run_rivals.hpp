#pragma once
// Makes an executor from the name of a rival of Juggler's runtime. Functor, graph and settings are
// the same; only the way to run the tasks differs. It launches kernels, as run_runtime.hpp does.

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "juggler/ours/worker_places.hpp"
#include "juggler/rivals/rival_owners.hpp"
#include "juggler/rivals/wave_launches.hpp"
#include "juggler/run_runtime.hpp"

namespace gridloom::juggler {

/// The methods of waves.hpp, then ours/ordered_tasks.hpp. `chains` is our method, not a rival.
inline constexpr std::array<std::string_view, 7> rival_names{
    "barriers", "graph", "graph_pdl", "grid_sync", "static_lists", "ticket", "chains"};

/// Makes an executor for a graph and its application. The machine must outlive it. For the first
/// three names, settings.workers limits the blocks per wave; 0 means one block per task on a GPU.
/// Settings of queues are ignored. Throws usage_error for an unknown name or settings out of range.
/// Throws run_error if graph_pdl finds a device or code below compute capability 9.0.
template <application App>
std::unique_ptr<executor> make_rival(std::string_view name, device& machine, task_dag const& dag,
                                     std::vector<typename App::task_data> const& data,
                                     execution_settings const& settings, App const& app) {
  auto const launches = [&]<bool Overlap>(bool is_graph) {
    detail::require_in_range<wave_kernel<App, Overlap>>(settings);
    return std::make_unique<detail::wave_launches<App, Overlap>>(machine, dag, data, settings, app,
                                                                 is_graph);
  };
  auto const one = [&]<class Kernel, class Owner>(auto... more) {
    return std::make_unique<detail::resident_executor<App, Kernel, Owner, worker_places>>(
        machine, dag, data, detail::settled<Kernel>(machine, settings), app, more...);
  };
  if (name == "barriers") return launches.template operator()<false>(false);
  if (name == "graph") return launches.template operator()<false>(true);
  if (name == "graph_pdl") return launches.template operator()<true>(true);
  if (name == "grid_sync") return one.template operator()<grid_sync_kernel<App>, waves_owner>();
  auto const by_words = [&](task_dealing how) {
    return one.template operator()<ordered_kernel<App>, ordered_owner>(how);
  };
  if (name == "static_lists") return by_words(task_dealing::in_turns);
  if (name == "ticket") return by_words(task_dealing::tickets);
  if (name == "chains") return by_words(task_dealing::chains);
  throw usage_error(
      "--rival: expected barriers, graph, graph_pdl, grid_sync, static_lists, ticket or chains, "
      "got " +
      std::string(name));
}

}  // namespace gridloom::juggler
