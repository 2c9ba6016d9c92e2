// mhive-rcm: reverse Cuthill-McKee (thesis, 7.3). So far the serial arm alone.

#include <chrono>
#include <cstdio>

#include "gridloom/experiment.hpp"
#include "gridloom/run_meta.hpp"
#include "gridloom/sparse/measures.hpp"
#include "gridloom/sparse/order_file.hpp"
#include "gridloom/sparse/transform.hpp"
#include "problem.hpp"
#include "serial_order.hpp"
#include "start_node.hpp"
#include "validate.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::mhive::rcm;
namespace po = boost::program_options;

struct request {
  std::string matrix;
  std::string spec;
  bool symmetrise = false;
  std::string start = "pseudo-peripheral";
  std::int64_t candidates = start_options{}.most_candidates;
  std::string order_file;
};

po::options_description own_options(request& wanted) {
  po::options_description group("Experiment");
  group.add_options()("matrix", text_option(wanted.matrix, "FILE"),
                      "matrix: Matrix Market, HDF5, METIS or edge list")(
      "generate", text_option(wanted.spec, "SPEC"), "matrix of a generator, see gridloom-matrix")(
      "symmetrize", po::bool_switch(&wanted.symmetrise), "order the pattern of A + A^T")(
      "start", text_option(wanted.start, "pseudo-peripheral|minimum-degree|NODE"),
      "where the order begins")(
      "candidates", int_option("candidates", wanted.candidates, 1, 1 << 20),
      "vertices of the last level that the search for a pseudo-peripheral node tries")(
      "order", text_option(wanted.order_file, "FILE"), "writes the order, a row number a line");
  return group;
}

start_options starts_of(request const& wanted, std::uint32_t num_rows) {
  start_options options;
  options.most_candidates = static_cast<std::uint32_t>(wanted.candidates);
  if (wanted.start == "minimum-degree") {
    options.strategy = start_strategy::minimum_degree;
  } else if (wanted.start != "pseudo-peripheral") {
    if (wanted.start.empty() || wanted.start.find_first_not_of("-0123456789") != std::string::npos)
      throw usage_error("--start: expected pseudo-peripheral, minimum-degree or a row, got \"" +
                        wanted.start + "\"");
    options.strategy = start_strategy::given;
    options.node = static_cast<std::uint32_t>(
        parse_int("--start", wanted.start, 0, std::int64_t{num_rows} - 1));
  }
  return options;
}

void check_options(command_line const& line, request const& wanted) {
  if (line.given("order")) require_writable(wanted.order_file, "--order");
  if (wanted.matrix.empty() == wanted.spec.empty()) {
    throw usage_error("--matrix, --generate: expected one of them");
  }
  for (auto const* option : {"trace", "threads", "workers"}) {
    if (line.given(option)) {
      throw usage_error(std::string("--") + option + ": expected none, the serial arm has no use");
    }
  }
  if (line.given("backend") && line.common().backend == "cuda") {
    throw usage_error("--backend: expected auto or host, the serial arm runs there");
  }
}

result_table runs_table() {
  using enum column_type;
  return {"runs",
          {{"arm", text, "", "version of the ordering"},
           {"matrix", text, "", "file or generator"},
           {"rows", integer, "1", "rows and columns"},
           {"entries", integer, "1", "stored entries, the diagonal included"},
           {"components", integer, "1", "connected components"},
           {"levels", integer, "1", "levels of all components together"},
           {"start", text, "", "how start nodes were chosen"},
           {"searches", integer, "1", "breadth-first searches for the start nodes"},
           {"backend", text, "", "host or cuda"},
           {"repetition", integer, "1", "number of the repetition"},
           {"start_ms", real, "ms", "search for the start nodes"},
           {"order_ms", real, "ms", "ordering from them"},
           {"elapsed_ms", real, "ms", "both, with the order on the host and reversed"},
           {"bandwidth_before", integer, "1", "max - min + 1 of row - column (thesis, Eq. 8.1)"},
           {"bandwidth", integer, "1", "the same after ordering"},
           {"half_bandwidth", integer, "1", "largest |row - column| after ordering"},
           {"verified", text, "", "the order is one, as the graph alone tells: yes, no, off"},
           {"status", text, "", "ok or wrong"}}};
}

double since(std::chrono::steady_clock::time_point begin) {
  std::chrono::duration<double, std::milli> const passed = std::chrono::steady_clock::now() - begin;
  return passed.count();
}

