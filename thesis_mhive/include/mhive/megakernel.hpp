#pragma once
// The megakernel (chapters 3.3 and 6.2): one persistent kernel for all task types. Its blocks fill
// the device; every unit of a block looks for work of the current phase by itself, so tasks of
// different types and worker sizes run side by side in one block. There is no controller: whoever
// runs out of work looks whether the phase has ended and moves the gate (control.hpp).
//
// Departures from the thesis: phases and termination go by counts of unfinished tasks instead of
// the number of running blocks and the fill levels, which cannot be read at one moment; any unit
// moves the gate, not the first block.

#include <cstdint>
#include <utility>

#include "mhive/team.hpp"

namespace gridloom::mhive {

/// Threads of a megakernel's block: four units, or the largest worker.
template <class Queue>
inline constexpr int megakernel_threads = std::max(4 * unit_threads, Queue::largest_worker);

template <class Queue, class Data>
struct megakernel {
  using run_type = run_ref<Queue, Data>;
  static constexpr int max_threads = megakernel_threads<Queue>;
  static constexpr int units = max_threads / unit_threads;
  static constexpr bool has_teams = Queue::largest_worker > unit_threads;
  static constexpr bool persistent = true;

  struct scratch {
    team_board<units> board;
    std::uint32_t leaving;  // units that saw the end
    scratch_arena<Queue, units> arena;
  };

  run_type run;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    shared.board.reset(block);
    if (block.thread_rank() == 0) shared.leaving = 0;
    block.sync();
    auto const unit = block.warp();
    unit_loop<Block, decltype(unit)>{*this, block, unit, shared}.work();
  }

 private:
  template <class Block, class Unit>
  struct unit_loop {
    megakernel const& kernel;
    Block const& block;
    Unit const& unit;
    scratch& shared;
    int const number = block.thread_rank() / unit.num_threads();  // in the block
    int const units_here = block.num_threads() / unit.num_threads();
    unit_worker<run_type, Unit> worker{kernel.run, unit};
    watch clock{kernel.run.dog, unit.index()};
    std::uint32_t turn = static_cast<std::uint32_t>(unit.index());
    bool leaving = false;

    GRIDLOOM_FN void work() {
      direct_memory& memory = worker.memory();
      for (unsigned idle = 0;;) {
        if (serve_call()) continue;
        if (leaving) {
          if (all_leave(memory)) return;
          unit.pause(idle++);
          continue;
        }
        std::uint64_t const gate_word = look(memory);
        if (gate::state(gate_word) == gate::stopped || stopped(memory)) {
          leave(memory);
          continue;
        }
        int const type = gate::state(gate_word) == gate::open ? choose(gate::phase(gate_word)) : -1;
        if (type >= 0 && execute(type, std::make_integer_sequence<int, Queue::num_types>{})) {
          idle = 0;
          continue;
        }
        worker.settle();
        if (unit.thread_rank() == 0) kernel.run.control.advance(memory);
        unit.pause(idle++);
      }
    }

    // What one thread reads, all threads of the unit act on.
    GRIDLOOM_FN std::uint64_t look(direct_memory& memory) {
      std::uint64_t word = 0;
      if (unit.thread_rank() == 0) word = kernel.run.control.look(memory);
      word = unit.shuffle(word, 0);
      unit.sync();
      return word;
    }

    GRIDLOOM_FN bool stopped(direct_memory& memory) {
      if (!clock.due()) return false;
      bool const out_of_time = clock.out_of_time(memory);
      if (!unit.any(out_of_time)) return false;
      if (unit.thread_rank() == 0) {
        auto const left = memory.load_relaxed(&kernel.run.control.words->total);
        clock.note(wait_kind::queue, 0, static_cast<std::uint64_t>(left), 0);
      }
      return true;
    }

    // A task type that may run and whose queue is not empty; units begin their search at different
    // ones. Each thread looks at one queue, so a search costs two loads however many there are.
    GRIDLOOM_FN int choose(int phase) {
      constexpr int n = Queue::num_types;
      for (int begin = 0; begin < n; begin += unit.num_threads()) {
        int const i = begin + unit.thread_rank();
        int const type = static_cast<int>((turn + static_cast<std::uint32_t>(i)) % n);
        bool const has = i < n && runs_in(type, phase) && filled(type);
        std::uint32_t const found = unit.ballot(has);
        if (found != 0) return unit.shuffle(type, first_lane(found));
      }
      return -1;
    }
    GRIDLOOM_FN bool filled(int type) {
      queue_words* const words = kernel.run.words + type;
      direct_memory& memory = worker.memory();
      std::uint32_t const head = memory.load_relaxed(&words->head);
      return static_cast<std::int32_t>(memory.load_relaxed(&words->tail) - head) > 0;
    }
    GRIDLOOM_FN static bool runs_in(int type, int phase) {
      int const own = Queue::phase_of(type);
      return own < 0 || own == phase;
    }

    template <int... Types>
    GRIDLOOM_FN bool execute(int type, std::integer_sequence<int, Types...>) {
      bool done = false;
      ((type == Types
            ? void(done = execute_type<std::tuple_element_t<Types, typename Queue::types>>())
            : void()),
       ...);
      ++turn;
      return done;
    }

