#pragma once
// A persistent device controller with resident workers. Block 0 is the controller. Every other
// block waits for its mailbox, a word that says which tickets to execute. On the host it replaces
// the thesis's device controller. On CUDA it avoids the launches of device_controller.hpp.
//
// Rules of order, cited where they apply:
// RC.R1. A block sees what the controller saw when it wrote the block's mailbox. The controller
//     writes the word with release order. The block's first thread reads it with acquire order, and
//     then the block synchronises.
// RC.R2. The controller sees what a block's tasks did, above all what they enqueued. The block
//     synchronises. Then its first thread empties the mailbox with release order, and the
//     controller acquires it. So the tails that the controller reads after the mailboxes include
//     the enqueued tasks (controller_plan.hpp).
// RC.R3. A mailbox has one writer at a time: the controller if the mailbox is empty, otherwise the
//     block.
// RC.R4. Progress: a block with work never waits for the controller, and the controller waits for
//     no block. Both leave when the run is stopped.

#include <algorithm>
#include <cstdint>

#include "mhive/controller_plan.hpp"
#include "mhive/dispatch.hpp"
#include "mhive/scheduler.hpp"

namespace gridloom::mhive {

template <class Queue, class Data>
struct resident_controller_body {
  using run_type = run_ref<Queue, Data, false>;
  static constexpr int max_threads = std::max(256, Queue::largest_worker);
  static constexpr int min_blocks = std::max(1, Queue::resident_threads / max_threads);
  static constexpr bool persistent = true;

  struct scratch {
    controller_words<Queue> plan;
    /// Number of blocks that wait for work.
    std::uint32_t free;
    /// For each type, the first of the waiting blocks that get tasks of the type.
    std::uint32_t begins[Queue::num_types + 1];
    /// For each type, the number of tasks per block.
    std::uint32_t shares[Queue::num_types];
    std::uint32_t firsts[Queue::num_types];
    std::uint32_t counts[Queue::num_types];
    std::uint64_t word;
    scratch_arena<Queue, max_threads / unit_threads> arena;
  };

  run_type run;
  /// Array of one mailbox per block. A mailbox is 0 while its block waits.
  std::uint64_t* mailboxes;
  /// Numbers of rounds and of phase changes.
  std::uint64_t* totals;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    if (block.index() == 0) {
      control(block, shared);
    } else {
      work(block, shared);
    }
  }

 private:
  template <class Block>
  GRIDLOOM_FN void work(Block const& block, scratch& shared) const {
    direct_memory memory;
    std::uint64_t* const mailbox = mailboxes + block.index();
    watch clock{run.dog, block.index()};
    for (;;) {
      if (block.thread_rank() == 0) shared.word = wait_for_work(memory, block, clock, mailbox);
      block.sync();
      std::uint64_t const word = shared.word;
      if (range::type(word) == range::over) return;
      with_type<Queue>(range::type(word), [&](auto tag) {
        execute_in_block<typename decltype(tag)::type>(run, block, shared.arena, range::first(word),
                                                       range::count(word), 0);
      });
      block.sync();
      if (block.thread_rank() == 0)
        memory.store_release(mailbox, std::uint64_t{0});  // RC.R2, RC.R3
    }
  }
  template <class Block>
  GRIDLOOM_FN std::uint64_t wait_for_work(direct_memory& memory, Block const& block, watch& clock,
                                          std::uint64_t const* mailbox) const {
    for (unsigned idle = 0;; ++idle) {
      std::uint64_t const word = memory.load_acquire(mailbox);  // RC.R1
      if (word != 0) return word;
      if (clock.stop(memory, wait_kind::queue, 0, 0, 1)) return range::word(range::over, 1, 0);
      block.pause(idle);
    }
  }

  template <class Block>
  GRIDLOOM_FN void control(Block const& block, scratch& shared) const {
    direct_memory memory;
    watch clock{run.dog, 0};
    int const rank = block.thread_rank();
    int const threads = block.num_threads();
    if (rank == 0) shared.plan.reset();
    // Number of rounds in a row that assigned nothing.
    unsigned empty_rounds = 0;
    for (std::uint64_t round = 0;; ++round) {
      if (rank == 0) shared.free = 0;
      block.sync();
      // First finds out which blocks run (RC.R2).
      std::uint32_t ranks[mailboxes_of<Block>];
      for (int k = 0, b = 1 + rank; b < block.count(); ++k, b += threads) {
        bool const waits = memory.load_acquire(mailboxes + b) == 0;
        ranks[k] = waits ? block_memory{}.fetch_add_relaxed(&shared.free, 1U) : none;
      }
      block.sync();
      for (int t = rank; t < Queue::num_types; t += threads) {
        shared.plan.look(memory, *run.words, t);
      }
      block.sync();
      if (rank == 0) {
        bool const idle = shared.free == static_cast<std::uint32_t>(block.count() - 1);
        shared.plan.decide(idle);
        if (clock.stop(memory, wait_kind::queue, 0, shared.free, 0) && shared.plan.over == 0) {
          shared.plan.over = 2;
        }
        assign_tasks(memory, block.num_threads() == 1, shared);
      }
      block.sync();
      if (shared.plan.over != 0) break;
      for (int k = 0, b = 1 + rank; b < block.count(); ++k, b += threads) {
        std::uint64_t const word = ranks[k] == none ? 0 : work_of(shared, ranks[k]);
        if (word != 0) memory.store_release(mailboxes + b, word);  // RC.R1
      }
      if (rank == 0) totals[0] = round + 1;
      empty_rounds = shared.begins[Queue::num_types] == 0 ? empty_rounds + 1 : 0;
      give_way(empty_rounds);
      block.sync();
    }
    if (rank == 0) totals[1] = shared.plan.changes;
    // If the run was stopped, the workers see that themselves.
    if (shared.plan.over != 1) return;
    for (int b = 1 + rank; b < block.count(); b += threads) {
      memory.store_release(mailboxes + b, range::word(range::over, 1, 0));  // RC.R1
    }
  }