struct timed_order {
  serial_order order;
  std::vector<start_node> starts;
  std::vector<std::uint32_t> reversed;
  double start_ms = 0;
  double order_ms = 0;
  double elapsed_ms = 0;
};

timed_order order_once(graph_ref graph, start_options const& options) {
  timed_order result;
  auto const begin = std::chrono::steady_clock::now();
  result.starts = find_starts(graph, options);
  result.start_ms = since(begin);
  auto const ordering = std::chrono::steady_clock::now();
  result.order = order_from(graph, nodes_of(result.starts));
  result.order_ms = since(ordering);
  result.reversed = result.order.reversed();
  result.elapsed_ms = since(begin);
  return result;
}

int body(int argc, char** argv) {
  request wanted;
  command_line line("mhive-rcm", "Orders a matrix by reverse Cuthill-McKee.");
  line.add_group(own_options(wanted));
  line.add_example("--matrix mario001.mtx.gz --order order.txt", "a matrix from a file");
  line.add_example("--generate poisson2d:nx=300,ny=200 --start minimum-degree", "a generated one");
  line.set_list("arms: serial\nstarts: pseudo-peripheral minimum-degree NODE\n");
  if (!line.parse(argc, argv)) return exit_done;
  auto const& common = line.common();
  check_options(line, wanted);
  problem const given = read_problem(wanted.matrix, wanted.spec, wanted.symmetrise);
  graph_ref const graph = given.graph();
  start_options const options = starts_of(wanted, graph.num_rows);

  run_meta meta = collect_meta("mhive-rcm", argc, argv);
  meta.set("backend", "host");
  meta.set("repeat", std::to_string(common.repeat));
  meta.set("warmup", std::to_string(common.warmup));
  result_table runs = runs_table();
  if (!common.output.empty() && common.append) {
    require_appendable(common.output, meta, std::vector<result_table>{runs});
  }

  timed_order const first = order_once(graph, options);  // also warms up
  std::string verified = "off";
  if (common.verify) {
    auto const faults =
        faults_of(graph, first.order.cuthill_mckee, {.starts = options, .strict = true});
    for (std::string const& fault : faults) std::fprintf(stderr, "mhive-rcm: %s\n", fault.c_str());
    verified = faults.empty() ? "yes" : "no";
  }
  auto const permuted = sparse::permute(given.pattern, first.reversed);
  std::uint64_t const bandwidth_before = sparse::thesis_bandwidth(given.pattern);
  std::uint64_t const bandwidth = sparse::thesis_bandwidth(permuted);
  std::uint32_t const half_bandwidth = sparse::band_of(permuted).half();
  auto const whole = [](auto value) { return static_cast<std::int64_t>(value); };
  std::int64_t levels = 0;
  for (auto const& component : first.order.components) levels += component.num_levels;
  std::int64_t searches = 0;
  for (auto const& start : first.starts) searches += start.num_searches;
  std::vector<double> totals;
  for (int repetition = 0; repetition < common.repeat; ++repetition) {
    timed_order const again = order_once(graph, options);
    bool const same = again.reversed == first.reversed;
    if (!same) verified = "no";
    totals.push_back(again.elapsed_ms);
    runs.add_row({std::string("serial"), given.name, whole(graph.num_rows),
                  whole(given.pattern.num_entries()), whole(first.order.components.size()), levels,
                  wanted.start, searches, std::string("host"), whole(repetition), again.start_ms,
                  again.order_ms, again.elapsed_ms, whole(bandwidth_before), whole(bandwidth),
                  whole(half_bandwidth), verified, std::string(verified == "no" ? "wrong" : "ok")});
  }
  auto const middle = bootstrap_median(totals, common.seed);
  std::printf(
      "%s: %u rows, %zu components, %lld levels, bandwidth %llu -> %llu, serial %.3f ms "
      "[%.3f, %.3f], verified %s\n",
      given.name.c_str(), graph.num_rows, first.order.components.size(),
      static_cast<long long>(levels), static_cast<unsigned long long>(bandwidth_before),
      static_cast<unsigned long long>(bandwidth), middle.median, middle.low, middle.high,
      verified.c_str());
  if (!wanted.order_file.empty()) sparse::write_order(wanted.order_file, first.reversed);
  if (!common.output.empty()) {
    write_results(common.output, meta, std::vector<result_table>{runs},
                  common.append ? write_mode::append : write_mode::replace);
  }
  return verified == "no" ? exit_failed : exit_done;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, body); }
