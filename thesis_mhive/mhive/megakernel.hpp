#pragma once
// The megakernel (chapters 3.3 and 6.2): one persistent kernel for all task types. Its blocks fill
// the device. Tasks of different types and worker sizes run concurrently in one block, unless every
// task needs the whole block. Without a controller, the blocks look for work themselves
// (dispatch.hpp). A block without work checks whether the phase has ended, and moves the gate
// (control.hpp).
//
// Departures: phases and termination depend on counts of unfinished tasks. The thesis uses the
// number of running blocks and the fill levels, which cannot be read at the same moment. Any block
// may move the gate, not only the first one.

#include <algorithm>
#include <cstdint>

#include "mhive/dispatch.hpp"
#include "mhive/scheduler.hpp"
#include "mhive/team.hpp"

namespace gridloom::mhive {

/// Threads of a megakernel's block. If all tasks need the same number of threads, more than a warp,
/// a block is one worker. Otherwise larger blocks mean fewer pollers, and smaller ones finer limits
/// on registers.
template <class Queue>
inline constexpr int megakernel_threads = [] {
  constexpr int size = Queue::largest_worker;
  if (Queue::smallest_worker == size && size > unit_threads) return size;
  return std::max(8 * unit_threads, size);
}();

/// `Resident` is the number of threads per multiprocessor for which the compiler must leave
/// registers. 0: the task types decide.
template <class Queue, class Data, int Resident>
struct megakernel_body {
  using run_type = run_ref<Queue, Data, true>;
  static constexpr int max_threads = megakernel_threads<Queue>;
  static constexpr int min_blocks =
      std::max(1, std::max(Resident, Queue::resident_threads) / max_threads);
  static constexpr int units = max_threads / unit_threads;
  static constexpr bool has_teams = Queue::largest_worker > unit_threads;
  static constexpr std::size_t item_bytes = detail::max_team_item<typename Queue::types>;
  static constexpr bool persistent = true;

  struct scratch {
    dispatch_words words;
    team_board<units> board;
    /// Number of units that saw the end of the run.
    std::uint32_t leaving;
    handed_tasks<units, item_bytes> handed;
    scratch_arena<Queue, units> arena;
  };

  run_type run;

  template <thread_group Block>
  GRIDLOOM_FN GRIDLOOM_MHIVE_INLINE void operator()(Block block, scratch& shared) const {
    shared.board.reset(block);
    shared.handed.reset(block);
    if (block.thread_rank() == 0) {
      shared.words = {};
      shared.leaving = 0;
    }
    block.sync();
    auto const unit = block.warp();
    using loop = unit_loop<Block, std::remove_const_t<decltype(unit)>>;
    if constexpr (loop::whole) {
      loop{*this, block, unit, shared}.work_as_block();
    } else if constexpr (max_threads > 256) {
      loop{*this, block, unit, shared}.work_inlined();
    } else {
      loop{*this, block, unit, shared}.work();
    }
  }

 private:
  template <class Block, class Unit>
  struct unit_loop {
    /// Argument of `pause` for a long wait.
    static constexpr unsigned long_wait = 1000;
    /// After this many ticks, about half a millisecond, work counts as long.
    static constexpr std::uint64_t long_work = 1U << 20U;
    static constexpr unsigned long_idle = 32;
    /// The code of at most so many task types is part of the loop.
    static constexpr int few_types = 3;
    /// A unit that executed a task so few turns ago does not pause.
    static constexpr unsigned brief_idle = 8;
    /// How often in a row a unit waits after a long time without work. On the host, pauses grow on
    /// their own.
    static constexpr int rest = std::is_same_v<Unit, thread_of_one> ? 1 : 8;
    /// A block of a single unit has no teams.
    static constexpr bool teams = has_teams && !std::is_same_v<Unit, thread_of_one>;
    /// Whether every task needs the whole block. Then there are no teams.
    static constexpr bool whole = teams && Queue::smallest_worker == max_threads;

    megakernel_body const& kernel;
    Block const& block;
    Unit const& unit;
    scratch& shared;
    int const number = block.thread_rank() / unit.num_threads();
    int const units_here = block.num_threads() / unit.num_threads();
    dispatcher<run_type, Unit> dispatch{kernel.run, unit, shared.words, units_here, block.count()};
    watch clock{kernel.run.dog, unit.index()};
    /// A team's task that this unit was handed and that was not executed yet.
    taken held{};
    /// Whether the unit has called the team.
    bool called = false;
    block_memory memory{};

    /// When the unit last looked at the time limit.
    std::uint64_t looked = now_ticks();

