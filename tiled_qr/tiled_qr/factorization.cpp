#include "tiled_qr/factorization.hpp"

#include <bit>
#include <cmath>

#include "tiled_qr/grid_scheduler.hpp"
#include "tiled_qr/shared_grid.hpp"

namespace gridloom::tiled_qr {

namespace {

/// Execution blocks, without FR3's scheduler.
int blocks_of(factorization_settings const& settings) {
  return settings.how == scheduling::serial ? 1 : settings.blocks;
}
bool has_queues(factorization_settings const& settings) {
  return settings.how == scheduling::two_kernels || settings.how == scheduling::joined;
}

void require_range(factorization_settings const& settings) {
  auto const refuse = [](std::string const& what) { throw usage_error(what); };
  if (settings.blocks < 1)
    refuse("--workers: expected at least 1, got " + std::to_string(settings.blocks));
  if (settings.threads < 1 || settings.threads > 256)
    refuse("--threads: expected 1 to 256 of a block, got " + std::to_string(settings.threads));
  if (!(settings.double_weight >= 1 && settings.double_weight <= 100)) {
    refuse("--weight: expected 1 to 100 for a task on two tiles, got " +
           std::to_string(settings.double_weight));
  }
  if (!std::has_single_bit(settings.queue_slots) || settings.queue_slots > 1U << 20U) {
    refuse("--queue-slots: expected a power of two up to 2^20, got " +
           std::to_string(settings.queue_slots));
  }
}

}  // namespace

template <class T>
struct factorization<T>::state {
  state(device& on, tiling const& size, factorization_settings const& wanted)
      : machine(on),
        cut(size),
        settings(wanted),
        cells(on.allocate<std::uint32_t>(size.tiles())),
        ready(on.allocate<std::uint32_t>(2 * size.tiles())),
        words(on.allocate<run_words>(1)),
        dog(on, blocks_of(wanted) + 1, wanted.timeout_s) {
    if (!has_queues(wanted)) return;
    auto const blocks = static_cast<std::size_t>(wanted.blocks);
    // A block reports one task at a time, so that more places than blocks are not needed.
    log_finished = static_cast<std::uint32_t>(std::bit_width(blocks));
    queue_words = on.allocate<fifo_words>(blocks + 1);
    ready_slots = on.allocate<std::uint64_t>(blocks * wanted.queue_slots);
    finished_slots = on.allocate<std::uint64_t>(std::size_t{1} << log_finished);
    owed = on.allocate<std::uint32_t>(blocks);
  }

  [[nodiscard]] scheduler_queues queues() const {
    auto const blocks = static_cast<std::uint32_t>(settings.blocks);
    return {queue_words.data(),
            ready_slots.data(),
            static_cast<std::uint32_t>(std::countr_zero(settings.queue_slots)),
            blocks,
            {queue_words.data() + blocks, finished_slots.data(), log_finished},
            static_cast<std::uint32_t>(std::lround(settings.double_weight * parts_of_single)),
            owed.data()};
  }

  template <int MaxTile>
  void launch(run_state<T> const& run) {
    int const threads = settings.threads;
    switch (settings.how) {
      case scheduling::serial: machine.launch({1, threads}, serial_kernel<T, MaxTile>{run}); break;
      case scheduling::shared:
        machine.launch({settings.blocks, threads}, shared_grid_kernel<T, MaxTile>{run});
        break;
      case scheduling::two_kernels:
        machine.launch_together({1, 32}, scheduling_kernel<T>{run, queues()},
                                {settings.blocks, threads},
                                execution_kernel<T, MaxTile>{run, queues()});
        break;
      case scheduling::joined:
        machine.launch({settings.blocks + 1, threads}, joined_kernel<T, MaxTile>{run, queues()});
        break;
    }
  }

