#include "pets/device_priorities.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "gridloom/error.hpp"
#include "pets/kernels/in_order.hpp"
#include "pets/kernels/totals.hpp"

namespace gridloom::pets {
namespace {

constexpr int watched_blocks = 1024;

int bits_of(std::uint64_t largest) { return static_cast<int>(std::bit_width(largest)); }

}  // namespace

device_priorities::device_priorities(device& machine, std::uint32_t most_tasks, double timeout_s,
                                     int workers, int threads)
    : machine_(&machine),
      workers_(workers),
      threads_(threads),
      cost_sums_(machine.allocate<time_value>(most_tasks)),
      own_(machine.allocate<time_value>(most_tasks)),
      ranks_(machine.allocate<time_value>(most_tasks)),
      levels_(machine.allocate<std::uint32_t>(most_tasks)),
      found_(machine.allocate<tagged<time_value>>(most_tasks)),
      missing_(machine.allocate<std::uint32_t>(most_tasks)),
      queue_(machine.allocate<std::uint32_t>(most_tasks)),
      words_(machine.allocate<std::uint32_t>(4)),
      largest_(machine.allocate<largest_values>(1)),
      keys_(machine.allocate<std::uint64_t>(most_tasks)),
      sorted_keys_(machine.allocate<std::uint64_t>(most_tasks)),
      tasks_(machine.allocate<std::uint32_t>(most_tasks)),
      order_(machine.allocate<std::uint32_t>(most_tasks)),
      sorter_(machine, most_tasks),
      dog_(machine, watched_blocks, timeout_s) {}

launch_shape device_priorities::everywhere() const {
  auto const& properties = machine_->properties();
  int const blocks = workers_ > 0 ? workers_ : 8 * properties.multiprocessors;
  return {machine_->is_host() ? std::min(blocks, 64) : blocks, machine_->is_host() ? 1 : 256};
}

launch_shape device_priorities::resident(int blocks_per_multiprocessor, int threads,
                                         int resident_blocks) const {
  int const wanted =
      workers_ > 0 ? workers_ : blocks_per_multiprocessor * machine_->properties().multiprocessors;
  return {std::min({wanted, resident_blocks, watched_blocks}), machine_->is_host() ? 1 : threads};
}

void device_priorities::find(device_graph const& graph, level_method how) {
  device_graph_ref const of = graph.ref();
  if (of.num_tasks > own_.size()) {
    throw std::invalid_argument("device_priorities: the graph is larger than the memory is for");
  }
  num_tasks_ = of.num_tasks;
  if (how == level_method::in_order && !graph.ascends()) {
    throw usage_error("in_order: expected edges from smaller to larger numbers of tasks");
  }
  machine_->launch(everywhere(), totals_kernel{of, cost_sums_.data(), own_.data()});
  machine_->fill_bytes(words_, 0);
  if (how == level_method::in_order) {
    int const threads = threads_ > 0 ? threads_ : in_order_tuning::threads;
    machine_->fill_bytes(found_, 0);
    machine_->launch(
        resident(in_order_tuning::blocks_per_multiprocessor, threads,
                 machine_->resident_blocks<in_order_kernel>(threads)),
        in_order_kernel{of, own_.data(), found_.data(), words_.data() + 3, dog_.arm()});
    machine_->launch(everywhere(),
                     untag_kernel{num_tasks_, found_.data(), ranks_.data(), levels_.data()});
  } else {
    int const threads = threads_ > 0 ? threads_ : hand_over_tuning::threads;
    if (!machine_->is_host() && threads % 32 != 0) {
      throw usage_error("--threads: expected whole warps of 32 threads, got " +
                        std::to_string(threads));
    }
    machine_->fill_bytes(queue_, 0);
    std::uint32_t* const words = words_.data();
    hand_over_words const in{missing_.data(), queue_.data(), words, words + 1, words + 2};
    machine_->launch(everywhere(), entries_kernel{of, in});
    machine_->launch(
        resident(hand_over_tuning::blocks_per_multiprocessor, threads,
                 machine_->resident_blocks<hand_over_kernel>(threads)),
        hand_over_kernel{of, in, own_.data(), ranks_.data(), levels_.data(), dog_.arm()});
  }
  machine_->fill_bytes(largest_, 0);
  machine_->launch(everywhere(), largest_kernel{num_tasks_, ranks_.data(), levels_.data(),
                                                cost_sums_.data(), largest_.data()});
}

void device_priorities::sort() {
  if (dog_.fired()) {
    std::string text = "levels and ranks: time is up";
    for (std::string const& line : dog_.lines()) text += "; " + line;
    throw run_error(text);
  }
  largest_values const largest = machine_->copy_to_host(largest_.data());
  num_levels_ = static_cast<std::uint32_t>(largest.level) + 1;
  std::uint32_t const n = num_tasks_;
  machine_->launch(everywhere(), numbers_kernel{n, tasks_.data()});
  sorter_.sort(cost_sums_.data(), sorted_keys_.data(), tasks_.data(), order_.data(), n,
               bits_of(largest.cost_sum));
  int const rank_bits = bits_of(largest.rank);
  int const level_bits = bits_of(largest.level);
  bool const together = rank_bits + level_bits <= 64;
  machine_->launch(everywhere(),
                   keys_kernel{n, order_.data(), ranks_.data(), levels_.data(), largest.rank,
                               together ? rank_bits : 64, keys_.data()});
  sorter_.sort(keys_.data(), sorted_keys_.data(), order_.data(), tasks_.data(), n,
               together ? rank_bits + level_bits : rank_bits);
  if (together) {
    std::swap(tasks_, order_);
    return;
  }
  machine_->launch(everywhere(), level_keys_kernel{n, tasks_.data(), levels_.data(), keys_.data()});
  sorter_.sort(keys_.data(), sorted_keys_.data(), tasks_.data(), order_.data(), n, level_bits);
}

priorities device_priorities::result() const {
  priorities found;
  found.level.resize(num_tasks_);
  found.rank.resize(num_tasks_);
  machine_->copy_to_host(std::span(found.level), levels_.data());
  machine_->copy_to_host(std::span(found.rank), ranks_.data());
  found.num_levels = num_levels_;
  return found;
}

std::vector<std::uint32_t> device_priorities::order() const {
  std::vector<std::uint32_t> result(num_tasks_);
  machine_->copy_to_host(std::span(result), order_.data());
  return result;
}

std::size_t device_priorities::bytes() const {
  return cost_sums_.bytes() + own_.bytes() + ranks_.bytes() + levels_.bytes() + found_.bytes() +
         missing_.bytes() + queue_.bytes() + keys_.bytes() + sorted_keys_.bytes() + tasks_.bytes() +
         order_.bytes() + sorter_.bytes();
}

}  // namespace gridloom::pets
