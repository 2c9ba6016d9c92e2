// Times and data of a file become whole times on the wanted processors. Conversions are exact and
// round up. A file is refused if a number is missing.

#include "pets/support/platform.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "gridloom/error.hpp"
#include "optimum.hpp"
#include "pets/priorities.hpp"
#include "pets/rivals/list_scheduler.hpp"
#include "pets/support/schedule.hpp"

BOOST_AUTO_TEST_SUITE(platform_test)

using namespace gridloom;
using namespace gridloom::pets;

namespace {

constexpr std::uint64_t million = 1'000'000;

// A diamond with one time per task, in us, and edges in bytes.
weighted_dag workflow() {
  weighted_dag dag;
  dag.graph = {{0, 2, 3, 4, 4}, {1, 2, 3, 3}};
  dag.weights = {1000, 0, 1, 2500};
  dag.costs = {10, 7, 3, 1};
  dag.cost_rows = 4;
  dag.cost_columns = 1;
  dag.unit = "us";
  dag.weight_unit = "byte";
  return dag;
}

task_graph made(weighted_dag dag, platform const& wanted) {
  return on_platform(std::move(dag), wanted, "g.h5: /graph", "g.h5");
}

void refuses(weighted_dag dag, platform const& wanted, std::string const& words) {
  BOOST_CHECK_EXCEPTION((void)made(std::move(dag), wanted), usage_error,
                        [&](usage_error const& error) {
                          BOOST_TEST_INFO(error.what());
                          return std::string(error.what()).find(words) != std::string::npos;
                        });
}

struct text_file {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("pets_platform_test_" + std::to_string(getpid()));
  explicit text_file(std::string const& text) { std::ofstream(path) << text; }
  ~text_file() { std::filesystem::remove(path); }
};

template <class Parse>
void refuses_text(Parse parse, std::string const& text, std::string const& words) {
  BOOST_CHECK_EXCEPTION((void)parse(text), usage_error, [&](usage_error const& error) {
    BOOST_TEST_INFO(error.what());
    return std::string(error.what()).find(words) != std::string::npos;
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(scaling_is_exact_and_rounds_up_and_says_what_does_not_fit) {
  BOOST_TEST(scaled_up(0, 3, 7) == 0U);
  BOOST_TEST(scaled_up(7, 3, 7) == 3U);
  // The exact value is 3.43.
  BOOST_TEST(scaled_up(8, 3, 7) == 4U);
  BOOST_TEST(scaled_up(1, 1, 10'000'000 * million) == 1U);
  // A double would lose the last digits, because it has 53 bits.
  BOOST_TEST(scaled_up((std::uint64_t{1} << 60U) + 1, 1, 1) == (std::uint64_t{1} << 60U) + 1);
  BOOST_TEST(scaled_up(most_total, million, million) == most_total);
  BOOST_TEST(scaled_up(most_total, million, million - 1) == most_total + 1);
  BOOST_TEST(scaled_up(~std::uint64_t{0}, million, 1) == most_total + 1);
}

BOOST_AUTO_TEST_CASE(data_take_latency_and_bytes_over_the_bandwidth) {
  // 400 MB/s are 400 bytes per microsecond, so the transfers take 2.5 and 6.25 microseconds.
  task_graph const graph =
      made(workflow(), {.processors = 2, .bandwidth = {400 * million}, .latency = {5}});
  BOOST_TEST(graph.successors.weights == (std::vector<time_value>{8, 5, 6, 12}));
  BOOST_TEST(graph.unit == "us");
  BOOST_TEST(graph.platform_text == "2 processors alike, 400 MB/s, latency 5 us");
  BOOST_TEST(!graph.links.has_value());
}

BOOST_AUTO_TEST_CASE(bytes_need_a_bandwidth_to_become_times) {
  refuses(workflow(), {}, "g.h5: costs are in us, edges in byte: expected --bandwidth MB/s");
  refuses(workflow(), {.latency = {1}}, "--latency: goes with --bandwidth");
  weighted_dag dag = workflow();
  // Then there is nothing to convert.
  dag.weights.assign(4, 0);
  BOOST_TEST(made(dag, {}).num_processors == usual_processors);
  dag.weight_unit = "us";
  refuses(dag, {.bandwidth = {million}}, "--bandwidth: expected costs in us and edges in byte");
  dag.unit = dag.weight_unit = "1";
  dag.weights = {1, 2, 3, 4};
  BOOST_TEST(made(dag, {}).successors.weights == dag.weights);
}

BOOST_AUTO_TEST_CASE(times_that_do_not_fit_are_refused) {
  weighted_dag dag = workflow();
  dag.weights[0] = most_total;
  refuses(dag, {.processors = 2, .bandwidth = {million - 1}}, "add up to at most");
  refuses(dag, {.processors = 1, .speeds = {1}}, "expected --bandwidth");
  dag = workflow();
  dag.costs[0] = most_total / 2;
  refuses(dag, {.speeds = {1}, .bandwidth = {million}}, "add up to at most");
}

BOOST_AUTO_TEST_CASE(speeds_divide_costs_and_files_with_own_costs_take_none) {
  task_graph const graph =
      made(workflow(), {.speeds = {million, 2 * million, 400'000}, .bandwidth = {million}});
  BOOST_TEST(graph.num_processors == 3U);
  BOOST_TEST(graph.costs == (std::vector<time_value>{10, 5, 25, 7, 4, 18, 3, 2, 8, 1, 1, 3}));
  BOOST_TEST(graph.platform_text == "3 processors by --speeds, 1 MB/s, latency 0 us");
  refuses(workflow(), {.processors = 2, .speeds = {million}, .bandwidth = {million}},
          "--speeds: expected 2 speeds");
  weighted_dag dag = workflow();
  dag.costs.insert(dag.costs.end(), {1, 2, 3, 4});
  dag.cost_columns = 2;
  refuses(dag, {.speeds = {million}, .bandwidth = {million}}, "--speeds: expected none");
  BOOST_TEST(made(dag, {.bandwidth = {million}})
                 .platform_text.starts_with("2 processors by the file's costs"));
}

BOOST_AUTO_TEST_CASE(machines_of_the_file_are_the_processors_unless_others_are_asked_for) {
  weighted_dag dag = workflow();
  dag.machines = 2;
  platform const fast{.bandwidth = {million}};
  BOOST_TEST(made(dag, fast).platform_text.starts_with("2 machines of the file, alike"));
  dag.machine_speeds = {1200, 2400};
  // Tasks of the fast processor take twice as long on the slow one.
  dag.ran_on = {0, 1, 0, 1};
  task_graph const graph = made(dag, fast);
  BOOST_TEST(graph.costs == (std::vector<time_value>{10, 5, 14, 7, 3, 2, 2, 1}));
  BOOST_TEST(graph.platform_text.starts_with("2 machines of the file, 1200 to 2400 MHz"));
  task_graph const others = made(dag, {.processors = 3, .bandwidth = {million}});
  BOOST_TEST(others.costs_of(0).size() == 3U);
  BOOST_TEST(others.costs_of(1)[0] == 7U);
  BOOST_TEST(others.platform_text.starts_with("3 processors alike"));
}

BOOST_AUTO_TEST_CASE(links_by_pair_decide_where_a_task_runs) {
  // 0 -> 1 sends 1,000 bytes. Moving task 1 pays only over a fast link.
  weighted_dag dag;
  dag.graph = {{0, 1, 1}, {1}};
  dag.weights = {1000};
  dag.costs = {10, 90, 90, 90, 9, 9};
  dag.cost_rows = 2;
  dag.cost_columns = 3;
  dag.unit = "us";
  dag.weight_unit = "byte";
  // Processor 0 reaches processor 1 with 10 bytes/us after 1 us, and processor 2 with 100 bytes/us
  // after 3 us. The diagonal is ignored.
  std::vector<std::uint64_t> bandwidth{0, 10, 100, 10, 0, 10, 10, 10, 0};
  for (auto& one : bandwidth) one *= million;
  std::vector<std::uint64_t> const latency{0, 1, 3, 1, 0, 1, 1, 1, 0};
  task_graph const graph = made(dag, {.bandwidth = bandwidth, .latency = latency});
  BOOST_REQUIRE(graph.links.has_value());
  // The means of six pairs are 25 bytes/us and 1 us (rounded down), which gives 41.
  BOOST_TEST(graph.successors.weights[0] == 41U);
  BOOST_TEST(graph.transfer(0, 1, 0) == 101U);
  BOOST_TEST(graph.transfer(0, 2, 0) == 13U);
  BOOST_TEST(graph.transfer(2, 2, 0) == 0U);
  for (list_scheduler const& one : list_schedulers()) {
    if (one.how == policy::literal) {
      BOOST_CHECK_THROW((void)one.run(graph, one.how), usage_error);
      continue;
    }
    // CPOP keeps its critical path on one processor.
    if (one.name.starts_with("cpop")) continue;
    schedule const found = one.run(graph, one.how);
    BOOST_TEST(check_schedule(graph, found) == "");
    BOOST_CHECK(found.of[1] == (placement{2, 23, 32}));
  }
  BOOST_TEST(optimum(graph) == 32U);
  // The check uses the link of the pair, so the same times are wrong for the slow link.
  schedule wrong{{{0, 0, 10}, {1, 23, 32}}, {0, 1}};
  BOOST_TEST(check_schedule(graph, wrong) != "");
  refuses(dag, {.bandwidth = std::vector<std::uint64_t>(4, million)}, "expected a row for each");
}

BOOST_AUTO_TEST_CASE(bytes_follow_their_edges_to_the_predecessors) {
  std::vector<std::uint64_t> const bandwidth{0, million, 2 * million, 0};
  task_graph const graph = made(workflow(), {.bandwidth = bandwidth});
  BOOST_REQUIRE(graph.links.has_value());
  // Bytes of the incoming edges of tasks 1, 2 and 3; task 3 has two edges, from 1 and 2.
  BOOST_TEST(graph.links->bytes == (std::vector<std::uint64_t>{1000, 0, 1, 2500}));
  auto const from = graph.predecessors.offsets[3];
  BOOST_TEST(graph.transfer(1, 0, from + 1) == 1250U);
  BOOST_TEST(graph.transfer(0, 1, from + 1) == 2500U);
}

BOOST_AUTO_TEST_CASE(numbers_are_read_to_the_last_digit_or_refused) {
  BOOST_TEST(parse_speeds("1,2.5,0.000001") == (std::vector<std::uint64_t>{million, 2'500'000, 1}));
  BOOST_TEST(parse_bandwidth("10000000")[0] == 10'000'000 * million);
  BOOST_TEST(parse_latency("7") == (std::vector<std::uint64_t>{7}));
  for (std::string const bad : {"0", "10000000.1", "1.0000001", "1.", ".5", "1,,x", "-1", "1e3"}) {
    refuses_text(parse_speeds, bad, "--speeds: expected");
    refuses_text(parse_bandwidth, bad, "--bandwidth: expected");
  }
  for (std::string const bad : {"1,,2", ",1", "1,", ","}) {
    refuses_text(parse_speeds, bad, "--speeds: expected");
  }
  refuses_text(parse_latency, "0.5", "--latency: expected whole microseconds");
  refuses_text(parse_speeds, "", "--speeds: expected 1 to");
}

BOOST_AUTO_TEST_CASE(files_hold_speeds_and_one_row_per_processor) {
  {
    text_file const file("1 2\n0.5\n");
    BOOST_TEST(parse_speeds(file.path) ==
               (std::vector<std::uint64_t>{million, 2 * million, 500'000}));
    refuses_text(parse_bandwidth, file.path, "expected as many numbers per row as rows, 2, got 1");
  }
  {
    text_file const file("- 10\n\n20.5, 0\n");
    BOOST_TEST(parse_bandwidth(file.path) ==
               (std::vector<std::uint64_t>{0, 10 * million, 20'500'000, 0}));
  }
  {
    text_file const file("0, 1,\n1, 0,\n");
    refuses_text(parse_bandwidth, file.path, ":1: expected MB/s above 0");
  }
  text_file const file("0 1\nx 0\n");
  refuses_text(parse_bandwidth, file.path, ":2: expected MB/s above 0");
}

BOOST_AUTO_TEST_SUITE_END()
