// The versions without MHive: kernel by kernel as in the thesis (7.4.4), and other methods that a
// user might choose.

#include <algorithm>
#include <type_traits>
#include <utility>

#include "kernels.hpp"
#include "thesis_mhive/apps/jacobi/solver.hpp"

namespace gridloom::mhive::jacobi {
namespace {

/// Launches one or two kernels per iteration. Kernels that were launched beyond the last iteration
/// do nothing.
template <class Value, class Work = by_tasks>
class launches final : public solver {
  using jacobi = jacobi_kernel<Value>;
  using check = check_kernel<Value>;
  using fused = fused_kernel<Value, Work>;
  using looped = looped_kernel<Value, Work>;

 public:
  launches(system<Value> const& of, solver_options const& options, driving how)
      : options_(options),
        machine_(options.machine),
        system_(options.machine, of, options.plan),
        how_(how),
        look_every_(looks(options, how)),
        tasks_(shape<jacobi>(options, system_.ref().num_tasks, false)),
        checks_(shape<check>(
            options,
            how.checks_in_one_block ? 1 : (of.num_rows() - 1) / (8 * check::max_threads) + 1,
            false)),
        fused_(how.loop ? shape<looped>(options, fused_blocks(), true)
                        : shape<fused>(options, fused_blocks(), true)),
        state_(machine_.allocate<run_state>(1)),
        seen_(machine_.allocate_staging<run_state>(1)),
        sums_(machine_.allocate<double>(
            static_cast<std::size_t>(std::max(checks_.blocks, fused_.blocks)))),
        arrived_(machine_.allocate<std::uint32_t>(1)),
        begin_ns_(machine_.allocate<std::uint64_t>(1)) {
    if (how_.loop) {
      iterations_ = machine_.record_loop([&](loop_ref loop) { launch_pass(machine_, loop); });
    } else if (how_.graph) {
      iterations_ = machine_.record([&] { launch(0, look_every_); });
    }
  }

  void reset() override {
    system_.reset();
    machine_.fill_bytes(state_, 0);
    machine_.fill_bytes(arrived_, 0);
  }
  jacobi_result run() override {
    jacobi_result result;
    std::uint32_t launched = 0;
    if (how_.loop) {
      result.elapsed_ms = machine_.time_ms([&] { machine_.replay(iterations_); });
      machine_.copy_to_staging(seen_, state_);
      std::uint32_t const passes = (seen_.data()->iteration - 1) / look_every_ + 1;
      launched = passes * look_every_;
    } else {
      result.elapsed_ms =
          run_with_looks(machine_, state_, seen_, options_.timeout_s, launched, look_every_, [&] {
            if (how_.graph) {
              machine_.replay(iterations_);
            } else {
              launch(launched, look_every_);
            }
          });
    }
    run_state const end = *seen_.data();
    if (end.verdict == outcome::timed_out) throw timeout(options_.timeout_s, end.iteration);
    result.iterations = end.iteration;
    result.residual = end.residual;
    result.verdict = end.verdict;
    result.launches = std::uint64_t{launched} * (how_.graph ? 1 : 2);
    result.largest = facts(machine_);
    return result;
  }
  [[nodiscard]] std::vector<double> x(std::uint32_t iterations) const override {
    return system_.x(iterations);
  }
  [[nodiscard]] std::size_t bytes() const override {
    return system_.bytes() + state_.bytes() + sums_.bytes() + arrived_.bytes() + begin_ns_.bytes();
  }

 private:
  // Number of iterations between two reads of the state, or per pass of a loop. It is small enough
  // for checks of the time limit. For a graph it is even, because a graph's kernels have fixed
  // arrays.
  static std::uint32_t looks(solver_options const& options, driving how) {
    constexpr std::uint32_t most_at_once = 1000;
    if (how.reads_back) return 1;
    std::uint32_t const n =
        std::min({options.check_every, options.rules.max_iterations, most_at_once});
    return how.graph ? n + n % 2 : n;
  }
  [[nodiscard]] std::uint32_t fused_blocks() const {
    return Work::blocks(system_.ref(), machine_.is_host() ? 1 : fused::max_threads);
  }
  template <class Kernel>
  static launch_shape shape(solver_options const& options, std::uint32_t wanted, bool resident) {
    device& machine = options.machine;
    int const threads = machine.is_host() ? 1 : Kernel::max_threads;
    int most = options.workers;
    if (most == 0) most = machine.is_host() ? machine.properties().multiprocessors : 1 << 20;
    if (resident) most = std::min(most, resident_blocks<Kernel>(machine, threads));
    return {static_cast<int>(std::min(static_cast<std::uint32_t>(most), wanted)), threads};
  }
  // A template, because a machine's launches exist only in sources that nvcc compiles.
  template <class Kernel, class Machine>
  static int resident_blocks(Machine const& machine, int threads) {
    return machine.template resident_blocks<Kernel>(threads);
  }
  template <class Machine>
  kernel_facts facts(Machine const& machine) const {
    if (how_.loop) return machine.template facts<looped>(fused_.threads);
    return how_.graph ? machine.template facts<fused>(fused_.threads)
                      : machine.template facts<jacobi>(tasks_.threads);
  }

