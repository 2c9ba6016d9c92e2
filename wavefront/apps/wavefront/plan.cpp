// Which arms an experiment has. Sizes and counts for a GPU are the paper's where it gives them;
// those for the host are chosen so that an experiment takes a minute or two on two cores.

#include "plan.hpp"

#include <algorithm>

#include "gridloom/error.hpp"

namespace gridloom::wavefront {

namespace {

/// Grids chosen on the hardware named. --workers and --threads override those of custom
/// arms.
struct tuning {
  static constexpr int paper_blocks = 220;  // K20X, as published
  static constexpr int paper_threads = 32;
  // One H200 (132 multiprocessors): blocks a multiprocessor and threads a block.
  static constexpr int ticket_blocks_per_sm = 1;
  static constexpr int ticket_threads =
      96;  // three warps: 12,672 lanes for the 10,000 rows of the paper's lattice
  static constexpr int stripe_threads = 96;
  static constexpr int in_order_blocks_per_sm = 1;
  static constexpr int wave_blocks_per_sm = 1;
  static constexpr int wave_threads = 256;
  static constexpr int multi_blocks_per_sm = 32;
  static constexpr int block_width_blocks_per_sm = 4;
};

class planner {
 public:
  planner(request const& wanted, common_options const& common, device_properties const& machine)
      : wanted_(wanted), common_(common), machine_(machine), host_(machine.backend == "host") {}

  arm make(std::string experiment, std::string const& algorithm, task_width width) const {
    arm result;
    result.experiment = std::move(experiment);
    result.label = algorithm;
    result.config.algorithm = algorithm;
    result.config.width = width;
    result.config.publish_every = static_cast<std::uint32_t>(wanted_.publish_every);
    result.config.ring_slots = static_cast<std::uint32_t>(wanted_.ring_slots);
    default_grid(result.config);
    result.config.queues = result.config.blocks;
    result.counters = wanted_.counters;
    if (is_in_order(algorithm)) set_numbering(result);
    if (wanted_.fences == "one" && algorithm == "ticket_queue") {
      result.config.orders_memory = false;
      result.label += " one fence";
    }
    return result;
  }

  void set_grid(configuration& config, int blocks, int threads) const {
    config.blocks = host_ && blocks > host_workers() ? host_workers() : blocks;
    config.threads = host_ ? 1 : threads;
    config.queues = config.blocks;
  }

  void set_numbering(arm& a) const {
    auto const place =
        std::find(task_numbering_names.begin(), task_numbering_names.end(), wanted_.numbering);
    a.config.numbering = static_cast<task_numbering>(place - task_numbering_names.begin());
    if (a.config.numbering != task_numbering::automatic) a.label += " " + wanted_.numbering;
  }

  void set_queues(arm& a, std::int64_t share, std::string const& hash) const {
    a.config.queues = static_cast<int>(a.config.blocks * share / 100);
    if (a.config.queues < 1) {
      throw usage_error("--queues: " + std::to_string(share) + " % of " +
                        std::to_string(a.config.blocks) + " workers is no queue");
    }
    auto const place = std::find(task_hash_names.begin(), task_hash_names.end(), hash);
    a.config.hash = static_cast<task_hash>(place - task_hash_names.begin());
    a.label += " " + hash + " " + std::to_string(share) + "%";
  }

  bool runs_here(std::string const& algorithm) const {
    return why_not_on(machine_, find_algorithm(algorithm)).empty();
  }
  task_width width_of(std::string const& algorithm) const {
    if (wanted_.width == "lane") return task_width::lane;
    if (wanted_.width == "block") return task_width::block;
    return find_algorithm(algorithm).lanes ? task_width::lane : task_width::block;
  }

  std::vector<arm_group> custom() const {
    arm_group group{wanted_.size, wanted_.graph_file, {}};
    for (auto const& algorithm : wanted_.algorithms) {
      find_algorithm(algorithm);
      for (std::int64_t const work_ns : wanted_.work_ns) {
        auto add = [&](arm a) {
          a.work_ns = work_ns;
          a.body = wanted_.body == "recurrence" ? body_kind::recurrence
                   : work_ns > 0                ? body_kind::work
                                                : body_kind::noop;
          if (work_ns > 0) a.label += " " + std::to_string(work_ns) + " ns";
          group.arms.push_back(std::move(a));
        };
        arm const base = make("custom", algorithm, width_of(algorithm));
        if (algorithm != "multi_queue") {
          add(base);
          continue;
        }
        for (auto const& hash : wanted_.hashes) {
          for (std::int64_t const share : wanted_.queue_shares) {
            arm a = base;
            set_queues(a, share, hash);
            add(a);
          }
        }
      }
    }
    return {group};
  }

