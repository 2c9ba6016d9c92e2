// Real threads share the locked stack: host workers (also under ThreadSanitizer) or CUDA blocks.
#include "queue_traffic.hpp"
#include "wavefront/locked_stack.hpp"

BOOST_AUTO_TEST_SUITE(stack_stress_test)

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::wavefront;

namespace {

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

}  // namespace

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
