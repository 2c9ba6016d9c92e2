// Tests the megakernel with blocks of whole warps, whose lanes and warps follow each other at
// random. On the host a worker is one thread, so here the threads are fibers.

#include <array>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <tuple>
#include <vector>

#include "mhive/megakernel.hpp"
#include "modelled_threads.hpp"

BOOST_AUTO_TEST_SUITE(megakernel_lanes_test)

using namespace gridloom;
using namespace gridloom::mhive;
using namespace gridloom::test;

namespace {

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

/// Chains begin with a warp, a half block or a whole block, and go on in turn.
struct all_sizes {
  static constexpr int block_threads = 128;
  template <int Kind>
  static constexpr int threads = 32 << Kind;
};
/// Each task needs the whole block.
struct whole_blocks {
  static constexpr int block_threads = 128;
  template <int Kind>
  static constexpr int threads = block_threads;
};

constexpr int kind_of(std::uint32_t chain, std::uint32_t step) {
  return static_cast<int>((chain + step) % 3);
}
template <class Sizes>
int threads_of(std::uint32_t task) {
  int const kind = kind_of(task / depth, task % depth);
  return kind == 0   ? Sizes::template threads<0>
         : kind == 1 ? Sizes::template threads<1>
                     : Sizes::template threads<2>;
}

template <class Sizes, int Kind>
struct link_task {
  using work_item = link;
  using next_task = link_task<Sizes, (Kind + 1) % 3>;
  static constexpr int worker_size = Sizes::template threads<Kind>;

  template <class Context>
  static void execute(Context& context, link const& item) {
    scene& of = *context.data();
    auto const& worker = context.worker();
    std::uint32_t const own = item.chain * depth + item.step;
    if (item.step > 0 && of.threads[own - 1] != threads_of<Sizes>(own - 1)) ++of.early;
    ++of.threads[own];
    worker.sync();
    if (worker.thread_rank() != 0) return;
    if (own == of.last) return context.stop();
    if (item.step + 1 < depth) context.template enqueue<next_task>({item.chain, item.step + 1});
  }
};
template <class Sizes>
using queue = phase_queue<phaseless<link_task<Sizes, 0>, link_task<Sizes, 1>, link_task<Sizes, 2>>>;
template <class Sizes>
using kernel = megakernel_body<queue<Sizes>, scene*, 0>;

template <class Sizes>
struct memory_of_run {
  run_words<queue<Sizes>> words{};
  std::array<std::array<tagged<link>, capacity>, 3> slots{};
  std::uint32_t stop = 0;
  std::array<wait_note, blocks * Sizes::block_threads> notes{};
  std::array<typename kernel<Sizes>::scratch, blocks> shared;
};

template <class Sizes>
std::unique_ptr<memory_of_run<Sizes>> run_chains(scene& of, std::uint32_t first,
                                                 std::uint64_t seed) {
  auto state = std::make_unique<memory_of_run<Sizes>>();
  typename kernel<Sizes>::run_type run;
  run.words = &state->words;
  run.control = {&state->words.control, state->words.pending};
  run.dog = {&state->stop, state->notes.data(), 60'000'000'000};
  run.data = &of;
  for_each_type<queue<Sizes>>([&](auto tag) {
    using type = typename decltype(tag)::type;
    constexpr int index = queue<Sizes>::template index_of<type>();
    auto& slots = state->slots[static_cast<std::size_t>(index)];
    for (std::uint32_t t = 0; t < capacity; ++t)
      slots[t].tag = ring_slots_ref<link>::first_tag(t, capacity, first);
    state->words.queues[index].tail = first;
    state->words.queues[index].ready = ready::word(first, 0);
    static_cast<mhive::detail::type_memory<type>&>(run.memory_of).queue = {
        {slots.data(), capacity}, state->words.queues + index, {}};
    direct_memory memory;
    for (std::uint32_t chain = 0; chain < chains; ++chain) {
      if (kind_of(chain, 0) == index)
        run.template put<type>(memory, run.template announce<type>(memory, 1), {chain, 0});
    }
  });
  constexpr int threads = Sizes::block_threads;
  modelled_threads all(blocks * threads, false);
  all.switch_at_random(seed);
  all.run([&](int thread) {
    modelled_group const block(all, thread, threads);
    kernel<Sizes>{run}(block, state->shared[static_cast<std::size_t>(block.index())]);
  });
  BOOST_TEST(of.early == 0);
  return state;
}

using all_sizes_and_whole_blocks = std::tuple<all_sizes, whole_blocks>;

BOOST_AUTO_TEST_CASE_TEMPLATE(workers_execute_every_task_with_all_their_threads, Sizes,
                              all_sizes_and_whole_blocks) {
  for (std::uint32_t const first : {0U, ~0U - 10U}) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      BOOST_TEST_CONTEXT("first ticket " << first << ", seed " << seed) {
        scene of;
        auto const state = run_chains<Sizes>(of, first, seed);
        BOOST_TEST(state->words.control.fault == 0U);
        BOOST_TEST(state->words.control.total == 0);
        BOOST_TEST(state->stop == 0U);
        for (std::uint32_t t = 0; t < chains * depth; ++t)
          BOOST_TEST(of.threads[t] == threads_of<Sizes>(t), "task " << t);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_stopped_run_ends_and_executes_what_units_have_taken, Sizes,
                              all_sizes_and_whole_blocks) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      scene of;
      of.last = static_cast<std::uint32_t>(seed % chains) * depth + 2;
      auto const state = run_chains<Sizes>(of, 0, seed);
      BOOST_TEST(state->stop == 1U);
      for (std::uint32_t t = 0; t < chains * depth; ++t) {
        int const threads = of.threads[t];
        BOOST_TEST((threads == 0 || threads == threads_of<Sizes>(t)), "task " << t);
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
template <class Sizes>
struct long_task {
  using work_item = std::uint32_t;
  static constexpr int worker_size = Sizes::block_threads;

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

/// Is never enqueued.
template <class Sizes>
struct other_task {
  using work_item = std::uint32_t;
  static constexpr int worker_size = Sizes::template threads<0>;
  template <class Context>
  static void execute(Context&, std::uint32_t) {}
};

BOOST_AUTO_TEST_CASE_TEMPLATE(long_tasks_of_blocks_end_with_the_time_limit, Sizes,
                              all_sizes_and_whole_blocks) {
  using task = long_task<Sizes>;
  using tasks = phase_queue<phaseless<task, other_task<Sizes>>>;
  using body = megakernel_body<tasks, int*, 0>;
  constexpr int block_threads = Sizes::block_threads;
  constexpr std::uint32_t room = 2048;
  constexpr std::uint32_t long_tasks = 1000;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    int executed = 0;
    run_words<tasks> words{};
    std::vector<tagged<std::uint32_t>> slots(room);
    std::uint32_t stop = 0;
    std::array<wait_note, blocks * block_threads> notes{};
    std::array<typename body::scratch, blocks> shared;
    typename body::run_type run;
    run.words = &words;
    run.control = {&words.control, words.pending};
    run.dog = {&stop, notes.data(), 20'000'000};
    run.data = &executed;
    for (std::uint32_t t = 0; t < room; ++t)
      slots[t].tag = ring_slots_ref<std::uint32_t>::first_tag(t, room, 0);
    static_cast<mhive::detail::type_memory<task>&>(run.memory_of).queue = {
        {slots.data(), room}, words.queues, {}};
    direct_memory memory;
    for (std::uint32_t t = 0; t < long_tasks; ++t)
      run.template put<task>(memory, run.template announce<task>(memory, 1), t);
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