  /// The paper's Fig. 3 on its lattice, with what came after beside it.
  arm_group fig3(lattice_size size, bool all_arms) const {
    arm_group group{size, "", {}};
    auto const add = [&](arm a) {
      a.counters = true;
      group.arms.push_back(std::move(a));
    };
    for (auto const* algorithm : {"scanning", "single_queue"}) {
      arm a = make("fig3", algorithm, task_width::block);
      set_grid(a.config, tuning::paper_blocks, tuning::paper_threads);
      add(a);
    }
    for (auto const* hash : {"a", "b"}) {
      for (std::int64_t const share : {100, 50, 25}) {
        arm a = make("fig3", "multi_queue", task_width::block);
        set_grid(a.config, tuning::paper_blocks, tuning::paper_threads);
        if (a.config.blocks * share < 100) continue;
        set_queues(a, share, hash);
        add(a);
      }
    }
    if (all_arms && !host_) {
      // The same algorithm with the blocks that this GPU has room for, and the paper's future work:
      // other hashes.
      for (auto const* hash : {"a", "b", "mix", "row"}) {
        arm a = make("fig3", "multi_queue", task_width::block);
        set_grid(a.config, tuning::multi_blocks_per_sm * machine_.multiprocessors,
                 tuning::paper_threads);
        set_queues(a, 100, hash);
        a.label += " " + std::to_string(a.config.blocks) + " blocks";
        add(a);
      }
    }
    for (auto const* algorithm :
         {"ticket_queue", "in_order", "in_order_ticket", "stripes", "waves_stream", "waves_graph",
          "waves_graph_pdl", "waves_barrier", "omp_tasks"}) {
      if (!runs_here(algorithm)) continue;
      arm a = make("fig3", algorithm, task_width::lane);
      add(a);
      group.arms.back().counters =
          !std::string(algorithm).starts_with("waves_") && algorithm != std::string("omp_tasks");
      if (!host_ && algorithm == std::string("ticket_queue")) {
        arm one = a;  // right for tasks that exchange nothing through memory, as no-ops do
        one.config.orders_memory = false;
        one.label += " one fence";
        group.arms.push_back(one);
      }
      if (!host_ || all_arms) {
        // No-op tasks show synchronisation alone; the same arms with results passed through memory
        // keep them honest.
        a.body = body_kind::recurrence;
        a.label += " recurrence";
        group.arms.push_back(a);
      }
    }
    return group;
  }

  std::vector<arm_group> scaling() const {
    std::vector<arm_group> groups;
    std::vector<std::string> const algorithms{"multi_queue", "ticket_queue", "stripes"};
    auto const with_grid = [&](std::string const& algorithm, int blocks) {
      arm a = make("scaling", algorithm, width_of(algorithm));
      set_grid(a.config, blocks,
               algorithm == "multi_queue" ? tuning::paper_threads : a.config.threads);
      if (algorithm == "multi_queue") set_queues(a, 100, "b");
      return a;
    };
    // Throughput against blocks.
    std::int64_t const side = host_ ? 1000 : 10000;
    arm_group by_blocks{{side, side, 1}, "", {}};
    for (auto const& algorithm : algorithms) {
      for (int const blocks : host_ ? std::vector<int>{1, 2} : cuda_blocks(algorithm)) {
        if (host_ && blocks > host_workers()) continue;
        by_blocks.arms.push_back(with_grid(algorithm, blocks));
      }
    }
    groups.push_back(by_blocks);
    // Throughput against the size of the lattice.
    for (std::int64_t const n : host_ ? std::vector<std::int64_t>{100, 300}
                                      : std::vector<std::int64_t>{100, 300, 1000, 3000, 20000}) {
      arm_group by_size{{n, n, 1}, "", {}};
      for (auto const& algorithm : algorithms) {
        if (n > 10000 && algorithm == "multi_queue") continue;
        arm a = make("scaling", algorithm, width_of(algorithm));
        if (algorithm == "multi_queue") {
          set_grid(a.config, tuning::multi_blocks_per_sm * machine_.multiprocessors,
                   tuning::paper_threads);
          set_queues(a, 100, "b");
        }
        by_size.arms.push_back(a);
      }
      groups.push_back(by_size);
    }
    return groups;
  }

  /// METG: a task of one block, from nothing to many times the overhead.
  arm_group metg(lattice_size size, std::vector<std::int64_t> const& lengths) const {
    arm_group group{size, "", {}};
    for (std::int64_t const work_ns : lengths) {
      for (auto const* algorithm :
           {"scanning", "single_queue", "multi_queue", "ticket_queue", "waves_stream",
            "waves_graph", "waves_graph_pdl", "waves_barrier", "omp_tasks"}) {
        if (!runs_here(algorithm)) continue;
        arm a = make("metg", algorithm, task_width::block);
        set_grid(a.config, host_ ? host_workers() : machine_.multiprocessors,
                 tuning::paper_threads);
        if (a.config.algorithm == "multi_queue") set_queues(a, 100, "b");
        a.body = body_kind::work;
        a.work_ns = work_ns;
        group.arms.push_back(a);
      }
    }
    return group;
  }

