// The runtime with workers of whole warps, whose lanes follow each other at random. On the host a
// worker is one thread, so here the lanes are fibers.

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <tuple>
#include <vector>

#include "graphs.hpp"
#include "juggler/ours/local_then_shorter.hpp"
#include "modelled_threads.hpp"

BOOST_AUTO_TEST_SUITE(juggler_runtime_lanes_test)

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::juggler;
using namespace gridloom::juggler::test;

namespace {

constexpr std::uint32_t width = 100;
constexpr std::uint32_t tasks = width + 2 + 60;

/// A task with more children than a block has threads, one with as many parents, and random tasks.
task_dag make_graph(std::uint64_t seed) {
  edge_list edges;
  for (std::uint32_t t = 1; t <= width; ++t) {
    edges.emplace_back(0U, t);
    edges.emplace_back(t, width + 1);
  }
  for (auto const& [from, to] : random_edges(tasks - width - 2, seed))
    edges.emplace_back(from + width + 2, to + width + 2);
  return dag_of(tasks, edges);
}

/// Checks that each task runs once, after its parents.
struct checked_steps {
  modelled_group const& block;
  csr_graph const& parents;
  std::vector<std::uint32_t>& runs;
  std::uint32_t& wrong;

  [[nodiscard]] bool stops(direct_memory&) const { return false; }
  void execute(std::uint32_t number, task<std::uint32_t> const& next) {
    if (number != next.data) ++wrong;
    for (std::uint32_t const parent : parents.of(number)) wrong += runs[parent] == 1 ? 0 : 1;
    block.sync();
    if (block.thread_rank() == block.num_threads() - 1) ++runs[number];
    block.sync();
  }
};

template <class Policy>
void check(std::uint32_t workers, int threads, std::uint64_t seed) {
  using worker = worker_of<Policy, std::uint32_t>;
  task_dag const dag = make_graph(seed);
  csr_graph const parents = transposed(dag.children);
  std::vector<task<std::uint32_t>> list;
  std::vector<std::uint32_t> open, ready, runs(tasks);
  for (std::uint32_t t = 0; t < tasks; ++t) {
    list.push_back({dag.kernel_types[t], static_cast<std::uint32_t>(dag.children.of(t).size()),
                    static_cast<std::uint32_t>(dag.children.row_offsets[t]), t});
    open.push_back(static_cast<std::uint32_t>(parents.of(t).size()));
    if (open.back() == 0) ready.push_back(t);
  }
  std::vector<std::uint32_t> queues(workers * (tasks + 1), slot_inbox::empty);
  auto const num_ready = static_cast<std::uint32_t>(ready.size());
  std::vector<inbox_words> inboxes(workers);
  for (std::uint32_t q = 0; q < workers; ++q) {
    inboxes[q].queue_end_index = rt_context_ref::dealt(q, num_ready, workers);
    inboxes[q].iqs = static_cast<std::int32_t>(inboxes[q].queue_end_index);
  }
  rt_words words{};
  std::uint32_t stop = 0;
  std::vector<wait_note> notes(workers);
  std::uint32_t wrong = 0;
  rt_context_ref const context{workers,     tasks,        tasks + 1,     false,
                               num_ready,   ready.data(), queues.data(), inboxes.data(),
                               open.data(), &words,       &stop};
  app_context_ref<std::uint32_t> const app{tasks, list.data(), dag.children.columns.data()};
  std::vector<typename worker::scratch> shared(workers);
  // On a GPU it is not initialised.
  std::memset(static_cast<void*>(shared.data()), 0xa5, workers * sizeof(shared[0]));
  modelled_threads all(static_cast<int>(workers) * threads, false);
  all.switch_at_random(seed);
  all.run([&](int thread) {
    modelled_group const block(all, thread, threads);
    auto const number = static_cast<std::uint32_t>(block.index());
    direct_memory memory;
    watch patience({&stop, notes.data(), 60'000'000'000}, block.index(), true);
    checked_steps steps{block, parents, runs, wrong};
    worker(context, app, number, shared[number]).work(memory, block, patience, steps);
  });
  BOOST_TEST_CONTEXT(workers << " workers of " << threads << ", seed " << seed) {
    BOOST_TEST(wrong == 0U);
    BOOST_TEST(runs == std::vector<std::uint32_t>(tasks, 1));
    BOOST_TEST(words.finished == tasks);
  }
}

using all_policies =
    std::tuple<local_round_robin, global_round_robin, global_round_robin_by_block, local_first,
               local_first_of_task, local_then_shorter, local_then_shorter_slots>;

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(workers_of_whole_warps_run_every_task_once_in_order, Policy,
                              all_policies) {
  for (int const threads : {32, 64}) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) check<Policy>(3, threads, seed);
  }
}

BOOST_AUTO_TEST_SUITE_END()
