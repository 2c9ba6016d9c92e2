// mhive-rcm: reverse Cuthill-McKee (thesis, 7.3) by several versions, measured in one run.

#include <algorithm>
#include <cstdio>

#include "experiment.hpp"
#include "gridloom/bench/experiment.hpp"
#include "gridloom/bench/run_meta.hpp"
#include "gridloom/sparse/csr_file.hpp"
#include "gridloom/sparse/order_file.hpp"
#include "problem.hpp"
#include "tables.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::mhive::rcm;
namespace po = boost::program_options;

struct arguments {
  std::string matrix;
  std::string spec;
  bool symmetrise = false;
  std::vector<std::string> arms;
  std::string start = "pseudo-peripheral";
  std::int64_t candidates = start_options{}.most_candidates;
  bool parts = false;
  std::string order_file;
  std::string pattern_file;
};

constexpr std::int64_t most_candidates = 7;  // what the search of `levels` tries side by side

po::options_description own_options(arguments& wanted) {
  po::options_description group("Experiment");
  group.add_options()("matrix", text_option(wanted.matrix, "FILE"),
                      "matrix: Matrix Market, HDF5, METIS or edge list")(
      "generate", text_option(wanted.spec, "SPEC"), "matrix of a generator, see gridloom-matrix")(
      "symmetrize", po::bool_switch(&wanted.symmetrise), "order the pattern of A + A^T")(
      "arm", choice_list_option("arm", wanted.arms, arm_names()),
      "versions to run, see --list; all of them by default")(
      "start", text_option(wanted.start, "pseudo-peripheral|minimum-degree|NODE"),
      "where the order begins")(
      "candidates", int_option("candidates", wanted.candidates, 1, most_candidates),
      "vertices of the last level that the search for a pseudo-peripheral node tries")(
      "parts", po::bool_switch(&wanted.parts),
      "one more run of every arm with the times of its task types")(
      "order", text_option(wanted.order_file, "FILE"),
      "writes the order of the first arm that gave one, a row number a line")(
      "pattern", text_option(wanted.pattern_file, "FILE"),
      "writes the pattern that is ordered as CSR (HDF5), for a spy plot or another program");
  return group;
}

start_options starts_of(arguments const& wanted, std::uint32_t num_rows) {
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

void check_options(command_line const& line, arguments const& wanted) {
  if (line.given("order")) require_writable(wanted.order_file, "--order");
  if (line.given("pattern")) require_writable(wanted.pattern_file, "--pattern");
  if (wanted.matrix.empty() == wanted.spec.empty()) {
    throw usage_error("--matrix, --generate: expected one of them");
  }
  require_different_files({{"--matrix", wanted.matrix},
                           {"--output", line.common().output},
                           {"--order", wanted.order_file},
                           {"--pattern", wanted.pattern_file}});
  for (auto const* option : {"trace", "threads"}) {
    if (line.given(option)) {
      throw usage_error(std::string("--") + option +
                        ": expected none, mhive-rcm has no use for it");
    }
  }
}

void check_machine(device const& machine, common_options const& common, arguments const& wanted) {
  std::int64_t const most = host_backend::max_workers - 1;  // a controller is one more
  if (machine.is_host() && common.workers > most) {
    throw usage_error("--workers: expected at most " + std::to_string(most) + " on the host, got " +
                      std::to_string(common.workers));
  }
  std::vector<std::string> const there = default_arms(machine);
  for (std::string const& arm : wanted.arms) {
    if (std::find(there.begin(), there.end(), arm) == there.end()) {
      throw usage_error("--arm: expected one that runs here, got " + arm +
                        ", which needs a CUDA device");
    }
  }
}

void print_summary(problem const& given, std::vector<std::string> const& names,
                   outcome const& result, std::uint64_t seed) {
  auto const& arms = result.runs.texts("arm");
  if (arms.empty()) return;
  std::printf("%s: %u rows, %llu entries, %lld components, %lld levels, bandwidth %lld\n",
              given.name.c_str(), given.pattern.num_rows,
              static_cast<unsigned long long>(given.pattern.num_entries()),
              static_cast<long long>(result.runs.integers("components")[0]),
              static_cast<long long>(result.runs.integers("levels")[0]),
              static_cast<long long>(result.runs.integers("bandwidth_before")[0]));
  std::printf("%-10s %10s %10s %10s %10s %10s  %s\n", "arm", "start ms", "order ms", "both ms",
              "copies too", "bandwidth", "verified");
  for (std::string const& name : names) {
    std::size_t last = 0;
    auto const median_of = [&](char const* column) {
      std::vector<double> values;
      for (std::size_t row = 0; row < arms.size(); ++row) {
        if (arms[row] != name) continue;
        last = row;
        if (result.runs.texts("status")[row] == "ok") {
          values.push_back(result.runs.reals(column)[row]);
        }
      }
      if (values.empty() || values.front() < 0) return std::string("-");
      char text[32];
      std::snprintf(text, sizeof(text), "%.3f", bootstrap_median(values, seed).median);
      return std::string(text);
    };
    std::string const both = median_of("both_ms");
    std::printf("%-10s %10s %10s %10s %10s %10lld  %s\n", name.c_str(),
                median_of("start_ms").c_str(), median_of("order_ms").c_str(), both.c_str(),
                median_of("elapsed_ms").c_str(),
                static_cast<long long>(result.runs.integers("bandwidth")[last]),
                result.runs.texts("verified")[last].c_str());
  }
}

int body(int argc, char** argv) {
  arguments wanted;
  command_line line("mhive-rcm", "Orders a matrix by reverse Cuthill-McKee.");
  line.add_group(own_options(wanted));
  line.add_example("--matrix mario001.mtx.gz --arm levels --order order.txt",
                   "a matrix from a file, and its order");
  line.add_example("--generate poisson2d:nx=300,ny=200 --start minimum-degree",
                   "a generated one by all arms");
  std::string list = "arms:";
  for (std::string const& name : arm_names()) list += " " + name;
  line.set_list(list + "\nstarts: pseudo-peripheral minimum-degree NODE\n");
  if (!line.parse(argc, argv)) return exit_done;
  auto const& common = line.common();
  check_options(line, wanted);
  device machine(common.backend, common.device);
  check_machine(machine, common, wanted);
  problem const given = read_problem(wanted.matrix, wanted.spec, wanted.symmetrise);
  request asked;
  asked.arms = wanted.arms.empty() ? default_arms(machine) : wanted.arms;
  asked.starts = starts_of(wanted, given.pattern.num_rows);
  asked.start_text = wanted.start;
  asked.with_parts = wanted.parts;

  run_meta const meta = collect_meta("mhive-rcm", argc, argv, machine.properties(), common);
  auto const tables = [&](outcome const& result) {
    std::vector<result_table> all{result.runs};
    if (wanted.parts) all.push_back(result.parts);
    return all;
  };
  if (!common.output.empty() && common.append) {
    require_appendable(common.output, meta, tables({runs_table(), parts_table(), {}, false}));
  }
  outcome const result = run_arms(machine, given, asked, common);
  print_summary(given, asked.arms, result, common.seed);
  if (!wanted.order_file.empty() && !result.order.empty()) {
    sparse::write_order(wanted.order_file, result.order);
  }
  if (!wanted.pattern_file.empty()) {
    sparse::write_csr(wanted.pattern_file, given.pattern, {{"source", given.name}});
  }
  if (!common.output.empty()) {
    write_results(common.output, meta, tables(result),
                  common.append ? write_mode::append : write_mode::replace);
  }
  return result.failed ? exit_failed : exit_done;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, body); }
