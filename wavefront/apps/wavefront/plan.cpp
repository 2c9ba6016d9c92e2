// Which arms an experiment has. Sizes and counts for a GPU are the paper's where it gives them;
// those for the host are chosen so that an experiment takes a minute or two on two cores.

#include "planner.hpp"

#include <algorithm>

namespace gridloom::wavefront {

namespace {

class experiments : public planner {
 public:
  using planner::planner;

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

  /// METG: from nothing to many times the overhead, a task a block or a lane. Lanes need a wider
  /// lattice.
  arm_group metg(lattice_size size, std::vector<std::int64_t> const& lengths) const {
    arm_group group{size, wanted_.graph_file, {}};
    bool const lanes = by_lanes();
    for (std::int64_t const work_ns : lengths) {
      for (auto const* algorithm : {"scanning", "single_queue", "multi_queue", "ticket_queue",
                                    "in_order", "in_order_ticket", "waves_stream", "waves_graph",
                                    "waves_graph_pdl", "waves_barrier", "omp_tasks"}) {
        if (!runs_here(algorithm) || (lanes && !find_algorithm(algorithm).lanes)) continue;
        arm a = make("metg", algorithm, lanes ? task_width::lane : task_width::block);
        set_grid(a.config, host_ ? host_workers() : machine_.multiprocessors,
                 lanes ? tuning::metg_lanes : tuning::paper_threads);
        if (a.config.algorithm == "multi_queue") set_queues(a, 100, "b");
        a.body = body_kind::work;
        a.work_ns = work_ns;
        for (arm& drawn : with_durations(a)) group.arms.push_back(std::move(drawn));
      }
    }
    return group;
  }
  /// Whether tasks of METG run on lanes.
  bool by_lanes() const { return wanted_.width == "lane"; }

  /// What a user would take instead, each at the size of its blocks, number of threads or tile that
  /// suits it best, beside ours as they are.
  arm_group rivals(lattice_size size) const {
    if (!host_ && !wanted_.tiles.empty())
      throw usage_error("--tiles: goes with omp_tiles, which runs on the host");
    arm_group group{size, wanted_.graph_file, {}};
    for (auto const* algorithm :
         {"in_order", "in_order_ticket", "in_order_cluster", "ticket_queue", "stripes"}) {
      bool const fits = runs_here(algorithm) &&
                        (wanted_.graph_file.empty() || !find_algorithm(algorithm).lattice_only);
      if (!fits) continue;
      add_with_bodies(group, in_one_cluster(make("rivals", algorithm, task_width::lane)));
    }
    for (auto const* algorithm : {"waves_stream", "waves_graph", "waves_graph_pdl", "waves_barrier",
                                  "waves_cluster", "serial", "omp_tasks", "omp_tiles"}) {
      if (!runs_here(algorithm)) continue;
      arm const base = make("rivals", algorithm, task_width::lane);
      if (base.config.algorithm == "waves_cluster") {
        // A host has no clusters, and there it is waves_barrier.
        if (!host_) add_clusters(group, base);
        continue;
      }
      for (arm& a : host_ ? with_threads(base) : with_blocks(base))
        add_with_bodies(group, std::move(a));
      if (host_ || base.config.algorithm != "waves_barrier") continue;
      // Narrow waves need no other multiprocessor, and a block meets far sooner than a grid does.
      // Launches have as many blocks as a wave needs.
      for (arm& a : with_blocks(base)) {
        a.config.blocks = 1;
        a.label += " in one block";
        add_with_bodies(group, std::move(a));
      }
    }
    return group;
  }

  /// The published algorithms and ours, a task on a block and on a lane, with tasks that do nothing
  /// and with tasks that need results.
  arm_group widths(lattice_size size) const {
    arm_group group{size, "", {}};
    for (auto const* algorithm :
         {"scanning", "single_queue", "multi_queue", "ticket_queue", "in_order", "in_order_ticket",
          "in_order_cluster", "stripes", "waves_stream", "waves_graph", "waves_graph_pdl",
          "waves_barrier", "omp_tasks"}) {
      if (!runs_here(algorithm)) continue;
      auto const& info = find_algorithm(algorithm);
      for (auto const width : {task_width::block, task_width::lane}) {
        if (!(width == task_width::lane ? info.lanes : info.blocks)) continue;
        arm a = in_one_cluster(make("widths", algorithm, width));
        if (a.config.algorithm == "multi_queue") {
          set_grid(a.config, tuning::multi_blocks_per_sm * machine_.multiprocessors,
                   tuning::paper_threads);
          set_queues(a, 100, "a");
        }
        if (width == task_width::block && info.lanes) a.label += " block";
        add_with_bodies(group, std::move(a));
      }
    }
    return group;
  }

