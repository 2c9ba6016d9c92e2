// Both queues between real threads: host workers, under ThreadSanitizer too, and blocks of a CUDA
// device.
//
// Every thread sends its values and takes any, until all have been taken. The data of a value is
// written and read without atomics: the queue alone orders them, and a sanitizer sees if it does
// not.
#include <cstdint>

#include "gridloom/queue/locked_stack.hpp"
#include "gridloom/queue/mpmc_ring.hpp"
#include "test_machines.hpp"

BOOST_AUTO_TEST_SUITE(queue_stress_test)

using namespace gridloom;
using gridloom::test::on_each_machine;
using gridloom::test::test_machine;

namespace {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr std::uint32_t host_values = 40'000;
#else
constexpr std::uint32_t host_values = 100'000;
#endif
constexpr std::uint32_t cuda_values = 20'000;

/// What the kernels of both queues share.
struct traffic {
  std::uint32_t* data;      ///< of each value
  std::uint32_t* received;  ///< how often each value came
  std::uint32_t* errors;    ///< values that came without their data, or from nowhere
  std::uint32_t* taken;     ///< values taken so far
  std::uint32_t total;
  std::uint32_t each;  ///< values of a thread; value = thread · each + k
  watchdog_ref dog;

  GRIDLOOM_FN static std::uint32_t data_of(std::uint32_t value) { return value * 2654435761U + 1U; }
  GRIDLOOM_FN std::uint32_t make(int thread, std::uint32_t k) const {
    std::uint32_t const value = static_cast<std::uint32_t>(thread) * each + k;
    data[value] = data_of(value);
    return value;
  }
  GRIDLOOM_FN void receive(direct_memory& memory, std::uint32_t value) const {
    if (value >= total || data[value] != data_of(value)) {
      memory.fetch_add_relaxed(errors, 1U);
      return;
    }
    memory.fetch_add_relaxed(received + value, 1U);
    memory.fetch_add_relaxed(taken, 1U);
  }
  GRIDLOOM_FN bool all_taken(direct_memory& memory) const {
    return memory.load_relaxed(taken) == total;
  }
};

/// Whole warps push and pop; the number of values differs by lane, so that votes are ragged.
struct ring_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = true;  // a push waits for the consumer of its slot
  traffic shared;
  mpmc_ring_ref ring;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const warp = block.warp();
    direct_memory memory;
    watch patience(shared.dog, block.index());
    int const thread = block.thread().index();
    std::uint32_t k = 0;
    std::uint32_t mine = 0;
    bool holds = false;
    for (unsigned round = 0;; ++round) {
      bool const out_of_time = patience.stop(memory, wait_kind::queue, 0,
                                             memory.load_relaxed(shared.taken), shared.total);
      if (warp.any(out_of_time)) return;
      if (!warp.any(k < shared.each || !shared.all_taken(memory))) return;
      if (!holds && k < shared.each && (round + static_cast<unsigned>(thread)) % 3 != 0) {
        mine = shared.make(thread, k);
        holds = true;
      }
      if (ring.try_push(memory, warp, holds, mine, patience)) {
        holds = false;
        ++k;
      }
      std::uint32_t value = 0;
      bool const got = ring.try_pop(memory, warp, (round + static_cast<unsigned>(thread)) % 5 != 0,
                                    value, patience);
      if (got) shared.receive(memory, value);
      if (!warp.any(got)) warp.pause(round);
    }
  }
};

