// Real threads share the ring: host workers (also under ThreadSanitizer) and CUDA blocks.
#include "gridloom/queue/mpmc_ring.hpp"
#include "queue_traffic.hpp"

BOOST_AUTO_TEST_SUITE(queue_stress_test)

using namespace gridloom;
using namespace gridloom::test;

namespace {

/// Whole warps push and pop. Lanes have different numbers of values, so some idle at times.
struct ring_kernel {
  using scratch = no_scratch;
  /// A push waits for the consumer of its slot, so all blocks must be resident.
  static constexpr bool persistent = true;
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

std::vector<mpmc_ring_ref::slot> empty_slots(std::uint32_t capacity, std::uint32_t first) {
  std::vector<mpmc_ring_ref::slot> slots(capacity);
  for (std::uint32_t i = 0; i < capacity; ++i)
    slots[i] = mpmc_ring_ref::empty_slot(i, capacity, first);
  return slots;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_ring_delivers_every_value_once) {
  on_each_machine([](test_machine const& on, device& machine) {
    // Two slots are always contended; 256 slots have room for whole warps.
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

BOOST_AUTO_TEST_SUITE_END()