  template <int MaxTile>
  [[nodiscard]] kernel_facts facts() const {
    int const threads = settings.threads;
    switch (settings.how) {
      case scheduling::serial: return machine.facts<serial_kernel<T, MaxTile>>(threads);
      case scheduling::shared: return machine.facts<shared_grid_kernel<T, MaxTile>>(threads);
      case scheduling::two_kernels: return machine.facts<execution_kernel<T, MaxTile>>(threads);
      case scheduling::joined: return machine.facts<joined_kernel<T, MaxTile>>(threads);
    }
    return {};
  }

  device& machine;
  tiling cut;
  factorization_settings settings;
  buffer<std::uint32_t> cells;
  buffer<std::uint32_t> ready;
  buffer<run_words> words;
  buffer<fifo_words> queue_words;
  buffer<std::uint64_t> ready_slots;
  buffer<std::uint64_t> finished_slots;
  buffer<std::uint32_t> owed;
  std::uint32_t log_finished = 0;
  watchdog dog;
  watchdog_ref stopper{};
};

template <class T>
factorization<T>::factorization(device& machine, tiling const& cut,
                                factorization_settings const& settings) {
  require_range(settings);
  static_cast<void>(make_tiling(cut.rows, cut.cols, cut.tile));
  state_ = std::make_unique<state>(machine, cut, settings);
}

template <class T>
factorization<T>::~factorization() = default;

template <class T>
void factorization<T>::reset() {
  device& machine = state_->machine;
  machine.fill_bytes(state_->cells, 0);
  machine.fill_bytes(state_->words, 0);
  if (has_queues(state_->settings)) {
    machine.fill_bytes(state_->queue_words, 0);
    machine.fill_bytes(state_->ready_slots, 0);
    machine.fill_bytes(state_->finished_slots, 0);
    machine.fill_bytes(state_->owed, 0);
  }
  state_->stopper = state_->dog.arm();
}

template <class T>
void factorization<T>::run(matrix_ref<T> const& matrix, trace_ref trace) {
  if (!(matrix.cut == state_->cut)) throw std::invalid_argument("a matrix of another size");
  auto const tiles = static_cast<std::uint32_t>(state_->cut.tiles());
  run_state<T> const run{matrix,
                         {state_->cells.data(), state_->cut},
                         {state_->words.data() == nullptr ? nullptr : &state_->words.data()->lists,
                          state_->ready.data(), tiles, state_->settings.order},
                         state_->words.data(),
                         count_tasks(state_->cut),
                         state_->stopper,
                         trace};
  if (state_->cut.tile <= 32) {
    state_->template launch<32>(run);
  } else {
    state_->template launch<largest_tile>(run);
  }
}

template <class T>
void factorization<T>::require_done() {
  run_words const words = state_->machine.copy_to_host(state_->words)[0];
  std::uint64_t const all = count_tasks(state_->cut);
  std::string const of = std::to_string(words.finished) + " of " + std::to_string(all) + " tasks";
  if (state_->dog.fired()) {
    std::string text = "stopped by the watchdog (--timeout-s), " + of + " finished";
    for (auto const& line : state_->dog.lines()) text += "\n  " + line;
    throw timeout_error(text);
  }
  if (words.fault != 0)
    throw wrong_result("the task grid found a tile with two ready tasks, or none where one ran; " +
                       of + " finished");
  if (words.finished != all) throw wrong_result("only " + of + " were executed");
}

template <class T>
std::uint64_t factorization<T>::finished() {
  return state_->machine.copy_to_host(state_->words)[0].finished;
}

template <class T>
std::size_t factorization<T>::bytes() const {
  return state_->cells.bytes() + state_->ready.bytes() + state_->words.bytes() +
         state_->queue_words.bytes() + state_->ready_slots.bytes() +
         state_->finished_slots.bytes() + state_->owed.bytes();
}

template <class T>
int factorization<T>::observers() const {
  return blocks_of(state_->settings) + 1;
}

template <class T>
kernel_facts factorization<T>::facts() const {
  return state_->cut.tile <= 32 ? state_->template facts<32>()
                                : state_->template facts<largest_tile>();
}

template class factorization<float>;
template class factorization<double>;

}  // namespace gridloom::tiled_qr
