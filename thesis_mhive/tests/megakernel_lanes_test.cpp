// Tests the megakernel with blocks of whole warps, whose lanes and warps follow each other at
// random. On the host a worker is one thread, so here the threads are fibers.

#include <array>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <vector>

#include "mhive/megakernel.hpp"
#include "modelled_threads.hpp"

BOOST_AUTO_TEST_SUITE(megakernel_lanes_test)

using namespace gridloom;
using namespace gridloom::mhive;
using namespace gridloom::test;

namespace {

constexpr int block_threads = 128;
constexpr int blocks = 2;
constexpr std::uint32_t chains = 12;
constexpr std::uint32_t depth = 8;
constexpr std::uint32_t capacity = 256;

/// Task `step` of chain `chain`.
struct link {
  std::uint32_t chain;
  std::uint32_t step;
};

struct scene {
  /// Number of threads that executed each task.
  std::vector<int> threads{std::vector<int>(chains * depth)};
  int early = 0;
};

/// A chain whose tasks alternate between teams of a whole block and single warps.
template <int Size>
struct link_task {
  using work_item = link;
  using next_task = link_task<Size == block_threads ? 32 : block_threads>;
  static constexpr int worker_size = Size;

  template <class Context>
  static void execute(Context& context, link const& item) {
    scene& of = *context.data();
    auto const& worker = context.worker();
    std::uint32_t const own = item.chain * depth + item.step;
    if (item.step > 0 && of.threads[own - 1] != next_task::worker_size) ++of.early;
    ++of.threads[own];
    worker.sync();
    if (worker.thread_rank() == 0 && item.step + 1 < depth)
      context.template enqueue<next_task>({item.chain, item.step + 1});
  }
};
using team_task = link_task<block_threads>;
using warp_task = link_task<32>;
using queue = phase_queue<phaseless<team_task, warp_task>>;
using kernel = megakernel_body<queue, scene*, 0>;

struct memory_of_run {
  run_words<queue> words{};
  std::array<std::array<tagged<link>, capacity>, 2> slots{};
  std::uint32_t stop = 0;
  std::array<wait_note, blocks * block_threads> notes{};
  std::array<kernel::scratch, blocks> shared;
};

template <class Type>
void use_slots(kernel::run_type& run, memory_of_run& state, std::uint32_t first) {
  constexpr auto index = static_cast<std::size_t>(queue::index_of<Type>());
  for (std::uint32_t t = 0; t < capacity; ++t)
    state.slots[index][t].tag = ring_slots_ref<link>::first_tag(t, capacity, first);
  state.words.queues[index].tail = first;
  state.words.queues[index].ready = ready::word(first, 0);
  static_cast<mhive::detail::type_memory<Type>&>(run.memory_of).queue = {
      {state.slots[index].data(), capacity}, state.words.queues + index, {}};
}

void check(std::uint32_t first, std::uint64_t seed) {
  scene of;
  auto const state = std::make_unique<memory_of_run>();
  kernel::run_type run;
  run.words = &state->words;
  run.control = {&state->words.control, state->words.pending};
  run.dog = {&state->stop, state->notes.data(), 60'000'000'000};
  run.data = &of;
  use_slots<team_task>(run, *state, first);
  use_slots<warp_task>(run, *state, first);
  direct_memory memory;
  for (std::uint32_t chain = 0; chain < chains; ++chain) {
    if (chain % 3 == 0) {
      run.put<warp_task>(memory, run.announce<warp_task>(memory, 1), {chain, 0});
    } else {
      run.put<team_task>(memory, run.announce<team_task>(memory, 1), {chain, 0});
    }
  }
  modelled_threads all(blocks * block_threads, false);
  all.switch_at_random(seed);
  all.run([&](int thread) {
    modelled_group const block(all, thread, block_threads);
    kernel{run}(block, state->shared[static_cast<std::size_t>(block.index())]);
  });

  BOOST_TEST(state->words.control.fault == 0U);
  BOOST_TEST(state->words.control.total == 0);
  BOOST_TEST(state->stop == 0U);
  BOOST_TEST(of.early == 0);
  for (std::uint32_t t = 0; t < chains * depth; ++t) {
    bool const by_warp = t % depth % 2 == (t / depth % 3 == 0 ? 0 : 1);
    BOOST_TEST(of.threads[t] == (by_warp ? 32 : block_threads), "task " << t);
  }
}

BOOST_AUTO_TEST_CASE(teams_and_warps_execute_every_task_with_all_their_threads) {
  for (std::uint32_t const first : {0U, ~0U - 10U}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      BOOST_TEST_CONTEXT("first ticket " << first << ", seed " << seed) check(first, seed);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
