#include "support/device_metrics.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include "support/device_methods.hpp"

namespace gridloom::pets {
namespace {

constexpr std::array<std::string_view, 7> methods{
    "adjacency", "transposed", "rectangular", "rectangular_vectorised",
    "csr",       "hand_over",  "in_order"};

}  // namespace

device_metrics::device_metrics(device& machine, std::uint32_t num_tasks,
                               launch_limits const& limits)
    : machine_(&machine),
      limits_(limits),
      num_tasks_(num_tasks),
      cost_sums_(machine.allocate<time_value>(num_tasks)),
      ranks_(machine.allocate<time_value>(num_tasks)),
      levels_(machine.allocate<std::uint32_t>(num_tasks)) {}

priorities device_metrics::result() const {
  priorities found;
  found.level.resize(num_tasks_);
  found.rank.resize(num_tasks_);
  machine_->copy_to_host(std::span(found.level), levels_.data());
  machine_->copy_to_host(std::span(found.rank), ranks_.data());
  for (std::uint32_t const level : found.level) {
    found.num_levels = std::max(found.num_levels, level + 1);
  }
  return found;
}

void device_metrics::clear() {
  machine_->fill_bytes(ranks_, 0xab);
  machine_->fill_bytes(levels_, 0xab);
}

std::span<std::string_view const> metrics_methods() { return methods; }

bool reads_compressed_rows(std::string_view method) {
  return method == "csr" || method == "hand_over" || method == "in_order";
}

std::unique_ptr<device_metrics> make_device_metrics(std::string_view method, device& machine,
                                                    task_graph const& graph,
                                                    device_graph const* there,
                                                    launch_limits const& limits) {
  if (auto made = make_level_loop(method, machine, graph, there, limits)) return made;
  if (auto made = make_single_launch(method, machine, *there, limits)) return made;
  throw std::invalid_argument("no method " + std::string(method));
}

}  // namespace gridloom::pets