  bool on_host() const { return host_; }

 private:
  int host_workers() const {
    return common_.workers > 0 ? common_.workers : machine_.multiprocessors;
  }

  std::vector<int> cuda_blocks(std::string const& algorithm) const {
    int const sms = machine_.multiprocessors;
    if (algorithm == "multi_queue")
      return {sms, 220, 2 * sms, 4 * sms, 8 * sms, 16 * sms, 32 * sms};
    return {sms / 8, sms / 4, sms / 2, sms, 2 * sms};
  }

  void default_grid(configuration& config) const {
    auto const& name = config.algorithm;
    int const sms = machine_.multiprocessors;
    int blocks = tuning::paper_blocks;
    int threads = tuning::paper_threads;
    if (name == "stripes") {
      blocks = sms;
      threads = tuning::stripe_threads;
    } else if (config.width == task_width::block && name == "ticket_queue") {
      blocks = sms * tuning::block_width_blocks_per_sm;
    } else if (name == "ticket_queue") {
      blocks = sms * tuning::ticket_blocks_per_sm;
      threads = tuning::ticket_threads;
    } else if (is_in_order(name)) {
      blocks = sms * tuning::in_order_blocks_per_sm;
      threads = by_the_graph;
    } else if (name.starts_with("waves_")) {
      blocks = sms * (config.width == task_width::lane ? tuning::wave_blocks_per_sm
                                                       : tuning::block_width_blocks_per_sm);
      threads = config.width == task_width::lane ? tuning::wave_threads : tuning::paper_threads;
    }
    if (host_) blocks = host_workers();
    config.blocks = common_.workers > 0 ? common_.workers : blocks;
    config.threads = host_ ? 1 : common_.threads > 0 ? common_.threads : threads;
  }

  request const& wanted_;
  common_options const& common_;
  device_properties const& machine_;
  bool host_;
};

/// Keeps of an experiment what --algorithm and --measure ask for.
std::vector<arm_group> selected(std::vector<arm_group> groups, request const& wanted) {
  std::vector<arm_group> kept;
  for (auto& group : groups) {
    std::erase_if(group.arms, [&](arm const& a) {
      auto const& names = wanted.algorithms;
      bool const asked_for =
          !wanted.algorithms_given ||
          std::find(names.begin(), names.end(), a.config.algorithm) != names.end();
      return !asked_for || (wanted.measure == "counts" && !a.counters);
    });
    for (auto& a : group.arms) {
      if (wanted.measure == "times") a.counters = false;
      if (wanted.measure == "counts") a.times = false;
    }
    if (!group.arms.empty()) kept.push_back(std::move(group));
  }
  if (kept.empty())
    throw usage_error("--algorithm, --measure: the experiment has no such arms here");
  return kept;
}

}  // namespace

int in_order_threads(double tasks_at_once) {
  return tasks_at_once < 100 ? 32 : tasks_at_once < 1000 ? 64 : 128;
}

std::vector<arm_group> plan(request const& wanted, common_options const& common,
                            device_properties const& machine) {
  planner const make(wanted, common, machine);
  bool const host = make.on_host();
  auto const size_or = [&](std::int64_t n) {
    return wanted.size_given ? wanted.size : lattice_size{n, n, 1};
  };
  std::vector<std::int64_t> const lengths{250, 500, 1000, 2000, 4000, 8000, 16000, 64000};
  if (wanted.experiment == "custom") return selected(make.custom(), wanted);
  if (!host && (common.workers > 0 || common.threads > 0)) {
    throw usage_error("--workers, --threads: go with --experiment custom; " + wanted.experiment +
                      " has grids of its own");
  }
  if (wanted.experiment == "fig3")
    return selected({make.fig3(size_or(host ? 500 : 10000), true)}, wanted);
  if (wanted.experiment == "scaling") return selected(make.scaling(), wanted);
  if (wanted.experiment == "metg")
    return selected({make.metg(size_or(host ? 60 : 500), lengths)}, wanted);
  // smoke: all figures from one small run.
  std::vector<arm_group> groups{make.fig3(size_or(host ? 300 : 1000), false)};
  for (auto const& group : make.scaling()) {
    if (group.size.rows <= 1000) groups.push_back(group);
  }
  groups.push_back(
      make.metg({host ? 40 : 200, host ? 40 : 200, 1}, {500, 2000, 8000, 32000, 128000}));
  return selected(groups, wanted);
}

}  // namespace gridloom::wavefront