  // Assigns waiting tasks to waiting blocks, one type after the other. Called by one thread.
  GRIDLOOM_FN void assign_tasks(direct_memory& memory, bool on_host, scratch& shared) const {
    std::uint32_t used = 0;
    for (int t = 0; t < Queue::num_types; ++t) {
      shared.begins[t] = used;
      std::uint32_t const left = shared.free - used;
      if (left == 0 || !shared.plan.should_serve(t)) continue;
      with_type<Queue>(t, [&](auto tag) {
        constexpr auto workers =
            static_cast<std::uint32_t>(workers_of_block<typename decltype(tag)::type>);
        // Each worker gets one task. With several tasks, it would hold their slots in the ring
        // while executing the first one, and might then wait for room itself.
        std::uint32_t const share = on_host ? 1 : workers;
        std::uint32_t const waiting = shared.plan.waiting[t];
        std::uint32_t const wanted = (waiting + share - 1) / share;
        std::uint32_t const blocks = wanted < left ? wanted : left;
        std::uint32_t const given = blocks * share < waiting ? blocks * share : waiting;
        shared.shares[t] = share;
        shared.counts[t] = given;
        shared.firsts[t] = shared.plan.heads[t];
        shared.plan.heads[t] += given;
        memory.store_relaxed(&run.words->queues[t].ready, ready::word(shared.plan.heads[t], 0));
        used += blocks;
      });
    }
    shared.begins[Queue::num_types] = used;
  }
  // Returns the mailbox word for the waiting block number `rank`.
  GRIDLOOM_FN static std::uint64_t work_of(scratch const& shared, std::uint32_t rank) {
    if (rank >= shared.begins[Queue::num_types]) return 0;
    int type = 0;
    while (rank >= shared.begins[type + 1]) ++type;
    std::uint32_t const from = (rank - shared.begins[type]) * shared.shares[type];
    std::uint32_t const left = shared.counts[type] - from;
    std::uint32_t const n = left < shared.shares[type] ? left : shared.shares[type];
    return range::word(type, n, shared.firsts[type] + from);
  }

  static constexpr std::uint32_t none = ~std::uint32_t{0};
  /// Largest number of mailboxes per thread of the controller on a GPU. On the host, its single
  /// thread has all of them.
  static constexpr int max_mailboxes_per_thread = 16;
  template <class Block>
  static constexpr int mailboxes_of =
      std::is_base_of_v<thread_of_one, Block> ? host_backend::max_workers
                                              : max_mailboxes_per_thread;

 public:
  static constexpr int most_blocks = max_mailboxes_per_thread * max_threads;
};

/// The scheduler, for program::run.
struct resident_controller {
  static constexpr std::string_view name = "resident_controller";
  static constexpr bool counts_tasks = false;
  static constexpr int controllers = 1;

  template <class Queue, class Data, class Machine>
  static void run(Machine& machine, run_ref<Queue, Data, false> const& shared,
                  buffer<run_words<Queue>> const& /*words*/, run_limits const& limits,
                  report& done) {
    using body = resident_controller_body<Queue, Data>;
    // The controller is one block besides the workers.
    int const resident = machine.is_host()
                             ? machine.properties().multiprocessors + 1
                             : machine.template resident_blocks<body>(body::max_threads);
    int const blocks =
        limits.workers > 0 ? limits.workers + 1 : std::min(resident, body::most_blocks);
    int const threads = machine.is_host() ? 1 : body::max_threads;
    done.blocks = blocks;
    add_facts<body>(machine, "all task types", threads, done);
    auto const mailboxes =
        machine.template allocate<std::uint64_t>(static_cast<std::size_t>(blocks));
    auto const totals = machine.template allocate<std::uint64_t>(2);
    machine.fill_bytes(mailboxes, 0);
    machine.fill_bytes(totals, 0);
    done.elapsed_ms = machine.time_ms([&] {
      machine.launch({blocks, threads}, body{shared, mailboxes.data(), totals.data()});
    });
    auto const counted = machine.copy_to_host(totals);
    done.rounds = counted[0];
    done.phase_changes = counted[1];
  }
};

}  // namespace gridloom::mhive
