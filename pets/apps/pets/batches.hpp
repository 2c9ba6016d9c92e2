#pragma once
// Batches of small graphs, as in parameter studies. A device schedules all graphs at once; host
// threads schedule them one by one.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "graphs.hpp"
#include "gridloom/bench/methods.hpp"
#include "pets/ours/device_batch.hpp"

namespace gridloom::pets {

/// Many graphs for the same processors, made from one specification or read from all files.
struct batch_request {
  std::string name;
  std::size_t graphs;
  std::function<task_graph(std::size_t)> make;
  /// Number of graphs for the host threads: enough to exceed all caches.
  std::size_t serial_graphs = 4096;
};
[[nodiscard]] std::vector<batch_request> batches_of(graph_inputs const& wanted, std::uint64_t seed);

/// One batch of a run. Without --no-verify it has the reference's results, whose schedules have all
/// been checked. Throws usage_error for bad specifications and for batches that exceed memory.
/// Throws wrong_result and timeout_error.
class batch_scene {
 public:
  batch_scene(batch_request const& wanted, common_options const& options, device& on);

  [[nodiscard]] std::uint32_t processors() const { return batch.all.num_processors; }

  std::string name;
  common_options const& common;
  device& machine;
  graph_batch batch;
  batch_results right{};
  std::uint32_t serial_graphs;
};

struct batch_settings {
  batch_output output;
  std::uint32_t graphs;
  int host_threads;
};
using batch_row = bench::row_of<batch_scene, batch_settings, launch_shape>;

/// The columns of the table `batches`.
[[nodiscard]] bench::schema<batch_row> batch_columns();
void show_batches(bench::harness<batch_row>& all);

/// The arms of a batch: the device and host threads. Each computes levels, ranks and order
/// ("priorities"), or also selects processors by append ("whole"). All arms deliver the same to
/// memory that lasts for all runs: the order, or `whole`. An arm's factory copies the graphs into
/// the arm's memory. It throws usage_error for graphs that device_batch refuses.
[[nodiscard]] std::vector<bench::arm<batch_row>> arms_of(batch_scene& of, batch_output whole);

/// The common part of all arms. It compares results with those of the reference.
class batch_work : public bench::work<batch_row> {
 public:
  batch_work(batch_scene& of, batch_row const& what) : scene_(of), what_(what) {}
  void verify() override;

 protected:
  /// The arm's results. Those that it does not have on the host may be empty.
  [[nodiscard]] virtual batch_results results() const = 0;

  batch_scene& scene_;
  batch_row const what_;
};

/// Schedules all graphs at once on the device.
class together : public batch_work {
 public:
  together(batch_scene& of, batch_row const& what)
      : batch_work(of, what),
        there_(of.machine, of.batch, what.output, of.common.workers, of.common.threads) {}

  void prepare() override { there_.clear(); }
  void copy_in() override { there_.copy_in(); }
  void run() override { there_.run(); }
  void copy_out() override { there_.copy_out(); }
  void record(batch_row& to) const override { static_cast<launch_shape&>(to) = there_.shape(); }

 protected:
  [[nodiscard]] batch_results results() const override { return there_.results(); }

 private:
  device_batch there_;
};

}  // namespace gridloom::pets
