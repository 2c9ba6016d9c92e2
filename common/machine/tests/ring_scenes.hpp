#pragma once
// Scenes of two to four workers around one ring, for schedules.

#include <array>
#include <memory>

#include "ring_scene.hpp"

namespace gridloom::test {

/// The workers of a scene with separate producers and consumers.
struct cast_of {
  int producers;
  int consumers;
  /// Values per producer, at most 4. Consumers get equal numbers of values.
  std::uint32_t each;
};

/// How a producer or consumer uses the ring.
enum class style {
  /// Calls try_push and try_pop.
  tries,
  /// One ticket at a time.
  tickets,
  /// Two tickets at a time. Consumers look at both slots before they take a value.
  pairs
};

class producers_and_consumers : public ring_scene {
 public:
  producers_and_consumers(schedule& on, std::uint32_t capacity, std::uint32_t first, cast_of who,
                          style in, style out)
      : ring_scene(on, capacity, first, in == style::tries && out == style::tries),
        who_(who),
        in_(in),
        out_(out) {
    expect(total());
  }
  [[nodiscard]] int workers() const { return who_.producers + who_.consumers; }
  void work(int worker) {
    scheduled_memory memory(on(), worker);
    if (worker < who_.producers) {
      produce(memory, worker);
    } else if (out_ == style::tries) {
      consume_by_tries(memory, worker);
    } else {
      consume_by_tickets(memory, worker, out_ == style::pairs ? 2 : 1);
    }
  }

 private:
  [[nodiscard]] int total() const { return who_.producers * static_cast<int>(who_.each); }

  void produce(scheduled_memory& memory, int worker) {
    scheduled_watch watch(on());
    thread_of_one const self(worker, workers());
    std::uint32_t const step = in_ == style::pairs ? 2 : 1;
    for (std::uint32_t k = 0; k < who_.each; k += step) {
      std::uint32_t value[2] = {make(memory, worker, k), 0};
      if (step == 2) value[1] = make(memory, worker, k + 1);
      if (in_ == style::tries) {
        while (!ring().try_push(memory, self, true, value[0], watch)) on().yielded();
        continue;
      }
      std::uint32_t const ticket = ring().reserve_push(memory, step);
      memory.batch_fence();
      for (std::uint32_t i = 0; i < step; ++i) {
        while (!ring().try_publish(memory, ticket + i, value[i])) on().yielded();
      }
    }
  }
  void consume_by_tries(scheduled_memory& memory, int worker) {
    scheduled_watch watch(on());
    thread_of_one const self(worker, workers());
    while (!all_received()) {
      std::uint32_t value = 0;
      if (ring().try_pop(memory, self, true, value, watch)) {
        receive_in_order(memory, worker, value);
      } else {
        on().yielded();
      }
    }
  }
  void consume_by_tickets(scheduled_memory& memory, int worker, std::uint32_t step) {
    auto const share = static_cast<std::uint32_t>(total() / who_.consumers);
    for (std::uint32_t k = 0; k < share; k += step) {
      std::uint32_t const ticket = ring().reserve_pop(memory, step);
      if (step == 1) {
        std::uint32_t value = 0;
        while (!ring().try_take(memory, ticket, value)) on().yielded();
        receive_in_order(memory, worker, value);
      } else {
        take_pair(memory, worker, ticket);
      }
    }
  }
  /// Like a warp: looks at all slots, executes one fence, and accepts the values that have come.
  void take_pair(scheduled_memory& memory, int worker, std::uint32_t ticket) {
    bool open[2] = {true, true};
    std::uint32_t value[2] = {};
    while (open[0] || open[1]) {
      bool there[2] = {};
      for (std::uint32_t i = 0; i < 2; ++i) {
        if (open[i]) there[i] = ring().look(memory, ticket + i, value[i]);
      }
      memory.batch_fence();
      bool got = false;
      for (std::uint32_t i = 0; i < 2; ++i) {
        if (!there[i]) continue;
        ring().free(memory, ticket + i, value[i]);
        open[i] = false;
        got = true;
        receive(memory, worker, value[i]);
      }
      if (!got) on().yielded();
    }
    for (std::uint32_t const v : value) check_order(worker, v);
  }

  cast_of who_;
  style in_;
  style out_;
};

/// Every worker pushes and pops in turn.
class everybody_does_both : public ring_scene {
 public:
  everybody_does_both(schedule& on, std::uint32_t capacity, std::uint32_t first, int workers,
                      std::uint32_t each)
      : ring_scene(on, capacity, first, true), workers_(workers), each_(each) {
    expect(workers * static_cast<int>(each));
  }
  [[nodiscard]] int workers() const { return workers_; }
  void work(int worker) {
    scheduled_memory memory(on(), worker);
    scheduled_watch watch(on());
    thread_of_one const self(worker, workers_);
    std::uint32_t k = 0;
    bool ready = false;
    std::uint32_t mine = 0;
    while (k < each_ || !all_received()) {
      if (k < each_) {
        if (!ready) mine = make(memory, worker, k);
        ready = !ring().try_push(memory, self, true, mine, watch);
        if (!ready) ++k;
      }
      std::uint32_t value = 0;
      if (ring().try_pop(memory, self, true, value, watch)) {
        receive_in_order(memory, worker, value);
      } else {
        on().yielded();
      }
    }
  }

 private:
  int workers_;
  std::uint32_t each_;
};

/// Two warps of two lanes. Lanes have different numbers of values, and sometimes a lane only pushes
/// or only pops.
class two_warps : public ring_scene {
 public:
  two_warps(schedule& on, std::uint32_t capacity, std::uint32_t first)
      : ring_scene(on, capacity, first, true) {
    expect(2 * (each_[0] + each_[1]));
  }
  [[nodiscard]] static int workers() { return 4; }
  void work(int worker) {
    int const lane = worker % 2;
    scheduled_memory memory(on(), worker);
    scheduled_watch watch(on());
    scheduled_warp const warp(on(), (*boards_)[static_cast<std::size_t>(worker / 2)], worker - lane,
                              2, lane);
    auto const each = static_cast<std::uint32_t>(each_[lane]);
    std::uint32_t k = 0;
    bool ready = false;
    std::uint32_t mine = 0;
    for (int round = 0; warp.any(k < each || !all_received()); ++round) {
      bool const gives = k < each;
      if (gives && !ready) mine = make(memory, worker, k);
      ready = gives;
      if (ring().try_push(memory, warp, gives, mine, watch)) {
        ++k;
        ready = false;
      }
      std::uint32_t value = 0;
      bool const wants = lane == 0 || round % 3 != 2;
      if (ring().try_pop(memory, warp, wants, value, watch))
        receive_in_order(memory, worker, value);
      on().yielded();
    }
  }

 private:
  static constexpr int each_[2] = {3, 2};
  std::unique_ptr<std::array<warp_board, 2>> boards_ =
      std::make_unique<std::array<warp_board, 2>>();
};

}  // namespace gridloom::test
