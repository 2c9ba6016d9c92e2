#pragma once
// How an arm is made: its grid on this machine, its parameters, and what a custom request asks for.

#include <algorithm>
#include <string>
#include <vector>

#include "gridloom/error.hpp"
#include "plan.hpp"
#include "support/cluster.hpp"

namespace gridloom::wavefront {

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
  static constexpr int metg_lanes = 128;  // of a block, the same for all algorithms
  static constexpr int multi_blocks_per_sm = 32;
  static constexpr int block_width_blocks_per_sm = 4;
};

class planner {
 public:
  planner(request const& wanted, common_options const& common, device_properties const& machine)
      : wanted_(wanted), common_(common), machine_(machine), host_(machine.backend == "host") {
    if (host_ && !wanted.block_sizes.empty())
      throw usage_error("--block-sizes: a worker of the host is one thread");
  }

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
    if (wanted_.look_ahead == "off" && algorithm == "in_order") {
      result.config.looks_ahead = false;
      result.label += " no look-ahead";
    }
    if (wanted_.edges == "rows" && algorithm == "ticket_queue") {
      result.config.packs_successors = false;
      result.label += " rows";
    }
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
      arm const base = make("custom", algorithm, width_of(algorithm));
      for (arm const& sized : with_block_sizes(base)) {
        if (algorithm == "omp_tiles") {
          for (std::int64_t const tile :
               wanted_.tiles.empty() ? std::vector<std::int64_t>{64} : wanted_.tiles) {
            arm a = sized;
            a.config.tile = static_cast<std::uint32_t>(tile);
            a.label += " tile " + std::to_string(tile);
            add_bodies(group, a);
          }
          continue;
        }
        if (algorithm != "multi_queue") {
          add_bodies(group, sized);
          continue;
        }
        for (auto const& hash : wanted_.hashes) {
          for (std::int64_t const share : wanted_.queue_shares) {
            arm a = sized;
            set_queues(a, share, hash);
            add_bodies(group, a);
          }
        }
      }
    }
    return {group};
  }

  std::vector<arm> with_block_sizes(arm const& base) const {
    if (wanted_.block_sizes.empty()) return {base};
    std::vector<arm> all;
    for (std::int64_t const threads : wanted_.block_sizes) {
      all.push_back(base);
      all.back().config.threads = static_cast<int>(threads);
      if (wanted_.block_sizes.size() > 1) all.back().label += " " + std::to_string(threads);
    }
    return all;
  }

  /// The arm with each kind of task that is asked for.
  void add_bodies(arm_group& group, arm const& base) const {
    for (auto const& body : wanted_.bodies) {
      for (std::int64_t const work_ns : wanted_.work_ns) {
        arm a = base;
        a.work_ns = work_ns;
        set_body(a, body);
        if (work_ns > 0) {
          a.body = body_kind::work;
          a.label += " " + std::to_string(work_ns) + " ns";
        } else if (wanted_.bodies.size() > 1 && a.body != body_kind::noop) {
          a.label += " " + body;
        }
        if (work_ns == 0) {
          group.arms.push_back(std::move(a));
        } else {
          for (arm& drawn : with_durations(a)) group.arms.push_back(std::move(drawn));
        }
      }
    }
  }

  /// The arm with each distribution of durations that is asked for.
  std::vector<arm> with_durations(arm const& base) const {
    std::vector<arm> all;
    for (auto const& name : wanted_.durations) {
      auto const place = std::find(task_durations_names.begin(), task_durations_names.end(), name);
      arm a = base;
      a.durations = static_cast<task_durations>(place - task_durations_names.begin());
      if (a.durations != task_durations::constant) a.label += " " + name;
      all.push_back(std::move(a));
    }
    return all;
  }

  /// Of tasks that take no time by themselves: one of body_names.
  static void set_body(arm& a, std::string const& name) {
    a.body = name == "noop" ? body_kind::noop : body_kind::recurrence;
    a.config.wide_results = name == "wide";
  }

  bool on_host() const { return host_; }

 protected:
  int host_workers() const {
    return common_.workers > 0 ? common_.workers : machine_.multiprocessors;
  }

  void default_grid(configuration& config) const {
    auto const& name = config.algorithm;
    int const sms = machine_.multiprocessors;
    int blocks = tuning::paper_blocks;
    int threads = tuning::paper_threads;
    if (name == "stripes") {
      blocks = sms;
      threads = tuning::stripe_threads;
    } else if (config.width == task_width::block && (name == "ticket_queue" || is_in_order(name))) {
      blocks = sms * tuning::block_width_blocks_per_sm;
    } else if (name == "ticket_queue") {
      blocks = sms * tuning::ticket_blocks_per_sm;
      threads = tuning::ticket_threads;
    } else if (name == "in_order_cluster") {
      blocks = by_the_graph;
      threads = by_the_graph;
    } else if (is_in_order(name)) {
      blocks = sms * tuning::in_order_blocks_per_sm;
      threads = by_the_graph;
    } else if (name.starts_with("waves_")) {
      blocks = sms * (config.width == task_width::lane ? tuning::wave_blocks_per_sm
                                                       : tuning::block_width_blocks_per_sm);
      threads = config.width == task_width::lane ? tuning::wave_threads : tuning::paper_threads;
    }
    if (host_) blocks = host_workers();
    if (is_one_cluster(name)) blocks = std::min(blocks, most_cluster_blocks);
    config.blocks = name == "serial" ? 1 : common_.workers > 0 ? common_.workers : blocks;
    config.threads = host_ ? 1 : common_.threads > 0 ? common_.threads : threads;
  }

  request const& wanted_;
  common_options const& common_;
  device_properties const& machine_;
  bool host_;
};

}  // namespace gridloom::wavefront
