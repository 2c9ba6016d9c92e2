#include <algorithm>
#include <cmath>
#include <string>

#include "apps/hand_off/hand_off.hpp"
#include "gridloom/error.hpp"
#include "gridloom/taskgraph/hand_off.hpp"

namespace gridloom::schedulers {
namespace {

static_assert(most_tasks <= most_rounds);

template <class Kernel, int MostBlocks, int PerRound>
class primitive_chain final : public chain {
 public:
  primitive_chain(device& machine, launch_shape wanted, int tasks, double timeout_s)
      : machine_(machine),
        shape_{std::min(wanted.blocks, MostBlocks), wanted.threads},
        rounds_(static_cast<std::uint32_t>(tasks / PerRound)),
        boxes_(machine.allocate<hand_off_box>(2 * static_cast<std::size_t>(shape_.blocks))),
        parts_(machine.allocate<std::uint64_t>(
            slots_of_parts(machine, shape_.blocks, most_cluster_blocks))),
        result_(machine.allocate<hand_off_times>(1)),
        dog_(machine, shape_.blocks, timeout_s) {
    if constexpr (Kernel::as_cluster) prepare_cluster<Kernel>(machine, shape_);
  }
  void prepare() override {
    machine_.fill_bytes(boxes_, 0);
    machine_.fill_bytes(result_, 0);
    stopper_ = dog_.arm();
  }
  void run() override {
    Kernel const kernel{{boxes_.data(), parts_.data(), rounds_, result_.data(), stopper_}};
    if constexpr (Kernel::as_cluster)
      launch_as_cluster(machine_, shape_, kernel);
    else
      machine_.launch(shape_, kernel);
  }
  std::vector<hand_off> hand_offs() override {
    dog_.require_in_time("hand-offs");
    hand_off_times const seen = machine_.copy_to_host(result_)[0];
    if (seen.value != rounds_ * PerRound)
      throw wrong_result("the value was handed on " + std::to_string(seen.value) + " times");
    double ticks = 0;
    for (std::uint32_t k = 0; k < rounds_; ++k) ticks += seen.ticks[k];
    double const ns_per_tick = static_cast<double>(seen.ns) / ticks;
    std::vector<hand_off> found;
    for (std::uint32_t k = 0; k < rounds_; ++k)
      found.push_back({seen.ticks[k] * ns_per_tick / PerRound, std::nan(""), MostBlocks > 1});
    return found;
  }
  int workers() const override { return shape_.blocks; }

 private:
  device& machine_;
  launch_shape shape_;
  std::uint32_t rounds_;
  buffer<hand_off_box> boxes_;
  buffer<std::uint64_t> parts_;
  buffer<hand_off_times> result_;
  watchdog dog_;
  watchdog_ref stopper_{};
};

template <class Kernel, int MostBlocks, int PerRound>
std::unique_ptr<chain> make(device& machine, launch_shape shape, int tasks, double timeout_s) {
  return std::make_unique<primitive_chain<Kernel, MostBlocks, PerRound>>(machine, shape, tasks,
                                                                         timeout_s);
}

}  // namespace

std::vector<primitive> const& all_primitives() {
  using enum hand_off_by;
  static std::vector<primitive> const all{
      {"same-block", "the warps of a block, by its barrier", 0, make<same_block_kernel, 1, 1>},
      {"cluster", "a word in the receiver's shared memory says that its value is there", 90,
       make<hand_off_kernel<cluster>, most_cluster_blocks, 2>},
      {"l2-counter", "a counter in L2 says that the value is there", 0,
       make<hand_off_kernel<counter>, 1 << 16, 2>},
      {"data-as-flag", "a word in L2 says that its value is there", 0,
       make<hand_off_kernel<flag>, 1 << 16, 2>}};
  return all;
}

}  // namespace gridloom::schedulers