    template <class Type>
    GRIDLOOM_FN bool execute_type() {
      if constexpr (units_of<Type, Unit> == 1) {
        auto const parts = unit.num_threads() / threads_in_unit<Type>;
        auto const workers = static_cast<std::uint32_t>(parts > 0 ? parts : 1);
        return worker.template execute<Type>(shared.arena, number, share<Type>(workers)) > 0;
      } else {
        return lead_team<Type>();
      }
    }

    // Items to take at once: the unit's share of the queue, between one a worker and a few.
    template <class Type>
    GRIDLOOM_FN std::uint32_t share(std::uint32_t workers) {
      std::uint32_t fair = 0;
      if (unit.thread_rank() == 0) {
        queue_words* const words = kernel.run.words + Queue::template index_of<Type>();
        direct_memory& memory = worker.memory();
        std::uint32_t const head = memory.load_relaxed(&words->head);
        std::uint32_t const waiting = memory.load_relaxed(&words->tail) - head;
        fair = waiting / (2U * static_cast<std::uint32_t>(unit.count()));
      }
      fair = unit.shuffle(fair, 0);
      std::uint32_t const most = most_items_a_worker * workers;
      return fair < workers ? workers : (fair < most ? fair : most);
    }

    template <class Type>
    GRIDLOOM_FN bool lead_team() {
      constexpr int size = units_of<Type, Unit>;
      constexpr int index = Queue::template index_of<Type>();
      direct_memory& memory = worker.memory();
      bool calls = false;
      if (unit.thread_rank() == 0 && shared.board.lead(memory, size, number)) {
        group_words& group = shared.board.group(size, number);
        std::uint32_t ticket = 0;
        auto const& queue = kernel.run.template queue_of<Type>();
        bool const claimed = queue.claim(memory, 1, ticket) == 1;
        // An item whose phase has just ended goes back to its queue.
        bool runs = claimed && kernel.run.control.may_run(memory, Queue::phase_of(index));
        if (claimed && !runs) worker.template put_back<Type>(ticket, 1);
        if (runs) runs = worker.template await<Type>(ticket);
        if (runs) {
          group.ticket = ticket;
          group.type = index;
        }
        memory.store_release(&group.state, runs ? group_words::calling : group_words::free);
        calls = runs;
      }
      // The leader joins its own call like everybody else.
      return unit.any(calls) && serve_call();
    }

    GRIDLOOM_FN bool serve_call() {
      if constexpr (!has_teams || std::is_same_v<Unit, thread_of_one>) {
        return false;
      } else {
        int size = 0;
        if (unit.thread_rank() == 0) size = shared.board.called(worker.memory(), number);
        size = unit.shuffle(size, 0);
        if (size == 0) return false;
        unit.sync();
        join(size, std::make_integer_sequence<int, Queue::num_types>{});
        return true;
      }
    }

    template <int... Types>
    GRIDLOOM_FN void join(int size, std::integer_sequence<int, Types...>) {
      std::uint32_t const type = shared.board.group(size, number).type;
      ((type == static_cast<std::uint32_t>(Types)
            ? join_type<std::tuple_element_t<Types, typename Queue::types>>()
            : void()),
       ...);
    }

    template <class Type>
    GRIDLOOM_FN void join_type() {
      constexpr int size = units_of<Type, Unit>;
      if constexpr (size > 1) {
        constexpr int phase = Queue::phase_of(Queue::template index_of<Type>());
        auto const team = block.template tile<size>();
        group_words& group = shared.board.group(size, number);
        team.sync();  // all units are there
        auto const& queue = kernel.run.template queue_of<Type>();
        std::uint32_t const ticket = group.ticket;
        typename Type::work_item const item = queue.item(ticket);
        team.sync();
        direct_memory& memory = worker.memory();
        if (team.thread_rank() == 0) queue.free(memory, ticket);
        auto& scratch = shared.arena.template of<Type>(number / size * size, 0);
        context<run_type, decltype(team), scratch_of_t<Type>> seen{kernel.run, team, scratch};
        Type::execute(seen, item);
        team.sync();  // nobody still sees the call
        if (team.thread_rank() == 0) memory.store_release(&group.state, group_words::free);
        if (number % size == 0) worker.count(phase, 1);
        team.sync();  // and nobody takes the old call for a new one
      }
    }

    // A unit that saw the end still joins the calls of others until all have seen it.
    GRIDLOOM_FN void leave(direct_memory& memory) {
      leaving = true;
      worker.settle();
      if (unit.thread_rank() == 0) memory.fetch_add_acq_rel(&shared.leaving, std::uint32_t{1});
      unit.sync();
    }
    GRIDLOOM_FN bool all_leave(direct_memory& memory) {
      bool all = false;
      if (unit.thread_rank() == 0) {
        all = memory.load_acquire(&shared.leaving) == static_cast<std::uint32_t>(units_here);
      }
      return unit.any(all);
    }
  };
};

}  // namespace gridloom::mhive
