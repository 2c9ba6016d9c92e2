#pragma once
// The rivals of Juggler's runtime as methods. Functor, graph and settings are the same; only the
// way to run the tasks differs. Settings of queues are ignored. make() throws usage_error for
// settings out of range. The file launches kernels, as run_runtime.hpp does.

#include <memory>
#include <string_view>
#include <vector>

#include "juggler/method_list.hpp"
#include "juggler/ours/worker_places.hpp"
#include "juggler/rivals/rival_owners.hpp"
#include "juggler/rivals/wave_launches.hpp"
#include "juggler/run_runtime.hpp"

namespace gridloom::juggler {
namespace rival {

/// One launch per wave, or a CUDA graph of these launches. settings.workers limits the blocks per
/// wave; 0 means one block per task on a GPU. With `Overlap`, throws run_error for a device or code
/// below compute capability 9.0.
template <bool IsGraph, bool Overlap = false>
struct by_launches {
  template <application App>
  static std::unique_ptr<executor> make(device& machine, task_dag const& dag,
                                        std::vector<typename App::task_data> const& data,
                                        execution_settings const& settings, App const& app) {
    require_in_range(settings, wave_kernel<App, Overlap>::max_threads);
    return std::make_unique<detail::wave_launches<App, Overlap>>(machine, dag, data, settings, app,
                                                                 IsGraph);
  }
};
struct barriers : by_launches<false> {
  static constexpr std::string_view name = "barriers";
};
struct graph : by_launches<true> {
  static constexpr std::string_view name = "graph";
};
struct graph_pdl : by_launches<true, true> {
  static constexpr std::string_view name = "graph_pdl";
};

struct grid_sync {
  static constexpr std::string_view name = "grid_sync";

  template <application App>
  static std::unique_ptr<executor> make(device& machine, task_dag const& dag,
                                        std::vector<typename App::task_data> const& data,
                                        execution_settings const& settings, App const& app) {
    using kernel = grid_sync_kernel<App>;
    return std::make_unique<detail::resident_executor<App, kernel, waves_owner, worker_places>>(
        machine, dag, data, settled<kernel>(machine, settings), app);
  }
};

/// Methods of ours/ordered_tasks.hpp.
template <task_dealing How>
struct by_lists {
  template <application App>
  static std::unique_ptr<executor> make(device& machine, task_dag const& dag,
                                        std::vector<typename App::task_data> const& data,
                                        execution_settings const& settings, App const& app) {
    using kernel = ordered_kernel<App>;
    return std::make_unique<detail::resident_executor<App, kernel, ordered_owner, worker_places>>(
        machine, dag, data, settled<kernel>(machine, settings), app, How);
  }
};
struct static_lists : by_lists<task_dealing::in_turns> {
  static constexpr std::string_view name = "static_lists";
};
struct ticket : by_lists<task_dealing::tickets> {
  static constexpr std::string_view name = "ticket";
};
/// Our method, not a rival.
struct chains : by_lists<task_dealing::chains> {
  static constexpr std::string_view name = "chains";
};

}  // namespace rival

using rivals = method_list<rival::barriers, rival::graph, rival::graph_pdl, rival::grid_sync,
                           rival::static_lists, rival::ticket, rival::chains>;

}  // namespace gridloom::juggler