  /// multi_queue with each hash, by blocks and by queues.
  arm_group peak(lattice_size size) const {
    arm_group group{size, "", {}};
    int const sms = machine_.multiprocessors;
    std::vector<int> blocks{2 * sms, 4 * sms, 8 * sms, 16 * sms, 32 * sms};
    if (host_) blocks = {1, 2, host_workers()};
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    std::vector<std::string> hashes{task_hash_names.begin(), task_hash_names.end()};
    std::vector<std::int64_t> shares{100, 50, 25};
    if (wanted_.hashes_given) hashes = wanted_.hashes;
    if (wanted_.shares_given) shares = wanted_.queue_shares;
    for (auto const& hash : hashes) {
      for (int const count : blocks) {
        if (host_ && count > host_workers()) continue;
        for (std::int64_t const share : shares) {
          arm a = make("peak", "multi_queue", task_width::block);
          set_grid(a.config, count, tuning::paper_threads);
          if (a.config.blocks * share < 100) continue;
          set_queues(a, share, hash);
          a.label += " " + std::to_string(count) + " blocks";
          group.arms.push_back(std::move(a));
        }
      }
    }
    return group;
  }

 private:
  void add_with_bodies(arm_group& group, arm base) const {
    auto const bodies =
        wanted_.bodies_given ? wanted_.bodies : std::vector<std::string>{"noop", "recurrence"};
    for (auto const& body : bodies) {
      bool const fits = body != "wide" || find_algorithm(base.config.algorithm).wide_results;
      if (!fits && !wanted_.algorithms_given) continue;
      arm a = base;
      set_body(a, body);
      if (a.body != body_kind::noop) a.label += " " + body;
      group.arms.push_back(std::move(a));
    }
  }

  /// Of the workers that were asked for, a cluster takes no more than it may have; the other arms of
  /// an experiment take all.
  static arm in_one_cluster(arm a) {
    if (is_one_cluster(a.config.algorithm))
      a.config.blocks = std::min(a.config.blocks, most_cluster_blocks);
    return a;
  }

  /// From few blocks to the most, their threads swept.
  void add_clusters(arm_group& group, arm const& base) const {
    for (int const blocks : {4, 8, most_cluster_blocks}) {
      for (arm& a : with_blocks(base)) {
        a.config.blocks = blocks;
        a.label += " in " + std::to_string(blocks) + " blocks";
        add_with_bodies(group, std::move(a));
      }
    }
  }

  /// The threads of a block swept.
  std::vector<arm> with_blocks(arm const& base) const {
    std::vector<std::int64_t> sizes = wanted_.block_sizes;
    if (sizes.empty()) sizes = {64, 128, 256, 512, 1024};
    std::vector<arm> all;
    for (std::int64_t const threads : sizes) {
      all.push_back(base);
      all.back().config.threads = static_cast<int>(threads);
      all.back().label += " " + std::to_string(threads);
    }
    return all;
  }

  /// One, four and all host threads, and the tiles of what has tiles.
  std::vector<arm> with_threads(arm const& base) const {
    std::vector<int> counts{1, 4, host_workers()};
    if (base.config.algorithm == "serial") counts = {1};
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    std::vector<std::int64_t> tiles = wanted_.tiles;
    if (tiles.empty() && wanted_.graph_file.empty()) tiles = {16, 64, 256, 1024};
    if (tiles.empty()) tiles = {256, 1024, 4096, 16384, 65536};  // tasks, not cells of a side
    if (base.config.algorithm != "omp_tiles") tiles = {0};
    std::vector<arm> all;
    for (int const count : counts) {
      if (count > host_workers()) continue;
      for (std::int64_t const tile : tiles) {
        all.push_back(base);
        arm& a = all.back();
        a.config.blocks = count;
        a.label += " " + std::to_string(count);
        if (tile == 0) continue;
        a.config.tile = static_cast<std::uint32_t>(tile);
        a.label += " tile " + std::to_string(tile);
      }
    }
    return all;
  }