    // The first unit finds tasks. They are handed to the units' places, from which the block
    // executes one after the other.
    GRIDLOOM_FN GRIDLOOM_MHIVE_INLINE void work_as_block() {
      for (;;) {
        if (number == 0) find_tasks();
        block.sync();
        // Read once, because the first unit fills places again after the last of these tasks.
        std::uint32_t left = filled_places();
        if (left == 0) return;
        for (; left != 0; left &= left - 1) {
          int const place = first_lane(left);
          taken const task = shared.handed.look(memory, place);
          with_type<Queue>(task.type, [&](auto tag) {
            execute_by_block<typename decltype(tag)::type>(place, task.first);
          });
          if (number != 0) continue;
          if (unit.thread_rank() == 0) shared.handed.clear(memory, place);
          dispatch.done(task.type, 1);
        }
        if (number == 0) check_time_after_work();
      }
    }
    // Returns when there are tasks, or at the end of the run.
    GRIDLOOM_FN void find_tasks() {
      for (unsigned idle = 0;; ++idle) {
        taken got = dispatch.take();
        if (got.type == range::over) return;
        bool const polled = dispatch.poll(clock, shared.handed, got);
        if (filled_places() != 0) return;
        wait(idle, polled);
      }
    }
    GRIDLOOM_FN std::uint32_t filled_places() {
      int const place = unit.thread_rank();
      return unit.ballot(place < units_here && shared.handed.look(memory, place).type >= 0);
    }
    template <class Type>
    GRIDLOOM_FN void execute_by_block(int place, std::uint32_t ticket) {
      auto const team = block.template tile<units_of<Type, Unit>>();
      execute_item<Type>(kernel.run, team, shared.arena.template of<Type>(0, 0), ticket,
                         shared.handed.template item_of<Type>(place));
    }

    // In a kernel of large blocks, the loop as a function could take more registers than the kernel
    // may. Elsewhere the compiler decides.
    GRIDLOOM_FN void work() { work_inlined(); }
    GRIDLOOM_FN GRIDLOOM_MHIVE_INLINE void work_inlined() {
      for (unsigned idle = 0;; ++idle) {
        if (has_handed()) {
          idle = 0;
          if (!called) call_for_held();
          if (serve_call()) {
            check_time_after_work();
          } else {
            dispatch.check_time_sometimes(clock);
          }
          continue;
        }
        taken got = dispatch.take();
        if (got.type == range::over) {
          if (closes()) return leave();
          continue;
        }
        // TB.R5
        if (got.type < 0 && serve_call()) {
          check_time_after_work();
          idle = 0;
          continue;
        }
        // While units of the block execute tasks, the others rarely look for work. The one that ends
        // its task first does so, and does not wait for a poller.
        bool const polls = idle < brief_idle || !dispatch.others_work() ||
                           idle % (4U * units) == 4U * static_cast<unsigned>(number);
        bool const polled =
            got.type < 0 && polls && !expects_call() && dispatch.poll(clock, shared.handed, got);
        if (got.type >= 0) {
          with_type<Queue>(got.type, [&](auto tag) { execute<typename decltype(tag)::type>(got); });
          idle = 0;
          check_time_after_work();
          continue;
        }
        if (has_handed()) {
          idle = 0;
          continue;
        }
        wait(idle, polled);
      }
    }

    // A unit that waits for the poller leaves the multiprocessor to working units. After a long time
    // without work, a poller leaves the shared words to other blocks, too.
    GRIDLOOM_FN void wait(unsigned idle, bool polled) {
      unit.pause(polled || idle < brief_idle ? idle : long_wait);
      for (int more = 1; idle > long_idle && more < rest && !is_wanted(); ++more) {
        unit.pause(long_wait);
      }
    }

    // A unit that polls in vain checks the time in poll().
    GRIDLOOM_FN void check_time_after_work() {
      std::uint64_t const now = now_ticks();
      if (!unit.any(now - looked > long_work)) return;
      looked = now;
      dispatch.check_time(clock);
    }

    template <class Type>
    GRIDLOOM_FN void execute(taken const& got) {
      if constexpr (units_of<Type, Unit> == 1) {
        if constexpr (Resident == 0 && Queue::num_types > few_types) {
          execute_apart<Type>(got);
        } else {
          execute_in_unit<Type>(kernel.run, unit, shared.arena, number, got);
        }
        dispatch.done(got.type, got.count);
      }
    }
    // Inlined, many task types would take all registers of a thread, unless these are bounded.
    template <class Type>
    GRIDLOOM_FN GRIDLOOM_NOINLINE void execute_apart(taken const& got) {
      execute_in_unit<Type>(kernel.run, unit, shared.arena, number, got);
    }
    // Whether a team calls the unit, or it was handed a task.
    GRIDLOOM_FN bool is_wanted() {
      bool wanted = false;
      if constexpr (teams) {
        if (unit.thread_rank() == 0) {
          wanted = shared.handed.look(memory, number).type >= 0 ||
                   shared.board.called(memory, number).size != 0;
        }
      }
      return unit.any(wanted);
    }
    // Whether the unit has a task for a team.
    GRIDLOOM_FN bool has_handed() {
      if constexpr (teams) {
        if (held.type < 0) {
          if (unit.thread_rank() == 0) held = shared.handed.look(memory, number);
          held.type = unit.shuffle(held.type, 0);
        }
      }
      return held.type >= 0;
    }
    // Whether a unit was handed a task for a team with this unit. It will call, and the team would
    // wait for a unit that looks for work in global memory.
    GRIDLOOM_FN bool expects_call() {
      bool expected = false;
      if constexpr (teams) {
        int const other = unit.thread_rank();
        int const type = other < units_here ? shared.handed.look(memory, other).type : -1;
        int const size = team_size(type);
        expected = type >= 0 && other / size == number / size;
      }
      return unit.any(expected);
    }
    // Number of units in a worker of the task type.
    GRIDLOOM_FN static int team_size(int type) {
      int size = 1;
      with_type<Queue>(type,
                       [&](auto tag) { size = units_of<typename decltype(tag)::type, Unit>; });
      return size;
    }
    // Closes the unit's place at the end of the run (TB.R7).
    GRIDLOOM_FN bool closes() {
      if constexpr (teams) {
        using tasks = decltype(shared.handed);
        return unit.any(
            unit.thread_rank() == 0 &&
            shared.handed.change(memory, number, std::remove_reference_t<tasks>::closed));
      }
      return true;
    }

