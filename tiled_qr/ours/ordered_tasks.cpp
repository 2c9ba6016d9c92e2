#include "ours/ordered_tasks.hpp"

#include "ours/schedule.hpp"
#include "ours/schedulers.hpp"
#include "tiled_qr/one_launch.hpp"

namespace gridloom::tiled_qr {

namespace {

/// Owns the words of the tiles, and the lists: one per block, or one for all blocks.
template <bool HasLists>
class ordered_memory {
 public:
  explicit ordered_memory(scheduler_setup const& setup)
      : machine_(setup.machine),
        progress_(machine_.allocate<std::uint32_t>(setup.cut.tiles())),
        ticket_(machine_.allocate<std::uint64_t>(1)) {
    auto const& settings = setup.settings;
    // The order of Algorithm 2 needs no list.
    if (!HasLists && settings.order == priority::fifo) return;
    simulated_schedule const made =
        simulate(setup.cut, settings.blocks, settings.order, settings.double_weight);
    numbers_ = machine_.allocate_copy(HasLists ? made.of_worker.tasks : made.by_begin);
    if (HasLists) first_ = machine_.allocate_copy(made.of_worker.first);
  }

  void reset() {
    machine_.fill_bytes(progress_, 0);
    machine_.fill_bytes(ticket_, 0);
  }
  [[nodiscard]] ordered_view view() const {
    return {progress_.data(), numbers_.data(), first_.data(), ticket_.data()};
  }
  [[nodiscard]] std::size_t bytes() const {
    return progress_.bytes() + ticket_.bytes() + numbers_.bytes() + first_.bytes();
  }

 private:
  device& machine_;
  buffer<std::uint32_t> progress_;
  buffer<std::uint64_t> ticket_;
  buffer<std::uint32_t> numbers_;
  buffer<std::uint32_t> first_;
};

template <class T, bool HasLists>
std::unique_ptr<scheduler<T>> make(scheduler_setup const& setup) {
  return std::make_unique<one_launch<T, ordered_kernel, ordered_memory<HasLists>>>(
      setup, launch_shape{setup.settings.blocks, setup.settings.threads});
}

}  // namespace

constinit scheduling_kind const by::static_lists_kind{
    .in_float = make<float, true>, .in_double = make<double, true>, .has_weight = true};
constinit scheduling_kind const by::ticket_kind{.in_float = make<float, false>,
                                                .in_double = make<double, false>,
                                                .has_weight_if_simulated = true};

}  // namespace gridloom::tiled_qr
