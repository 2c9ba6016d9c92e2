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

}  // namespace

template <class T>
std::unique_ptr<scheduler<T>> make_static_lists(scheduler_setup const& setup) {
  return std::make_unique<one_launch<T, ordered_kernel, ordered_memory<true>>>(
      setup, launch_shape{setup.settings.blocks, setup.settings.threads});
}
template <class T>
std::unique_ptr<scheduler<T>> make_ticket(scheduler_setup const& setup) {
  return std::make_unique<one_launch<T, ordered_kernel, ordered_memory<false>>>(
      setup, launch_shape{setup.settings.blocks, setup.settings.threads});
}

template std::unique_ptr<scheduler<float>> make_static_lists(scheduler_setup const&);
template std::unique_ptr<scheduler<double>> make_static_lists(scheduler_setup const&);
template std::unique_ptr<scheduler<float>> make_ticket(scheduler_setup const&);
template std::unique_ptr<scheduler<double>> make_ticket(scheduler_setup const&);

}  // namespace gridloom::tiled_qr
