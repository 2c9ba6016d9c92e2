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
constexpr std::uint32_t depth = 9;
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
  /// The task that stops the run, if there is one.
  std::uint32_t last = ~0U;
};

/// Number of threads of a task: chains begin with a warp, a half block or a whole block, and go on
/// in turn.
constexpr int threads_of(std::uint32_t chain, std::uint32_t step) {
  return 32 << (chain + step) % 3;
}

template <int Size>
struct link_task {
  using work_item = link;
  using next_task = link_task<Size == block_threads ? 32 : 2 * Size>;
  static constexpr int worker_size = Size;

  template <class Context>
  static void execute(Context& context, link const& item) {
    scene& of = *context.data();
    auto const& worker = context.worker();
    std::uint32_t const own = item.chain * depth + item.step;
    if (item.step > 0 && of.threads[own - 1] != threads_of(item.chain, item.step - 1)) ++of.early;
    ++of.threads[own];
    worker.sync();
    if (worker.thread_rank() != 0) return;
    if (own == of.last) return context.stop();
    if (item.step + 1 < depth) context.template enqueue<next_task>({item.chain, item.step + 1});
  }
};
using queue = phase_queue<phaseless<link_task<32>, link_task<64>, link_task<128>>>;
using kernel = megakernel_body<queue, scene*, 0>;

struct memory_of_run {
  run_words<queue> words{};
  std::array<std::array<tagged<link>, capacity>, 3> slots{};
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

template <class Type>
void put_first(kernel::run_type const& run, std::uint32_t chain) {
  direct_memory memory;
  if (threads_of(chain, 0) != Type::worker_size) return;
  run.put<Type>(memory, run.announce<Type>(memory, 1), {chain, 0});
}

std::unique_ptr<memory_of_run> run_chains(scene& of, std::uint32_t first, std::uint64_t seed) {
  auto state = std::make_unique<memory_of_run>();
  kernel::run_type run;
  run.words = &state->words;
  run.control = {&state->words.control, state->words.pending};
  run.dog = {&state->stop, state->notes.data(), 60'000'000'000};
  run.data = &of;
  use_slots<link_task<32>>(run, *state, first);
  use_slots<link_task<64>>(run, *state, first);
  use_slots<link_task<128>>(run, *state, first);
  for (std::uint32_t chain = 0; chain < chains; ++chain) {
    put_first<link_task<32>>(run, chain);
    put_first<link_task<64>>(run, chain);
    put_first<link_task<128>>(run, chain);
  }
  modelled_threads all(blocks * block_threads, false);
  all.switch_at_random(seed);
  all.run([&](int thread) {
    modelled_group const block(all, thread, block_threads);
    kernel{run}(block, state->shared[static_cast<std::size_t>(block.index())]);
  });
  BOOST_TEST(of.early == 0);
  return state;
}

BOOST_AUTO_TEST_CASE(teams_and_warps_execute_every_task_with_all_their_threads) {
  for (std::uint32_t const first : {0U, ~0U - 10U}) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      BOOST_TEST_CONTEXT("first ticket " << first << ", seed " << seed) {
        scene of;
        auto const state = run_chains(of, first, seed);
        BOOST_TEST(state->words.control.fault == 0U);
        BOOST_TEST(state->words.control.total == 0);
        BOOST_TEST(state->stop == 0U);
        for (std::uint32_t t = 0; t < chains * depth; ++t)
          BOOST_TEST(of.threads[t] == threads_of(t / depth, t % depth), "task " << t);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_stopped_run_ends_and_executes_what_units_have_taken) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      scene of;
      of.last = static_cast<std::uint32_t>(seed % chains) * depth + 2;
      auto const state = run_chains(of, 0, seed);
      BOOST_TEST(state->stop == 1U);
      for (std::uint32_t t = 0; t < chains * depth; ++t) {
        int const threads = of.threads[t];
        BOOST_TEST((threads == 0 || threads == threads_of(t / depth, t % depth)), "task " << t);
      }
      // Each item that was read was executed.
      std::size_t queued = 0;
      for (auto const& slots : state->slots) {
        for (std::uint32_t i = 0; i < capacity; ++i)
          queued += slots[i].tag % capacity == i + 1 ? 1 : 0;
      }
      std::size_t begun = 0;
      for (std::uint32_t t = 0; t < chains * depth; ++t) {
        bool const made = t % depth == 0 || (of.threads[t - 1] != 0 && t - 1 != of.last);
        begun += made && of.threads[t] == 0 ? 1 : 0;
      }
      BOOST_TEST(begun == queued);
    }
  }
}

/// Keeps a whole block busy.
struct long_task {
  using work_item = std::uint32_t;
  static constexpr int worker_size = block_threads;

  template <class Context>
  static void execute(Context& context, std::uint32_t) {
    if (context.worker().thread_rank() == 0) {
      ++*context.data();
      std::uint64_t const begin = now_ns();
      while (now_ns() - begin < 200'000) give_way(0);
    }
    context.worker().sync();
  }
};

BOOST_AUTO_TEST_CASE(long_tasks_of_teams_end_with_the_time_limit) {
  using tasks = phase_queue<phaseless<long_task>>;
  using body = megakernel_body<tasks, int*, 0>;
  constexpr std::uint32_t room = 2048;
  constexpr std::uint32_t long_tasks = 1000;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    int executed = 0;
    run_words<tasks> words{};
    std::vector<tagged<std::uint32_t>> slots(room);
    std::uint32_t stop = 0;
    std::array<wait_note, blocks * block_threads> notes{};
    std::array<body::scratch, blocks> shared;
    body::run_type run;
    run.words = &words;
    run.control = {&words.control, words.pending};
    run.dog = {&stop, notes.data(), 20'000'000};
    run.data = &executed;
    for (std::uint32_t t = 0; t < room; ++t)
      slots[t].tag = ring_slots_ref<std::uint32_t>::first_tag(t, room, 0);
    static_cast<mhive::detail::type_memory<long_task>&>(run.memory_of).queue = {
        {slots.data(), room}, words.queues, {}};
    direct_memory memory;
    for (std::uint32_t t = 0; t < long_tasks; ++t)
      run.put<long_task>(memory, run.announce<long_task>(memory, 1), t);
    modelled_threads all(blocks * block_threads, false);
    all.switch_at_random(seed);
    all.run([&](int thread) {
      modelled_group const block(all, thread, block_threads);
      body{run}(block, shared[static_cast<std::size_t>(block.index())]);
    });
    BOOST_TEST(stop == 1U);
    BOOST_TEST(executed < static_cast<int>(long_tasks));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