  void launch(std::uint32_t before, std::uint32_t n) {
    for (std::uint32_t iteration = before + 1; iteration <= before + n; ++iteration) {
      launch_one(machine_, iteration % 2);
    }
  }
  template <class Machine>
  void launch_one(Machine& machine, std::uint32_t parity) {
    if (how_.graph) {
      machine.launch(fused_, fused_of(parity));
      return;
    }
    block_sums_ref const among{sums_.data(), arrived_.data()};
    machine.launch(tasks_, jacobi{system_.ref(), state_.data(), parity});
    machine.launch(checks_, check{system_.ref(), state_.data(), among, options_.rules});
  }
  template <class Machine>
  void launch_pass(Machine& machine, loop_ref loop) {
    auto const limit_ns = static_cast<std::uint64_t>(options_.timeout_s * 1e9);
    for (std::uint32_t k = 1; k <= look_every_; ++k) {
      bool const is_last = k == look_every_;
      machine.launch(fused_, looped{fused_of(k % 2), loop, begin_ns_.data(), limit_ns, is_last});
    }
  }
  fused fused_of(std::uint32_t parity) const {
    block_sums_ref const among{sums_.data(), arrived_.data()};
    return {system_.ref(), state_.data(), among, options_.rules, parity};
  }

  solver_options options_;
  device& machine_;
  device_system<Value> system_;
  driving how_;
  std::uint32_t look_every_;
  launch_shape tasks_;
  launch_shape checks_;
  launch_shape fused_;
  buffer<run_state> state_;
  buffer<run_state> seen_;
  buffer<double> sums_;
  buffer<std::uint32_t> arrived_;
  buffer<std::uint64_t> begin_ns_;
  launch_sequence iterations_;
};

/// Runs `Kernel`, all iterations, in one cooperative launch.
template <class Value, class Kernel>
class grid_synchronised final : public solver {
  using kernel = Kernel;
  static constexpr bool by_rows_alone = std::is_same_v<Kernel, grid_sync_rows_kernel<Value>>;

 public:
  grid_synchronised(system<Value> const& of, solver_options const& options)
      : options_(options),
        machine_(options.machine),
        system_(options.machine, of, options.plan),
        shape_(shape(machine_)),
        state_(machine_.allocate<run_state>(1)),
        sums_(machine_.allocate<double>(2 * static_cast<std::size_t>(shape_.blocks))),
        late_(machine_.allocate<std::uint32_t>(2)) {}

  void reset() override {
    system_.reset();
    machine_.fill_bytes(late_, 0);
  }
  jacobi_result run() override {
    jacobi_result result;
    result.elapsed_ms = launch(machine_);
    run_state const end = machine_.copy_to_host(state_)[0];
    if (end.verdict == outcome::timed_out) throw timeout(options_.timeout_s, end.iteration);
    result.iterations = end.iteration;
    result.residual = end.residual;
    result.verdict = end.verdict;
    result.launches = 1;
    result.largest = facts(machine_);
    return result;
  }
  [[nodiscard]] std::vector<double> x(std::uint32_t iterations) const override {
    return system_.x(iterations);
  }
  [[nodiscard]] std::size_t bytes() const override {
    return system_.bytes() + state_.bytes() + sums_.bytes() + late_.bytes();
  }

 private:
  template <class Machine>
  launch_shape shape(Machine& machine) const {
    int threads = machine.is_host() ? 1 : kernel::max_threads;
    std::uint32_t wanted = 0;
    if constexpr (by_rows_alone) {
      wanted = by_rows::blocks(system_.ref(), threads);
    } else {
      // A small number of tasks is spread over all multiprocessors, with one worker per block.
      std::uint32_t const tasks = system_.ref().num_tasks;
      auto const processors = static_cast<std::uint32_t>(machine.properties().multiprocessors);
      std::uint32_t workers = 1;
      while (workers < kernel::most_workers && workers * processors < tasks) workers *= 2;
      if (machine.is_host()) workers = 1;
      threads = machine.is_host() ? 1 : kernel::worker_threads * static_cast<int>(workers);
      wanted = (tasks - 1) / workers + 1;
    }
    int most = machine.is_host() ? machine.properties().multiprocessors
                                 : machine.template resident_blocks<kernel>(threads);
    if (options_.workers > 0) most = options_.workers;
    return {static_cast<int>(std::min(static_cast<std::uint32_t>(most), wanted)), threads};
  }
  template <class Machine>
  double launch(Machine& machine) {
    auto const limit_ns = static_cast<std::uint64_t>(options_.timeout_s * 1e9);
    kernel const whole{system_.ref(),
                       {state_.data(), sums_.data(), late_.data(), options_.rules, limit_ns}};
    return machine.time_ms([&] { machine.launch(shape_, whole); });
  }
  template <class Machine>
  kernel_facts facts(Machine const& machine) const {
    return machine.template facts<kernel>(shape_.threads);
  }

  solver_options options_;
  device& machine_;
  device_system<Value> system_;
  launch_shape shape_;
  buffer<run_state> state_;
  buffer<double> sums_;
  buffer<std::uint32_t> late_;
};

}  // namespace

template <typename Value>
std::unique_ptr<solver> make_launches(system<Value> const& of, solver_options const& options,
                                      driving how) {
  if (how.by_rows) return std::make_unique<launches<Value, by_rows>>(of, options, how);
  return std::make_unique<launches<Value>>(of, options, how);
}
template <typename Value>
std::unique_ptr<solver> make_grid_sync(system<Value> const& of, solver_options const& options,
                                       bool by_rows) {
  if (by_rows)
    return std::make_unique<grid_synchronised<Value, grid_sync_rows_kernel<Value>>>(of, options);
  return std::make_unique<grid_synchronised<Value, grid_sync_kernel<Value>>>(of, options);
}

template std::unique_ptr<solver> make_launches(system<float> const&, solver_options const&,
                                               driving);
template std::unique_ptr<solver> make_launches(system<double> const&, solver_options const&,
                                               driving);
template std::unique_ptr<solver> make_grid_sync(system<float> const&, solver_options const&, bool);
template std::unique_ptr<solver> make_grid_sync(system<double> const&, solver_options const&, bool);

}  // namespace gridloom::mhive::jacobi
