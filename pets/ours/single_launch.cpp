// Host side of the methods that find levels and ranks in one launch: in_order and hand_over.

#include "pets/ours/single_launch.hpp"

#include "gridloom/watchdog.hpp"
#include "pets/ours/kernels/hand_over.hpp"
#include "pets/ours/kernels/in_order.hpp"
#include "pets/ours/kernels/totals.hpp"

namespace gridloom::pets {
namespace {

constexpr int watched_blocks = 1024;

class single_launch : public device_metrics {
 public:
  void require_done() override { dog_.require_in_time("levels and ranks"); }

 protected:
  single_launch(device& machine, device_graph const& there, launch_limits const& limits)
      : device_metrics(machine, there.ref().num_tasks, limits),
        there_(&there),
        own_(machine.allocate<time_value>(num_tasks_)),
        found_(machine.allocate<tagged<time_value>>(num_tasks_)),
        dog_(machine, watched_blocks, limits.timeout_s) {}

  void before() {
    machine_->fill_bytes(found_, 0);
    machine_->launch(everywhere(*machine_, limits_.workers),
                     each(num_tasks_, add_totals{there_->ref(), cost_sums_.data(), own_.data()}));
  }
  void after() {
    machine_->launch(everywhere(*machine_, limits_.workers),
                     each(num_tasks_, untag{found_.data(), ranks_.data(), levels_.data()}));
  }
  [[nodiscard]] values_ref values() const { return {there_->ref(), own_.data(), found_.data()}; }
  [[nodiscard]] launch_shape resident(int blocks_per_multiprocessor, int threads,
                                      int resident_blocks) const {
    int const wanted = limits_.workers > 0
                           ? limits_.workers
                           : blocks_per_multiprocessor * machine_->properties().multiprocessors;
    if (limits_.workers > watched_blocks) {
      throw usage_error("--workers: expected at most " + std::to_string(watched_blocks) + ", got " +
                        std::to_string(limits_.workers));
    }
    // If the user asks for more blocks than fit, the launch refuses them.
    bool const asked = limits_.workers > 0;
    return {asked ? wanted : std::min({wanted, resident_blocks, watched_blocks}),
            machine_->is_host() ? 1 : threads};
  }
  // Costs and weights are read once; sums are written and read. A word is cleared, written, read by
  // successors, and read again to fill the arrays.
  [[nodiscard]] std::uint64_t bytes_of_both() const {
    std::uint64_t const n = num_tasks_;
    std::uint64_t const word = sizeof(std::uint32_t);
    std::uint64_t const per_task = sizeof(time_value) * (there_->ref().num_processors + 4) +
                                   3 * word + 3 * sizeof(tagged<time_value>);
    std::uint64_t const per_edge = sizeof(time_value) + word + sizeof(tagged<time_value>);
    return n * per_task + std::uint64_t{there_->num_edges()} * per_edge;
  }

  device_graph const* there_;
  buffer<time_value> own_;
  buffer<tagged<time_value>> found_;
  watchdog dog_;
};

class in_order final : public single_launch {
 public:
  in_order(device& machine, device_graph const& there, launch_limits const& limits)
      : single_launch(machine, there, limits), next_(machine.allocate<std::uint32_t>(1)) {
    if (there.ascends()) return;
    throw usage_error("in_order: expected edges from smaller to larger numbers of tasks");
  }

  // There is nothing to discover: a task without predecessors never waits.
  void discover_entries() override { machine_->fill_bytes(next_, 0); }
  void compute() override {
    before();
    int const threads = limits_.threads > 0 ? limits_.threads : in_order_tuning::threads;
    machine_->launch(resident(in_order_tuning::blocks_per_multiprocessor, threads,
                              machine_->resident_blocks<in_order_kernel>(threads)),
                     in_order_kernel{values(), next_.data(), dog_.arm()});
    after();
  }
  [[nodiscard]] std::uint32_t launches() const override { return 3; }
  [[nodiscard]] std::uint64_t estimated_bytes() override { return bytes_of_both(); }

 private:
  buffer<std::uint32_t> next_;
};

class hand_over final : public single_launch {
 public:
  hand_over(device& machine, device_graph const& there, launch_limits const& limits)
      : single_launch(machine, there, limits),
        missing_(machine.allocate<std::uint32_t>(num_tasks_)),
        order_(machine.allocate<std::uint32_t>(num_tasks_)),
        surplus_(machine.allocate<std::uint32_t>(num_tasks_)),
        counters_(machine.allocate<std::uint32_t>(4)) {
    require_whole_warps(machine, threads());
  }

  void discover_entries() override {
    machine_->fill_bytes(order_, 0);
    machine_->fill_bytes(surplus_, 0);
    machine_->fill_bytes(counters_, 0);
    machine_->launch(everywhere(*machine_, limits_.workers),
                     each(num_tasks_, set_entries{there_->ref(), in()}));
  }
  void compute() override {
    before();
    machine_->launch(resident(hand_over_tuning::blocks_per_multiprocessor, threads(),
                              machine_->resident_blocks<hand_over_kernel>(threads())),
                     hand_over_kernel{values(), in(), dog_.arm()});
    after();
  }
  [[nodiscard]] std::uint32_t launches() const override { return 4; }
  [[nodiscard]] std::uint64_t estimated_bytes() override {
    std::uint64_t const n = num_tasks_;
    std::uint64_t const word = sizeof(std::uint32_t);
    // Words per edge: number, offsets and count of the successor. Words per task: the order
    // (cleared, written and read), the second queue (cleared), the count, and offsets in entry
    // discovery.
    return bytes_of_both() + n * 7 * word + std::uint64_t{there_->num_edges()} * 5 * word;
  }

 private:
  [[nodiscard]] int threads() const {
    return limits_.threads > 0 ? limits_.threads : hand_over_tuning::threads;
  }
  [[nodiscard]] hand_over_words in() const {
    std::uint32_t* const words = counters_.data();
    return {missing_.data(), order_.data(), words,    surplus_.data(),
            words + 1,       words + 2,     words + 3};
  }

  buffer<std::uint32_t> missing_;
  buffer<std::uint32_t> order_;
  buffer<std::uint32_t> surplus_;
  buffer<std::uint32_t> counters_;
};

}  // namespace

std::unique_ptr<device_metrics> make_hand_over(device& machine, task_graph const& /*graph*/,
                                               device_graph const* there,
                                               launch_limits const& limits) {
  return std::make_unique<hand_over>(machine, *there, limits);
}
std::unique_ptr<device_metrics> make_in_order(device& machine, task_graph const& /*graph*/,
                                              device_graph const* there,
                                              launch_limits const& limits) {
  return std::make_unique<in_order>(machine, *there, limits);
}

}  // namespace gridloom::pets