  std::vector<int> cuda_blocks(std::string const& algorithm) const {
    int const sms = machine_.multiprocessors;
    if (algorithm == "multi_queue")
      return {sms, 220, 2 * sms, 4 * sms, 8 * sms, 16 * sms, 32 * sms};
    return {sms / 8, sms / 4, sms / 2, sms, 2 * sms};
  }
};

/// Keeps of an experiment what --algorithm and --measure ask for. Throws usage_error for an algorithm
/// of which the experiment has no arm here.
std::vector<arm_group> selected(std::vector<arm_group> groups, request const& wanted) {
  if (wanted.algorithms_given) {
    for (auto const& name : wanted.algorithms) {
      bool const there = std::any_of(groups.begin(), groups.end(), [&](arm_group const& group) {
        return std::any_of(group.arms.begin(), group.arms.end(),
                           [&](arm const& a) { return a.config.algorithm == name; });
      });
      if (!there) throw usage_error("--algorithm: the experiment has no arm of " + name + " here");
    }
  }
  std::vector<arm_group> kept;
  for (auto& group : groups) {
    std::erase_if(group.arms, [&](arm const& a) {
      auto const& names = wanted.algorithms;
      bool const asked_for =
          !wanted.algorithms_given ||
          std::find(names.begin(), names.end(), a.config.algorithm) != names.end();
      bool const counts = a.counters && find_algorithm(a.config.algorithm).observable;
      return !asked_for || (wanted.measure == "counts" && !counts);
    });
    for (auto& a : group.arms) {
      if (wanted.measure == "times") a.counters = false;
      if (wanted.measure == "counts") a.times = false;
    }
    if (!group.arms.empty()) kept.push_back(std::move(group));
  }
  if (kept.empty())
    throw usage_error("--measure " + wanted.measure + ": the experiment has no such arms here");
  return kept;
}

}  // namespace

int in_order_threads(double tasks_at_once) {
  return tasks_at_once < 100 ? 32 : tasks_at_once < 1000 ? 64 : 128;
}

launch_shape cluster_grid(launch_shape asked, double tasks_at_once, int most_blocks) {
  // More are of no use to wider levels: every result goes into every ring.
  constexpr int enough_blocks = 8;
  constexpr double enough_lanes = 2048;
  if (asked.blocks == by_the_graph) {
    asked.blocks = 1;
    while (asked.blocks < std::min(most_blocks, enough_blocks) && 64 * asked.blocks < tasks_at_once)
      asked.blocks *= 2;
  }
  if (asked.threads == by_the_graph) {
    double const wanted = std::min(4 * tasks_at_once, enough_lanes);
    asked.threads = asked.blocks == 1 ? 256 : 64;
    while (asked.threads < most_in_order_lanes && asked.blocks * asked.threads < wanted)
      asked.threads *= 2;
  }
  return asked;
}

std::vector<arm_group> plan(request const& wanted, common_options const& common,
                            device_properties const& machine) {
  experiments const make(wanted, common, machine);
  bool const host = make.on_host();
  auto const size_or = [&](std::int64_t n) {
    return wanted.size_given ? wanted.size : lattice_size{n, n, 1};
  };
  std::vector<std::int64_t> lengths{250, 500, 1000, 2000, 4000, 8000, 16000, 64000};
  if (wanted.experiment == "custom") return selected(make.custom(), wanted);
  if (!host && (common.workers > 0 || common.threads > 0)) {
    throw usage_error("--workers, --threads: go with --experiment custom; " + wanted.experiment +
                      " has grids of its own");
  }
  if (wanted.experiment == "fig3")
    return selected({make.fig3(size_or(host ? 500 : 10000), true)}, wanted);
  if (wanted.experiment == "scaling") return selected(make.scaling(), wanted);
  if (wanted.experiment == "metg") {
    if (make.by_lanes()) lengths.pop_back();  // so many tasks of it would take minutes
    if (wanted.work_given) lengths = wanted.work_ns;
    auto const side = host ? 60 : make.by_lanes() ? 2000 : 500;
    return selected({make.metg(size_or(side), lengths)}, wanted);
  }
  if (wanted.experiment == "rivals") {
    std::int64_t const side = host ? 1000 : 10000;
    return selected({make.rivals(size_or(side))}, wanted);
  }
  if (wanted.experiment == "widths")
    return selected({make.widths(size_or(host ? 100 : 1000))}, wanted);
  if (wanted.experiment == "peak")
    return selected({make.peak(size_or(host ? 300 : 10000))}, wanted);
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
