#include "wavefront/support/scheduler.hpp"

#include "gridloom/taskgraph/cluster.hpp"

namespace gridloom::wavefront {

namespace {

std::unique_ptr<body_executor> make_any_in_order(scheduler_setup const& setup) {
  return setup.config.wide_results ? make_in_order_wide(setup) : make_in_order(setup);
}

algorithm_info by_levels(std::string_view name, std::string_view about, level_end end) {
  bool const one_kernel = end == level_end::grid_barrier || end == level_end::cluster_barrier;
  bool const in_cluster = end == level_end::cluster_barrier;
  return {.name = name,
          .about = about,
          .on_host = one_kernel,
          .lanes = true,
          .blocks = true,
          .needs = in_cluster || end == level_end::graph_pdl ? 90 : 80,
          .one_cluster = in_cluster,
          .by_levels = end,
          .make = make_waves};
}

}  // namespace

std::vector<algorithm_info> const& algorithms() {
  static std::vector<algorithm_info> const all{
      {.name = "scanning",
       .about = "paper III.A: workers rescan the dependency matrix",
       .blocks = true,
       .published = published_method::scanning,
       .make = make_published},
      {.name = "single_queue",
       .about = "paper III.B: one stack of ready tasks under one lock",
       .blocks = true,
       .published = published_method::single_queue,
       .make = make_published},
      {.name = "multi_queue",
       .about = "paper III.C: several locked stacks, tasks spread by a hash",
       .blocks = true,
       .published = published_method::multi_queue,
       .make = make_published},
      {.name = "ticket_queue",
       .about = "ours: a bounded ring of ready tasks; each warp takes tickets and continues with "
                "tasks that it freed",
       .lanes = true,
       .blocks = true,
       .has_ring = true,
       .make = make_ticket_queue},
      {.name = "in_order",
       .about = "ours: tasks in topological order, dealt to warps in turn; warps wait for results "
                "of predecessors",
       .lanes = true,
       .blocks = true,
       .in_order = true,
       .looks_ahead = true,
       .make = make_any_in_order},
      {.name = "in_order_ticket",
       .about = "ours: as in_order, but warps take tasks with one atomic addition per round",
       .lanes = true,
       .blocks = true,
       .in_order = true,
       .by_tickets = true,
       .make = make_any_in_order},
      {.name = "in_order_cluster",
       .about =
           "ours: as in_order, on one thread block cluster; results pass through shared memory",
       .lanes = true,
       .wide_results = false,
       .in_order = true,
       .one_cluster = true,
       .make = make_in_order_cluster},
      {.name = "stripes",
       .about = "ours, lattices only: one warp per band of rows, one progress word per band",
       .lattice_only = true,
       .lanes = true,
       .make = make_stripes},
      by_levels("waves_stream", "rival: one kernel launch per level", level_end::launch),
      by_levels("waves_graph", "rival: the kernels of waves_stream as one CUDA graph",
                level_end::graph),
      by_levels("waves_graph_pdl", "rival: waves_graph with programmatic dependent launch",
                level_end::graph_pdl),
      by_levels("waves_barrier",
                "rival: one persistent kernel with one barrier per level, of the grid or of a "
                "single block",
                level_end::grid_barrier),
      by_levels("waves_cluster",
                "rival: as waves_barrier, on one thread block cluster with its own barrier",
                level_end::cluster_barrier),
      {.name = "serial",
       .about = "rival: a loop over the tasks on one thread",
       .on_cuda = false,
       .lanes = true,
       .observable = false,
       .one_thread = true,
       .make = make_serial},
      {.name = "omp_tasks",
       .about = "rival: OpenMP tasks with depend clauses",
       .on_cuda = false,
       .lanes = true,
       .blocks = true,
       .observable = false,
       .make = make_omp_tasks},
      {.name = "omp_tiles",
       .about = "rival: OpenMP tasks with depend clauses, one per tile of tasks",
       .on_cuda = false,
       .lanes = true,
       .observable = false,
       .tiled = true,
       .make = make_omp_tiles},
  };
  return all;
}

algorithm_info const& find_algorithm(std::string_view name) {
  std::string names;
  for (auto const& info : algorithms()) {
    if (info.name == name) return info;
    names += (names.empty() ? "" : ", ") + std::string(info.name);
  }
  throw usage_error("--algorithm: there is no \"" + std::string(name) + "\"; there are " + names);
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
  auto const& info = *config.algorithm;
  auto const refuse = [&](std::string const& why) {
    throw usage_error(std::string(info.name) + ": " + why);
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
  if (info.many_queues() && (config.queues < 1 || config.queues > config.blocks)) {
    refuse("--queues: expected 1 to " + std::to_string(config.blocks) +
           " queues (at most one per block), got " + std::to_string(config.queues));
  }
  if (info.one_thread && config.blocks != 1)
    refuse("--workers: expected 1, got " + std::to_string(config.blocks));
  if (config.wide_results && !info.wide_results)
    refuse("--body wide: expected results of 4 bytes; use another body");
  if (config.tile < 1) refuse("--tiles: expected at least 1, got 0");
  bool const whole_warps = info.lattice_only || (info.in_order && config.width == task_width::lane);
  if (whole_warps && config.threads > 32 && config.threads % 32 != 0) {
    refuse("--threads, --block-sizes: expected at most 32 threads or a multiple of 32, got " +
           std::to_string(config.threads));
  }
  if (info.in_order && config.width == task_width::lane && config.threads > most_in_order_lanes) {
    refuse("--threads, --block-sizes: expected at most " + std::to_string(most_in_order_lanes) +
           " threads, got " + std::to_string(config.threads));
  }
  if (info.one_cluster) {
    std::string const why = why_no_cluster(machine, config.blocks);
    if (!why.empty()) refuse(why);
  }
  // In a ring of one slot, "filled" and "free for the next lap" are the same sequence number.
  if (config.ring_slots == 1 || (config.ring_slots & (config.ring_slots - 1)) != 0) {
    refuse("--ring-slots: expected a power of two from 2, or 0, got " +
           std::to_string(config.ring_slots));
  }
}

std::unique_ptr<body_executor> make_scheduler(scheduler_setup const& setup) {
  require_fit(setup.machine.properties(), setup.graph.is_lattice(), setup.config);
  return setup.config.algorithm->make(setup);
}

}  // namespace gridloom::wavefront
