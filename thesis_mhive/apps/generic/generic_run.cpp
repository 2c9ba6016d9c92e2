#include "generic_run.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "gridloom/error.hpp"

namespace gridloom::mhive::generic {
namespace {

// A queue stores an item and two numbers per task. A waiting storage stores an item, its state and
// its owner.
constexpr std::uint64_t queue_bytes = sizeof(tree_item) + 8;
constexpr std::uint64_t storage_bytes = sizeof(tree_item) + 12;
/// Largest number of items of a queue.
constexpr std::uint64_t most_items = std::uint64_t{1} << 30U;

// Returns a lower bound of the memory that a run needs.
std::uint64_t bytes_needed(execution_tree const& tree, dependencies kind, std::uint32_t instances) {
  std::uint64_t const items = std::bit_ceil(most_of_a_type(tree, kind, instances));
  bool const individual = kind == dependencies::individual;
  std::uint64_t const records = tree.tasks().size() * std::uint64_t{instances};
  return items * (individual ? 4 * (queue_bytes + storage_bytes) : 32 * queue_bytes) +
         (individual ? 8 * records : 0);
}

}  // namespace

certificate::certificate(device& machine, execution_tree const& tree, std::uint32_t instances)
    : machine_(machine), tree_(tree), instances_(instances) {
  std::size_t const records = tree.tasks().size() * std::size_t{instances};
  begin_ = machine.allocate<std::uint64_t>(records);
  end_ = machine.allocate<std::uint64_t>(records);
  executions_ = machine.allocate<std::uint32_t>(records);
  stamps_ = machine.allocate<std::uint64_t>(1);
}

certificate_ref certificate::arm() {
  machine_.fill_bytes(begin_, 0);
  machine_.fill_bytes(end_, 0);
  machine_.fill_bytes(executions_, 0);
  machine_.fill_bytes(stamps_, 0);
  return {begin_.data(), end_.data(), executions_.data(), stamps_.data()};
}

std::vector<std::string> certificate::faults(std::uint64_t seed, dependencies kind) {
  auto const begin = machine_.copy_to_host(begin_);
  auto const end = machine_.copy_to_host(end_);
  auto const executions = machine_.copy_to_host(executions_);
  return check_certificate(tree_, seed, kind, {instances_, begin, end, executions});
}

std::uint64_t most_of_a_type(execution_tree const& tree, dependencies kind,
                             std::uint32_t instances) {
  std::map<std::pair<int, int>, std::uint64_t> tasks;
  std::uint64_t most = 0;
  for (task_definition const& task : tree.tasks()) {
    int const phase = kind == dependencies::phases ? task.phase : 0;
    std::uint64_t& sum = tasks[{phase, task.worker_size}];
    most = std::max(most, sum += instances);
  }
  return most;
}

void require_memory(device_properties const& machine, execution_tree const& tree,
                    std::uint32_t instances, std::span<dependencies const> kinds, bool certified,
                    std::string_view option) {
  std::uint64_t const records = tree.tasks().size() * std::uint64_t{instances};
  std::uint64_t bytes = 4 * std::uint64_t{instances} + (certified ? 20 * records : 0);
  for (dependencies const kind : kinds) {
    if (std::uint64_t const items = most_of_a_type(tree, kind, instances); items > most_items) {
      throw usage_error(std::string(option) + ": expected at most 2^30 tasks of one type, got " +
                        std::to_string(items) + " with " + std::to_string(instances) +
                        " instances");
    }
    bytes += bytes_needed(tree, kind, instances);
  }
  if (static_cast<double>(bytes) > 0.9 * static_cast<double>(machine.memory_bytes)) {
    throw usage_error(std::string(option) + ": expected instances that fit into the " +
                      std::to_string(machine.memory_bytes >> 20U) + " MiB of " + machine.name +
                      ", got " + std::to_string(instances) + ", which need " +
                      std::to_string(bytes >> 20U) + " MiB");
  }
}

std::vector<std::uint32_t> reached_masks(tree_tables const& tables, std::uint64_t seed,
                                         std::uint32_t instances) {
  std::vector<std::uint32_t> masks;
  masks.reserve(instances);
  for (std::uint32_t i = 0; i < instances; ++i) masks.push_back(reached(tables, seed, i));
  return masks;
}

}  // namespace gridloom::mhive::generic