    // Tries to call the team for the task that this unit was handed.
    GRIDLOOM_FN void call_for_held() {
      if constexpr (teams) {
        int const size = team_size(held.type);
        bool calls = false;
        if (unit.thread_rank() == 0 && shared.board.lead(memory, size, number)) {
          memory.store_release(&shared.board.group(size, number),
                               group_word::call(held.type, held.first, number));  // TB.R4
          calls = true;
        }
        called = unit.any(calls);
      }
    }

    GRIDLOOM_FN bool serve_call() {
      if constexpr (!teams) {
        return false;
      } else {
        team_call call;
        if (unit.thread_rank() == 0) call = shared.board.called(memory, number);
        int const size = unit.shuffle(call.size, 0);
        if (size == 0) return false;
        std::uint64_t const word = unit.shuffle(call.word, 0);
        unit.sync();
        dispatch.enter_team();
        with_type<Queue>(group_word::type(word),
                         [&](auto tag) { join<typename decltype(tag)::type>(word); });
        dispatch.leave_team();
        return true;
      }
    }
    template <class Type>
    GRIDLOOM_FN void join(std::uint64_t call) {
      constexpr int size = units_of<Type, Unit>;
      if constexpr (size > 1) {
        auto const team = block.template tile<size>();
        // Waits until all units have joined.
        team.sync();
        auto& arena = shared.arena.template of<Type>(number / size * size, 0);
        auto const item = shared.handed.template item_of<Type>(group_word::leader(call));
        execute_item<Type>(kernel.run, team, arena, group_word::ticket(call), item);
        // After this barrier, no unit reads the call any more.
        team.sync();
        if (team.thread_rank() == 0) {
          memory.store_release(&shared.board.group(size, number), group_word::free);
        }
        if (number % size == 0) dispatch.done(Queue::template index_of<Type>(), 1);
        // Without this barrier, a unit could take the old call for a new one.
        team.sync();
        if (group_word::leader(call) == number) {
          held = {};  // TB.R6
          called = false;
          if (unit.thread_rank() == 0) shared.handed.clear(memory, number);
        }
      }
    }

    // A unit that saw the end of the run still joins others' calls, until all units have seen it.
    GRIDLOOM_FN void leave() {
      if constexpr (teams) {
        if (unit.thread_rank() == 0) memory.fetch_add_release(&shared.leaving, std::uint32_t{1});
        for (unsigned idle = 0;; ++idle) {
          bool all = false;
          if (unit.thread_rank() == 0) {
            all = memory.load_acquire(&shared.leaving) == static_cast<std::uint32_t>(units_here);
          }
          if (unit.any(all)) return;
          if (!serve_call()) unit.pause(idle);
        }
      }
    }
  };
};

/// The scheduler, for program::run, with a limit on registers. A kernel for all task types takes as
/// many registers as its worst type (chapter 10), so fewer threads are resident. With the limit the
/// compiler spills registers instead, which hides latencies better but slows heavy tasks down.
/// Tasks that call functions out of line may not compile.
template <int Resident>
struct bounded_megakernel {
  static constexpr std::string_view name = Resident == 0      ? "megakernel"
                                           : Resident == 1024 ? "megakernel_1024"
                                                              : "megakernel_1536";
  static constexpr bool counts_tasks = true;
  template <class Queue>
  static constexpr int block_threads = megakernel_threads<Queue>;
  static_assert(Resident == 0 || Resident == 1024 || Resident == 1536,
                "Resident must be 0, 1024 or 1536");

  template <class Queue, class Data, class Machine>
  static void run(Machine& machine, run_ref<Queue, Data, true> const& shared,
                  buffer<run_words<Queue>> const& /*words*/, run_limits const& limits,
                  report& done) {
    using body = megakernel_body<Queue, Data, Resident>;
    int const blocks = limits.workers > 0 ? limits.workers
                       : machine.is_host()
                           ? machine.properties().multiprocessors
                           : machine.template resident_blocks<body>(body::max_threads);
    int const threads = machine.is_host() ? 1 : body::max_threads;
    done.blocks = blocks;
    add_facts<body>(machine, "all task types", threads, done);
    done.elapsed_ms = machine.time_ms([&] { machine.launch({blocks, threads}, body{shared}); });
  }
};

using megakernel = bounded_megakernel<0>;

}  // namespace gridloom::mhive
