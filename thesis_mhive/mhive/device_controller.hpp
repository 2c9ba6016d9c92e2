#pragma once
// The persistent device controller (chapters 3.4 and 6.3). One block has a controller thread for
// every queue. These threads launch kernels for the queues' tasks from the device and do not wait
// for the kernels. A global count of active warps shows whether tasks still run, and limits how
// many warps are launched.
//
// On the host, where kernels cannot launch kernels, another scheduler replaces this one.
//
// Departure: each controller thread is the first thread of its own warp, so that launches for
// several queues do not wait for each other.

#include <algorithm>
#include <cstdint>

#include "mhive/controller_plan.hpp"
#include "mhive/dispatch.hpp"
#include "mhive/scheduler.hpp"

namespace gridloom::mhive {

/// The words of the controller and its kernels, in device memory.
struct launcher_words {
  /// Number of warps that were launched and have not ended.
  alignas(line_bytes) std::int64_t warps;
  alignas(line_bytes) std::uint64_t rounds;
  std::uint64_t launches;
  std::uint64_t changes;
  /// The largest value of `warps` that each controller thread saw.
  std::int64_t most_warps[32];
};

/// A type kernel that counts its active warps.
template <class Run, class Type>
struct counted_type_kernel {
  static constexpr int max_threads = type_kernel_threads<Type>;
  static constexpr int min_blocks = type_kernel_blocks<Type>;
  static constexpr bool persistent = false;
  /// Number of warps of one block.
  static constexpr std::int64_t warps = max_threads / unit_threads;
  using scratch = typename type_kernel<Run, Type>::scratch;

  type_kernel<Run, Type> tasks;
  launcher_words* words;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& arena) const {
    tasks(block, arena);
    auto const warp = block.warp();
    // Orders the writes of all threads of the warp before the update below.
    warp.sync();
    if (warp.thread_rank() == 0) {
      direct_memory{}.fetch_sub_acq_rel(&words->warps, std::int64_t{1});
    }
  }
};

template <class Queue, class Data>
struct device_controller_body {
  using run_type = run_ref<Queue, Data, false>;
  static constexpr int max_threads = unit_threads * Queue::num_types;
  /// The kernel has a single block, so no blocks must be resident together.
  static constexpr bool persistent = false;
  static_assert(Queue::num_types <= 32, "a controller has a warp for each of up to 32 queues");

  struct scratch {
    controller_words<Queue> plan;
    std::int64_t warps;
  };

  run_type run;
  launcher_words* words;
  std::int64_t max_warps;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    direct_memory memory;
    watch clock{run.dog, 0};
    std::uint64_t const deadline_ns = now_ns() + run.dog.limit_ns;
    int const own = block.thread_rank() / unit_threads;
    bool const controls = block.thread_rank() % unit_threads == 0;
    bool const first = block.thread_rank() == 0;
    if (first) shared.plan.reset();
    for (;;) {
      if (first) shared.warps = memory.load_acquire(&words->warps);
      block.sync();
      if (controls) shared.plan.look(memory, *run.words, own);
      block.sync();
      if (first) {
        shared.plan.decide(shared.warps == 0);
        auto const active = static_cast<std::uint64_t>(shared.warps);
        if (clock.stop(memory, wait_kind::queue, 0, active, 0)) shared.plan.over = 2;
        words->rounds += 1;
        words->changes = shared.plan.changes;
      }
      block.sync();
      if (shared.plan.over != 0) return;
      if (controls && shared.plan.should_serve(own)) {
        with_type<Queue>(own, [&](auto tag) {
          launch<typename decltype(tag)::type>(block, memory, deadline_ns, shared);
        });
      }
      block.sync();
    }
  }

 private:
  // Launches as many tasks of the type as the limit of warps allows.
  template <class Type, class Block>
  GRIDLOOM_FN void launch(Block const& block, direct_memory& memory, std::uint64_t deadline_ns,
                          scratch& shared) const {
    constexpr int type = Queue::template index_of<Type>();
    using kernel_type = counted_type_kernel<run_type, Type>;
    std::uint32_t const waiting = shared.plan.waiting[type];
    std::int64_t const room = (max_warps - shared.warps) / kernel_type::warps;
    auto blocks = static_cast<std::int64_t>(blocks_for<Type>(waiting, false));
    if (blocks > room) blocks = room;
    if (blocks <= 0) return;
    std::int64_t const warps = blocks * kernel_type::warps;
    std::int64_t const now = memory.fetch_add_relaxed(&words->warps, warps) + warps;
    // Other controller threads have launched warps meanwhile.
    if (now > max_warps) {
      memory.fetch_sub_relaxed(&words->warps, warps);
      return;
    }
    words->most_warps[type] = now > words->most_warps[type] ? now : words->most_warps[type];
    auto const most = static_cast<std::uint32_t>(blocks) * workers_of_block<Type>;
    std::uint32_t const n = waiting < most ? waiting : most;
    std::uint32_t const head = shared.plan.heads[type];
    launch_shape const shape{static_cast<int>(blocks), kernel_type::max_threads};
    kernel_type kernel{{run, head, n}, words};
    kernel.tasks.run.deadline_ns = deadline_ns;
    int const error = launch_from_device(block, shape, kernel);
    if (error != 0) {
      run.stop(memory, fault_kind::launch_failed, error);
      memory.fetch_sub_relaxed(&words->warps, warps);
      return;
    }
    shared.plan.heads[type] = head + n;
    memory.fetch_add_relaxed(&words->launches, std::uint64_t{1});
  }
};

/// The scheduler, for program::run. `OnHost` is the scheduler that replaces it on the host.
template <class OnHost>
struct device_controller_or {
  static constexpr std::string_view name = "device_controller";
  static constexpr bool counts_tasks = false;
  /// How many warps may be launched per warp that fits on the device (the thesis's
  /// oversubscription).
  static constexpr double oversubscription = 1.5;
  static constexpr int controllers = OnHost::controllers;

  template <class Queue, class Data, class Machine>
  static void run(Machine& machine, run_ref<Queue, Data, false> const& shared,
                  buffer<run_words<Queue>> const& words, run_limits const& limits, report& done) {
    if (machine.is_host()) {
      OnHost::run(machine, shared, words, limits, done);
      return;
    }
    using body = device_controller_body<Queue, Data>;
    add_facts<body>(machine, "controller", body::max_threads, done);
    std::int64_t block_warps = 0;
    for_each_type<Queue>([&](auto tag) {
      using type = typename decltype(tag)::type;
      using kernel_type = counted_type_kernel<run_ref<Queue, Data, false>, type>;
      add_facts<kernel_type>(machine, display_name<Queue, type>(), kernel_type::max_threads, done);
      block_warps = std::max(block_warps, kernel_type::warps);
    });
    int const resident_warps = machine.properties().multiprocessors *
                               machine.properties().threads_per_multiprocessor / unit_threads;
    auto const max_warps = limits.workers > 0
                               ? std::int64_t{limits.workers} * block_warps
                               : static_cast<std::int64_t>(oversubscription * resident_warps);
    auto const own = machine.template allocate<launcher_words>(1);
    machine.fill_bytes(own, 0);
    done.elapsed_ms = machine.time_ms([&] {
      machine.launch({1, body::max_threads}, body{shared, own.data(), max_warps});
    });
    launcher_words const counted = machine.copy_to_host(own)[0];
    done.rounds = counted.rounds;
    done.launches = counted.launches;
    done.most_warps =
        *std::max_element(std::begin(counted.most_warps), std::end(counted.most_warps));
    done.phase_changes = counted.changes;
  }
};

}  // namespace gridloom::mhive