/// The first thread of each block holds the lock for one item at a time.
struct stack_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = true;
  traffic shared;
  locked_stack_ref stack;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    if (block.thread_rank() != 0) return;
    direct_memory memory;
    watch patience(shared.dog, block.index());
    int const me = block.index();
    std::uint32_t k = 0;
    std::uint32_t mine = 0;
    bool holds = false;
    for (unsigned attempt = 0; k < shared.each || !shared.all_taken(memory); ++attempt) {
      if (patience.stop(memory, wait_kind::queue, 0, memory.load_relaxed(shared.taken),
                        shared.total))
        return;
      if (!holds && k < shared.each) {
        mine = shared.make(me, k);
        holds = true;
      }
      if (!stack.lock().lock(memory, me, patience, 0)) return;
      if (holds && stack.push_locked(memory, mine)) {
        holds = false;
        ++k;
      }
      stack.lock().unlock(memory, me);
      if (!stack.lock().lock(memory, me, patience, 0)) return;
      std::uint32_t value = 0;
      bool const got = stack.pop_locked(memory, value);
      stack.lock().unlock(memory, me);
      if (got) {
        shared.receive(memory, value);
        attempt = 0;
      }
      block.pause(attempt);
    }
  }
};

/// Runs `launch(traffic)` and checks the books.
template <class Launch>
void check_traffic(device& machine, int blocks, std::uint32_t senders, std::uint32_t each,
                   Launch&& launch) {
  std::uint32_t const total = senders * each;
  auto const data = machine.allocate<std::uint32_t>(total);
  auto const received = machine.allocate<std::uint32_t>(total);
  auto const counts = machine.allocate<std::uint32_t>(2);
  machine.fill_bytes(data, 0);
  machine.fill_bytes(received, 0);
  machine.fill_bytes(counts, 0);
  watchdog dog(machine, blocks, 60);
  launch(traffic{data.data(), received.data(), counts.data(), counts.data() + 1, total, each,
                 dog.arm()});
  machine.synchronize();
  auto const lines = dog.lines();
  BOOST_TEST(!dog.fired(), (lines.empty() ? "" : lines.front()));
  auto const seen = machine.copy_to_host(counts);
  BOOST_TEST(seen[0] == 0U);
  BOOST_TEST(seen[1] == total);
  for (std::uint32_t const times : machine.copy_to_host(received)) BOOST_REQUIRE(times == 1U);
}

std::vector<std::uint64_t> empty_slots(std::uint32_t capacity, std::uint32_t first) {
  std::vector<std::uint64_t> slots(capacity);
  for (std::uint32_t i = 0; i < capacity; ++i)
    slots[i] = mpmc_ring_ref::empty_slot(i, capacity, first);
  return slots;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_ring_delivers_every_value_once) {
  on_each_machine([](test_machine const& on, device& machine) {
    // Two slots are always contended; 256 let whole warps in.
    for (std::uint32_t const capacity : {2U, 32U, 256U}) {
      std::uint32_t const first = 0U - capacity - 5;
      auto const slots = machine.allocate_copy(empty_slots(capacity, first));
      auto const words = machine.allocate_copy(std::vector<mpmc_ring_words>{{first, first}});
      mpmc_ring_ref const ring(words.data(), slots.data(), capacity);
      auto const senders = static_cast<std::uint32_t>(on.threads());
      std::uint32_t const each = (machine.is_host() ? host_values : cuda_values) / senders;
      check_traffic(machine, on.shape.blocks, senders, each, [&](traffic const& shared) {
        machine.launch(on.shape, ring_kernel{shared, ring});
      });
    }
  });
}

BOOST_AUTO_TEST_CASE(a_locked_stack_delivers_every_item_once) {
  on_each_machine([](test_machine const& on, device& machine) {
    for (std::uint32_t const capacity : {1U, 64U}) {
      auto const words = machine.allocate_copy(std::vector<locked_stack_words>{{}});
      auto const items = machine.allocate<std::uint32_t>(capacity);
      locked_stack_ref const stack(words.data(), items.data(), capacity);
      auto const senders = static_cast<std::uint32_t>(on.shape.blocks);
      std::uint32_t const each = (machine.is_host() ? host_values : cuda_values) / senders;
      check_traffic(machine, on.shape.blocks, senders, each, [&](traffic const& shared) {
        machine.launch(on.shape, stack_kernel{shared, stack});
      });
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
