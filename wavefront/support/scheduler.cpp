#include "support/scheduler.hpp"

#include "support/cluster.hpp"

namespace gridloom::wavefront {

std::vector<algorithm_info> const& algorithms() {
  static std::vector<algorithm_info> const all{
      {"scanning", "paper III.A: workers rescan the dependency matrix", true, true, false, false,
       true},
      {"single_queue", "paper III.B: one stack under one lock", true, true, false, false, true},
      {"multi_queue", "paper III.C: several locked stacks, tasks spread by a hash", true, true,
       false, false, true},
      {"ticket_queue", "ours: warp-wide tickets on a bounded ring, tasks continued in place", true,
       true, false, true, true},
      {"in_order", "ours: tasks in a topological order, dealt to the warps in turn; results polled",
       true, true, false, true, true},
      {"in_order_ticket", "ours: like in_order, but warps draw rounds by an atomic addition", true,
       true, false, true, true},
      {"in_order_cluster",
       "ours: like in_order, on one thread block cluster; results go through shared memory", true,
       true, false, true, false, true, 80, false},
      {"stripes", "ours, lattices only: one band of rows and one progress word per warp", true,
       true, true, true, false},
      {"waves_stream", "rival: one kernel launch per level", false, true, false, true, true},
      {"waves_graph", "rival: a CUDA graph with one kernel per level", false, true, false, true,
       true},
      {"waves_graph_pdl", "rival: that CUDA graph with programmatic dependent launch", false, true,
       false, true, true, true, 90},
      {"waves_barrier", "rival: one persistent kernel, one barrier per level", true, true, false,
       true, true},
      {"waves_cluster",
       "rival: one persistent kernel on one thread block cluster, one barrier per level", true,
       true, false, true, true, true, 90},
      {"serial", "rival: a loop over the tasks, one thread", true, false, false, true, false,
       false},
      {"omp_tasks", "rival: one OpenMP task with depend per task", true, false, false, true, true,
       false},
      {"omp_tiles", "rival: one OpenMP task with depend per tile of tasks", true, false, false,
       true, false, false},
  };
  return all;
}

algorithm_info const& find_algorithm(std::string const& name) {
  std::string names;
  for (auto const& info : algorithms()) {
    if (info.name == name) return info;
    names += (names.empty() ? "" : ", ") + std::string(info.name);
  }
  throw usage_error("--algorithm: there is no \"" + name + "\"; there are " + names);
}

std::string why_not_on(device_properties const& machine, algorithm_info const& info) {
  bool const host = machine.backend == "host";
  if (host ? !info.on_host : !info.on_cuda) {
    return "does not run on the " + machine.backend + " backend";
  }
  if (host || machine.compute_capability >= info.needs) return {};
  auto const version = [](int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
  };
  return "needs compute capability " + version(info.needs) + ", " + machine.name + " has " +
         version(machine.compute_capability);
}

void require_fit(device_properties const& machine, bool on_lattice, configuration const& config) {
  auto const& info = find_algorithm(config.algorithm);
  auto const refuse = [&](std::string const& why) {
    throw usage_error(config.algorithm + ": " + why);
  };
  std::string const why_not = why_not_on(machine, info);
  if (!why_not.empty()) refuse(why_not);
  if (info.lattice_only && !on_lattice) refuse("runs on lattices only, not on a graph from a file");
  if (config.width == task_width::lane && !info.lanes)
    refuse("needs a whole block per task; use --width block");
  if (config.width == task_width::block && !info.blocks)
    refuse("needs one thread per task; use --width lane");
  if (machine.backend == "host" && config.blocks > host_backend::max_workers) {
    refuse("--workers: expected at most " + std::to_string(host_backend::max_workers) +
           " on the host, got " + std::to_string(config.blocks));
  }
  if (config.algorithm == "multi_queue" && (config.queues < 1 || config.queues > config.blocks)) {
    refuse("expected 1 to " + std::to_string(config.blocks) +
           " queues (at most one per block), got " + std::to_string(config.queues));
  }
  if (config.algorithm == "serial" && config.blocks != 1)
    refuse("--workers: expected 1, got " + std::to_string(config.blocks));
  if (config.wide_results && !info.wide_results)
    refuse("--body wide: its rings hold results of 4 bytes only; use another body");
  if (config.tile < 1) refuse("--tiles: expected at least 1, got 0");
  bool const whole_warps = config.algorithm == "stripes" ||
                           (is_in_order(config.algorithm) && config.width == task_width::lane);
  if (whole_warps && config.threads > 32 && config.threads % 32 != 0) {
    refuse("--threads, --block-sizes: expected at most 32 threads or a multiple of 32, got " +
           std::to_string(config.threads));
  }
  if (is_in_order(config.algorithm) && config.width == task_width::lane &&
      config.threads > most_in_order_lanes) {
    refuse("--threads, --block-sizes: expected at most " + std::to_string(most_in_order_lanes) +
           " threads, got " + std::to_string(config.threads));
  }
  if (is_one_cluster(config.algorithm)) {
    std::string const why = why_no_cluster(machine, config.blocks);
    if (!why.empty()) refuse(why);
  }
  // In a ring of one slot, "filled" and "free for the next lap" are the same sequence number.
  if (config.ring_slots == 1 || (config.ring_slots & (config.ring_slots - 1)) != 0) {
    refuse("--ring-slots: expected a power of two from 2, or 0, got " +
           std::to_string(config.ring_slots));
  }
}

std::unique_ptr<scheduler> make_scheduler(scheduler_setup const& setup) {
  require_fit(setup.machine.properties(), setup.graph.is_lattice(), setup.config);
  auto const& name = setup.config.algorithm;
  if (name == "scanning") return make_scanning(setup);
  if (name == "single_queue") return make_single_queue(setup);
  if (name == "multi_queue") return make_multi_queue(setup);
  if (name == "ticket_queue") return make_ticket_queue(setup);
  if (name == "in_order_cluster") return make_in_order_cluster(setup);
  if (is_in_order(name)) {
    bool const wide = setup.config.wide_results && setup.config.width == task_width::lane;
    return wide ? make_in_order_wide(setup) : make_in_order(setup);
  }
  if (name == "stripes") return make_stripes(setup);
  if (name == "omp_tasks") return make_omp_tasks(setup);
  if (name == "omp_tiles") return make_omp_tiles(setup);
  if (name == "serial") return make_serial(setup);
  return make_waves(setup);
}

}  // namespace gridloom::wavefront
