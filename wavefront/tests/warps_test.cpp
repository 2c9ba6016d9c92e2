// Runs schedulers without queues in blocks of whole warps of 32 lanes, which the host backend does
// not have. Fibers act as lanes, and run in rising and in falling order. In a waiting warp, each
// lane lets the others run.

#include <boost/test/unit_test.hpp>
#include <memory>

#include "graphs.hpp"
#include "gridloom/clock.hpp"
#include "modelled_threads.hpp"
#include "wavefront/ours/in_order_cluster_kernel.hpp"
#include "wavefront/ours/in_order_kernels.hpp"
#include "wavefront/ours/stripes.hpp"

BOOST_AUTO_TEST_SUITE(warps_test)

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::wavefront;
using namespace gridloom::wavefront::test;

namespace {

class fiber_block : public modelled_group {
 public:
  fiber_block(modelled_threads& all, int thread)
      : modelled_group(all, thread), all_(&all), thread_(thread) {}
  [[nodiscard]] thread_of_one thread() const { return {thread_, all_->threads()}; }
  void grid_sync() const { sync(); }

 private:
  modelled_threads* all_;
  int thread_;
};

/// The arguments of a kernel besides its graph, for two successive runs.
struct run_setting {
  explicit run_setting(std::uint32_t tasks)
      : values(tasks, 0xa5a5a5a5U), words(tasks), wide_values(tasks), wide_words(tasks) {}

  recurrence_body body() { return {values.data()}; }
  /// Only a hang exceeds this limit.
  watchdog_ref dog() { return {&stop, notes.data(), now_ns() + 300'000'000'000U}; }

  std::vector<std::uint32_t> values;
  std::vector<tagged<std::uint32_t>> words;
  // For runs with wide results:
  std::vector<wide_value> wide_values;
  std::vector<result_word<wide_value>> wide_words;
  std::uint32_t stop = 0;
  std::vector<wait_note> notes = std::vector<wait_note>(64);
  std::vector<std::uint32_t> executed = std::vector<std::uint32_t>(16);
};

/// Runs a kernel with all threads of one block.
template <class Kernel>
void launch(modelled_threads& all, Kernel const& kernel) {
  auto const local = std::make_unique<typename Kernel::scratch>();
  all.run([&](int thread) { kernel(fiber_block(all, thread), *local); });
}

/// Calls make(setting, run, launch) for two runs; it passes its kernel to `launch`. Checks that the
/// results equal those of a serial run.
template <class Make>
void check_runs(test_graph const& graph, int warps, bool falling, Make&& make) {
  auto const expected = serial_results(graph);
  run_setting setting(static_cast<std::uint32_t>(expected.size()));
  modelled_threads all(32 * warps, falling);
  for (std::uint32_t run = 1; run < 3; ++run) {
    std::fill(setting.values.begin(), setting.values.end(), 0xa5a5a5a5U);
    make(setting, run, [&](auto const& kernel) { launch(all, kernel); });
    BOOST_TEST(setting.stop == 0U);
    BOOST_TEST((setting.values == expected), graph.name << ", " << warps << " warps, run " << run
                                                        << (falling ? ", falling" : ""));
  }
}

template <class Check>
void for_warps(Check&& check) {
  for (int const warps : {1, 2, 3}) {
    for (bool const falling : {false, true}) check(warps, falling);
  }
}

lattice shape_of(test_graph const& graph) {
  auto const& size = graph.size.value();
  auto const side = [](std::int64_t n) { return static_cast<std::uint32_t>(n); };
  return {side(size.rows), side(size.cols), side(size.depth)};
}

template <task_order Order>
void check_wide_order(test_graph const& graph, Order const& order, int warps, bool falling) {
  auto const expected = serial_wide_results(graph);
  run_setting to(static_cast<std::uint32_t>(expected.size()));
  modelled_threads all(32 * warps, falling);
  for (std::uint32_t run = 1; run < 3; ++run) {
    std::fill(to.wide_values.begin(), to.wide_values.end(), wide_value{});
    in_order_ref<Order, wide_value> const shared{order, to.wide_words.data(), run, nullptr, true};
    launch(all, in_order_kernel<Order, silent_probe, wide_body>{
                    shared, wide_body{to.wide_values.data()}, to.executed.data(), to.dog(), {}});
    BOOST_TEST(to.stop == 0U);
    BOOST_TEST((to.wide_values == expected),
               graph.name << ", wide results, " << warps << " warps, run " << run);
  }
}

template <task_order Order>
void check_order(test_graph const& graph, Order const& order) {
  for_warps([&](int warps, bool falling) {
    for (bool const tickets : {false, true}) {
      check_runs(graph, warps, falling,
                 [&](run_setting& to, std::uint32_t run, auto const& launched) {
                   std::uint32_t next_round = 0;
                   in_order_ref<Order> const shared{order, to.words.data(), run,
                                                    tickets ? &next_round : nullptr, !tickets};
                   launched(in_order_kernel<Order, silent_probe, recurrence_body>{
                       shared, to.body(), to.executed.data(), to.dog(), {}});
                 });
    }
    check_wide_order(graph, order, warps, falling);
    std::vector<ring_slot> ring(cluster_ring::slots);
    check_runs(graph, warps, falling,
               [&](run_setting& to, std::uint32_t run, auto const& launched) {
                 in_order_ref<Order> const shared{order, to.words.data(), run, nullptr, false};
                 launched(in_order_cluster_kernel<Order, silent_probe, recurrence_body>{
                     shared, to.body(), to.executed.data(), ring.data(), to.dog(), {}});
               });
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(warps_run_bands_of_rows) {
  for (auto const& graph : {lattice_of(1, 9), lattice_of(33, 7), lattice_of(100, 45),
                            lattice_of(70, 5, 3), lattice_of(3, 2, 40)}) {
    lattice const cells = shape_of(graph);
    for_warps([&](int warps, bool falling) {
      for (std::uint32_t const every : {1U, 5U, 16U}) {
        check_runs(graph, warps, falling,
                   [&](run_setting& to, std::uint32_t, auto const& launched) {
                     std::vector<std::uint32_t> progress(cells.rows() / 32 + 1, 0);
                     scheduler_words words{};
                     launched(stripes_kernel<silent_probe, recurrence_body>{
                         cells, to.body(), progress.data(), 1, every, &words, to.dog(), {}});
                     BOOST_TEST(words.finished == cells.tasks());
                   });
      }
    });
  }
}

BOOST_AUTO_TEST_CASE(warps_take_lattices_in_order) {
  for (auto const& graph : {lattice_of(1, 70), lattice_of(20, 41)}) {
    check_order(graph, diagonal_order(shape_of(graph)));
    check_order(graph, own_order<lattice>{shape_of(graph)});
  }
  auto const cube = lattice_of(5, 7, 9);
  check_order(cube, own_order<lattice>{shape_of(cube)});
}

BOOST_AUTO_TEST_CASE(warps_take_graphs_in_order) {
  // Some rounds have tasks that depend on each other, hubs, or more edges than are copied.
  for (auto const& graph : {random_graph(600, 2, false), layered(6, 50, 14), hubs(90)}) {
    auto const& after = graph.rows;
    csr_graph const before = transposed(after);
    dag_ref const dag{static_cast<std::uint32_t>(after.tasks()), after.row_offsets.data(),
                      after.columns.data(), before.row_offsets.data(), before.columns.data()};
    check_order(graph, own_order<dag_ref>{dag});
  }
}

BOOST_AUTO_TEST_SUITE_END()
