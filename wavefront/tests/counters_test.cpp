// Compares the accesses that the observing build counts with counts derived by hand from the
// algorithms. There is one worker, so that the counts are exact. Once in `cheap_turns` turns, the
// watchdog loads its stop word, which counts, too.

#include <boost/test/unit_test.hpp>
#include <type_traits>

#include "scheduler_checks.hpp"

BOOST_AUTO_TEST_SUITE(counters_test)

using namespace gridloom;
using namespace gridloom::wavefront;
using namespace gridloom::wavefront::test;

// A silent build cannot count: its probe has no counters.
static_assert(std::is_empty_v<silent_probe> && std::is_empty_v<direct_memory> &&
              std::is_empty_v<no_hook>);

namespace {

configuration config_of(std::string const& algorithm, int blocks, int queues = 1) {
  configuration config;
  config.algorithm = &find_algorithm(algorithm);
  config.blocks = blocks;
  config.queues = queues;
  if (config.algorithm->lanes) config.width = task_width::lane;
  return config;
}

access_counts count(test_graph const& graph, configuration const& config) {
  device machine("host", 0);
  bench on(machine, graph, {config.blocks, config.threads});
  auto const sums = machine.allocate<access_counts>(1);
  machine.fill_bytes(sums, 0);
  probe_ref observer;
  observer.counts = sums.data();
  auto const algorithm = on.make(config, true);
  check_run(on.run(*algorithm, observer), serial_results(graph));
  return machine.copy_to_host(sums)[0];
}

void check_counts(access_counts const& got, access_counts const& expected) {
  BOOST_TEST(got.loads == expected.loads);
  BOOST_TEST(got.stores == expected.stores);
  BOOST_TEST(got.atomics == expected.atomics);
  BOOST_TEST(got.compare_exchanges == expected.compare_exchanges);
}

/// Number of times that the watchdog loads its stop word in a number of turns.
std::uint64_t looks(std::uint64_t turns) { return turns / cheap_turns; }

struct sizes {
  std::uint64_t rows, cols;
  std::uint64_t n() const { return rows * cols; }
  std::uint64_t edges() const { return 2 * rows * cols - rows - cols; }
  test_graph graph() const {
    return lattice_of(static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols));
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(scanning_row_by_row_finds_every_task_ready) {
  // Task numbers are a topological order, so one walk finds every task ready.
  // - Loads: `finished` before and after the walk, and the counter D of every task.
  // - Stores: D of every executed task.
  // - Atomics: one count-down per edge, and `finished` once per task.
  // - CAS: one lock per task.
  for (sizes const s : {sizes{3, 3}, sizes{5, 9}, sizes{1, 40}}) {
    check_counts(count(s.graph(), config_of("scanning", 1)),
                 {s.n() + 2, s.n(), s.edges() + s.n(), s.n()});
  }
}

BOOST_AUTO_TEST_CASE(scanning_against_the_order_walks_once_per_task) {
  // On a chain with falling numbers, each of n walks finds one ready task and reads D of all n
  // tasks. That makes n * n loads, plus `finished` before each walk and at the end. Each task that
  // is not ready is a turn: n * n - n turns.
  constexpr std::uint64_t n = 16;
  check_counts(count(falling_chain(n), config_of("scanning", 1)),
               {n * n + n + 1 + looks(n * n - n), n, (n - 1) + n, n});
}

BOOST_AUTO_TEST_CASE(single_queue_locks_once_per_pop_and_once_per_releasing_task) {
  // Each pop is a turn. The last pop finds the queue empty.
  // - A pop loads `finished`, size and item, stores size, and makes 2 CAS (lock, unlock). At the
  //   end there is one more load of `finished`.
  // - A push loads size, and stores item and size. All tasks but the first are pushed. So there are
  //   3 n + 1 + n - 1 loads and n + 2 (n - 1) stores.
  // - A task that releases another locks once more. The right neighbour is pushed first, so the one
  //   below is popped first, and work goes down column by column. Tasks of row 0 release the right
  //   neighbour and the one below. Later tasks release only the one below, and the last row
  //   nothing. So (rows - 1) cols tasks lock. In a single row, all except the last task lock.
  for (sizes const s : {sizes{3, 3}, sizes{5, 9}, sizes{1, 40}, sizes{40, 1}, sizes{2, 2}}) {
    std::uint64_t const releasing = s.rows > 1 ? (s.rows - 1) * s.cols : s.cols - 1;
    check_counts(count(s.graph(), config_of("single_queue", 1)),
                 {4 * s.n() + looks(s.n() + 1), 3 * s.n() - 2, s.edges() + s.n(),
                  2 * s.n() + 2 * releasing});
  }
}

BOOST_AUTO_TEST_CASE(multi_queue_locks_once_per_pop_and_once_per_released_task) {
  // The counts are those of the single queue, but each of the n - 1 released tasks is pushed under
  // a separate lock.
  for (sizes const s : {sizes{3, 3}, sizes{5, 9}, sizes{1, 40}, sizes{40, 1}}) {
    check_counts(count(s.graph(), config_of("multi_queue", 1)),
                 {4 * s.n() + looks(s.n() + 1), 3 * s.n() - 2, s.edges() + s.n(),
                  2 * s.n() + 2 * (s.n() - 1)});
  }
}

BOOST_AUTO_TEST_CASE(barriers_read_one_word_per_sixteen_levels) {
  // There is one load of `stop_wave` per 16 levels, and one addition of the executed tasks.
  sizes const s{7, 30};
  std::uint64_t const waves = s.rows + s.cols - 1;
  for (auto const* name : {"waves_barrier", "waves_cluster"}) {
    check_counts(count(s.graph(), config_of(name, 1)), {(waves + 15) / 16 + looks(waves), 0, 1, 0});
  }
}

BOOST_AUTO_TEST_CASE(ticket_queue_counts_every_edge_down_once_and_needs_no_lock) {
  // There is one atomic operation per edge. Further operations depend on the queue, but are few,
  // because lanes continue in place. CAS only claims parked tasks, here the first task.
  sizes const s{30, 40};
  auto const got = count(s.graph(), config_of("ticket_queue", 1));
  BOOST_TEST(got.atomics >= s.edges());
  BOOST_TEST(got.atomics <= s.edges() + 2 * s.n());
  BOOST_TEST(got.compare_exchanges <= 1U);
  BOOST_TEST(got.loads + got.stores <= 12 * s.n());
}

BOOST_AUTO_TEST_CASE(in_order_reads_one_word_per_edge_and_writes_one_per_task) {
  // One worker finds all words at its first look. It makes one store per task, and one of the
  // number of tasks. Each place in a round of 32 is a turn. With tickets, there is one addition per
  // round, and one more that finds no round left.
  for (sizes const s : {sizes{3, 3}, sizes{30, 40}, sizes{1, 64}}) {
    std::uint64_t const rounds = (s.n() + 31) / 32;
    std::uint64_t const loads = s.edges() + looks(32 * rounds);
    check_counts(count(s.graph(), config_of("in_order", 1)), {loads, s.n() + 1, 0, 0});
    check_counts(count(s.graph(), config_of("in_order_ticket", 1)),
                 {loads, s.n() + 1, rounds + 1, 0});
    // There is one more store per task, into the only ring. Each round is a turn. There are too few
    // turns for a look at the stop word.
    auto const ring = count(s.graph(), config_of("in_order_cluster", 1));
    BOOST_TEST(ring.loads == s.edges());
    BOOST_TEST(ring.stores == 2 * s.n() + 1);
    BOOST_TEST(ring.atomics + ring.compare_exchanges == 0U);
  }
}

BOOST_AUTO_TEST_CASE(stripes_signal_far_less_than_once_per_task) {
  sizes const s{30, 64};
  auto const got = count(s.graph(), config_of("stripes", 1));
  BOOST_TEST(got.compare_exchanges == 0U);
  BOOST_TEST(got.atomics <= s.rows);
  BOOST_TEST(got.loads + got.stores < s.n());
}

BOOST_AUTO_TEST_CASE(contention_only_adds_to_the_counts_of_one_worker) {
  // In any interleaving a task is popped and pushed once, with 2 CAS each. Failed attempts add CAS.
  sizes const s{20, 30};
  for (int const workers : {2, 8}) {
    auto const multi = count(s.graph(), config_of("multi_queue", workers, workers));
    BOOST_TEST(multi.compare_exchanges >= 2 * s.n() + 2 * (s.n() - 1));
    BOOST_TEST(multi.atomics == s.edges() + s.n());
    BOOST_TEST(multi.stores >= 3 * s.n() - 2);
    auto const single = count(s.graph(), config_of("single_queue", workers));
    BOOST_TEST(single.compare_exchanges >= 2 * s.n());
    BOOST_TEST(single.atomics == s.edges() + s.n());
    auto const scan = count(s.graph(), config_of("scanning", workers));
    BOOST_TEST(scan.compare_exchanges >= s.n());
    BOOST_TEST(scan.atomics == s.edges() + s.n());
    BOOST_TEST(scan.stores == s.n());
  }
}

BOOST_AUTO_TEST_SUITE_END()
