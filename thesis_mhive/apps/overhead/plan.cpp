#include "plan.hpp"

#include <algorithm>

#include "gridloom/error.hpp"

namespace gridloom::mhive::overhead {
namespace {

/// The arms of some lists, in all combinations. The graph has one form, the queue one layer.
void add(std::vector<arm>& arms, std::string const& experiment, request const& wanted) {
  for (auto const& scheduler : wanted.schedulers) {
    auto const forms = scheduler == "graph" ? std::vector<std::string>{"graph"} : wanted.forms;
    for (auto const& form : forms) {
      for (auto const size : wanted.worker_sizes) {
        for (auto const width : wanted.widths) {
          for (auto const work : wanted.work) {
            arms.push_back({experiment, scheduler, form, static_cast<int>(size),
                            static_cast<std::uint32_t>(width),
                            static_cast<std::uint32_t>(form == "queue" ? 1 : wanted.layers), work});
          }
        }
      }
    }
  }
}

void add_metg(std::vector<arm>& arms, request part, bool on_host, std::int64_t one_each) {
  part.forms = {"individual", "grouped", "phases"};
  part.worker_sizes = {32};
  part.widths = {one_each, 32 * one_each};
  part.layers = 20;
  part.work = {256, 1024, 4096, 16384, 65536, 262144};
  add(arms, "metg", part);
  if (on_host) return;  // every worker is one thread there
  // The other sizes by the way: only layers that keep every lane busy also with tasks of one
  // thread, and fewer of them, because a layer of a few thousand grouped tasks of one thread takes
  // milliseconds however short they are. The lengths are as long for the machine as a warp's.
  part.widths = {32 * one_each};
  part.layers = 10;
  part.worker_sizes = {1};
  part.work = {1024, 4096, 16384, 65536, 262144, 1048576};
  add(arms, "metg", part);
  part.worker_sizes = {256};
  part.work = {16, 64, 256, 1024, 4096, 16384};
  add(arms, "metg", part);
}

void require_distinct(char const* option, std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  auto const twice = std::adjacent_find(values.begin(), values.end());
  if (twice == values.end()) return;
  throw usage_error(std::string(option) + ": expected each value once, got " +
                    std::to_string(*twice) + " again");
}

}  // namespace

void require_lists(request const& wanted) {
  for (auto const size : wanted.worker_sizes) {
    if (std::find(std::begin(worker_sizes), std::end(worker_sizes), size) ==
        std::end(worker_sizes)) {
      throw usage_error("--worker-size: expected 1, 32 or 256, got " + std::to_string(size));
    }
  }
  require_distinct("--worker-size", wanted.worker_sizes);
  require_distinct("--width", wanted.widths);
  require_distinct("--work", wanted.work);
}

std::vector<arm> plan(request const& wanted, bool on_host, int multiprocessors) {
  std::vector<arm> arms;
  if (wanted.experiment == "custom") {
    add(arms, "custom", wanted);
  } else if (wanted.experiment == "metg") {
    // Some tasks a scheduler of each multiprocessor (four), so that work can hide what it costs.
    add_metg(arms, wanted, on_host, on_host ? multiprocessors : 4 * multiprocessors);
  } else {
    bool const smoke = wanted.experiment == "smoke";
    request part = wanted;
    part.work = {0};
    part.worker_sizes =
        smoke ? std::vector<std::int64_t>{32} : std::vector<std::int64_t>{1, 32, 256};
    part.forms = {"queue"};
    part.widths = {on_host || smoke ? 20000 : 1000000};
    part.layers = 1;
    add(arms, "queue", part);
    part.forms = {"enqueue", "individual", "grouped", "phases"};
    part.layers = smoke ? 10 : 50;
    part.widths = {on_host || smoke ? 256 : 16384};
    add(arms, "throughput", part);
    part.widths = {1};
    part.layers = smoke ? 20 : 200;
    add(arms, "latency", part);
  }
  return arms;
}

void require_memory(device_properties const& machine, std::span<arm const> arms) {
  double bytes = 0;
  for (arm const& what : arms) bytes += static_cast<double>(bytes_needed(what));
  if (bytes <= 0.9 * static_cast<double>(machine.memory_bytes)) return;
  throw usage_error("--width, --layers: expected arms that fit the " +
                    std::to_string(machine.memory_bytes >> 20U) + " MiB of " + machine.name +
                    " together, got some that take " +
                    std::to_string(static_cast<std::uint64_t>(bytes / 0x1p20)) + " MiB");
}

}  // namespace gridloom::mhive::overhead
