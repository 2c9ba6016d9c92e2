#include "tiled_qr/factorization.hpp"

#include <bit>
#include <stdexcept>
#include <type_traits>

#include "gridloom/parse.hpp"
#include "tiled_qr/scheduler.hpp"

namespace gridloom::tiled_qr {

namespace {

/// Returns the number of blocks that execute tasks; FR3's scheduler block is not counted.
int blocks_of(factorization_settings const& settings) {
  return settings.how->one_worker ? 1 : settings.blocks;
}

void require_range(factorization_settings const& settings) {
  auto const refuse = [](std::string const& what) { throw usage_error(what); };
  if (settings.blocks < 1)
    refuse("--workers: expected at least 1, got " + std::to_string(settings.blocks));
  if (settings.threads < 1 || settings.threads > 256)
    refuse("--threads: expected 1 to 256 threads per block, got " +
           std::to_string(settings.threads));
  if (!(settings.double_weight >= 1 && settings.double_weight <= 100)) {
    refuse("--weight: expected 1 to 100 for a task on two tiles, got " +
           shown(settings.double_weight));
  }
  if (!std::has_single_bit(settings.queue_slots) || settings.queue_slots > 1U << 20U) {
    refuse("--queue-slots: expected a power of two up to 2^20, got " +
           std::to_string(settings.queue_slots));
  }
}

template <class T>
std::unique_ptr<scheduler<T>> make_scheduler(scheduler_setup const& setup) {
  if constexpr (std::is_same_v<T, float>)
    return setup.settings.how->in_float(setup);
  else
    return setup.settings.how->in_double(setup);
}

}  // namespace

template <class T>
struct factorization<T>::state {
  state(device& on, tiling const& size, factorization_settings const& wanted)
      : machine(on),
        cut(size),
        settings(wanted),
        words(on.allocate<run_words>(1)),
        dog(on, blocks_of(wanted) + 1, wanted.timeout_s),
        how(make_scheduler<T>({on, size, wanted})),
        stopper(dog.arm()) {}

  [[nodiscard]] run_state<T> run_of(tiled_matrix_ref<T> const& matrix, trace_ref trace) const {
    if (!(matrix.cut == cut)) throw std::invalid_argument("a matrix of another size");
    return {matrix, words.data(), count_tasks(cut), stopper, trace};
  }

  device& machine;
  tiling cut;
  factorization_settings settings;
  buffer<run_words> words;
  watchdog dog;
  std::unique_ptr<scheduler<T>> how;
  watchdog_ref stopper;
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
void factorization<T>::prepare(tiled_matrix_ref<T> const& matrix, trace_ref trace) {
  state_->how->prepare(state_->run_of(matrix, trace));
}

template <class T>
void factorization<T>::reset() {
  state_->machine.fill_bytes(state_->words, 0);
  state_->how->reset();
  state_->stopper = state_->dog.arm();
}

template <class T>
void factorization<T>::run(tiled_matrix_ref<T> const& matrix, trace_ref trace) {
  state_->how->run(state_->run_of(matrix, trace));
}

template <class T>
void factorization<T>::require_done() {
  run_words const words = state_->machine.copy_to_host(state_->words)[0];
  std::uint64_t const all = count_tasks(state_->cut);
  std::string const of = std::to_string(words.finished) + " of " + std::to_string(all) + " tasks";
  if (state_->dog.fired()) {
    std::string text = timeout_text(state_->settings.timeout_s) + ": " + of + " finished";
    auto const waits = state_->dog.lines();
    if (!waits.empty()) text += "; " + waits[0];
    if (waits.size() > 1) text += ", first of " + std::to_string(waits.size()) + " workers";
    throw timeout_error(text);
  }
  if (words.fault != 0)
    throw wrong_result(
        "internal error: the task grid has a tile with two ready tasks, or with no ready task "
        "while one ran; " +
        of + " finished");
  if (words.finished != all) throw wrong_result("only " + of + " were executed");
}

template <class T>
std::uint64_t factorization<T>::finished() const {
  return state_->machine.copy_to_host(state_->words)[0].finished;
}

template <class T>
std::size_t factorization<T>::bytes() const {
  return state_->words.bytes() + state_->how->bytes();
}

template <class T>
int factorization<T>::observers() const {
  return blocks_of(state_->settings) + 1;
}

template <class T>
kernel_facts factorization<T>::facts() const {
  return state_->how->facts();
}

template class factorization<float>;
template class factorization<double>;

}  // namespace gridloom::tiled_qr
