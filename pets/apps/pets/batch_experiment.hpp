#pragma once
// Batches of small graphs, as parameter studies schedule them: on a device all at once, beside one
// host thread that takes them one by one.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gridloom/bench/harness.hpp"
#include "inputs.hpp"
#include "ours/device_batch.hpp"

namespace gridloom::pets {

/// `graphs` graphs of one specification, with the seeds from the common one on, or those of `make`.
struct batch_request {
  /// Or what the graphs of `make` are called.
  std::string specification;
  std::uint32_t processors = 8;
  std::size_t graphs = 100'000;
  /// Of these, how many the serial arm takes: enough not to stay in any cache.
  std::size_t serial_graphs = 4096;
  /// For tests: what changes the device's results before they are compared.
  std::function<void(device_batch::found_priorities&, std::vector<placement>&)> spoil = {};
  std::function<task_graph(std::size_t)> make{};
};

/// A batch of all files, or one of each specification.
[[nodiscard]] std::vector<batch_request> batches_of(graph_inputs const& wanted, std::uint64_t seed);

struct batch_row {
  std::string graph;
  std::uint64_t graphs;
  std::uint64_t tasks;
  std::uint64_t edges;
  std::uint32_t processors;
  std::string implementation;
  std::string steps;
  launch_shape shape{1, 1};
};

/// For the table `batches`, and what the summary shows of them.
[[nodiscard]] bench::schema<batch_row> batch_columns();
void show_batches(bench::harness<batch_row>& all);

/// Measures `batch` on the machine and `serial` on one host thread, each for levels, ranks and
/// order ("priorities") and with selection by append ("whole"). Graphs are in the arm's memory from
/// its set-up on. With common.verify every graph's schedule is checked once, and all numbers are
/// compared with the reference's, in every repetition. Throws usage_error on bad specifications and
/// on graphs that device_batch refuses.
void run_batches(std::span<batch_request const> requests, common_options const& common,
                 device& machine, bench::harness<batch_row>& into);

}  // namespace gridloom::pets
