#include "graphs.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "gridloom/bench/sha256.hpp"
#include "gridloom/error.hpp"
#include "gridloom/taskgraph/shape.hpp"

namespace gridloom::pets {
namespace {

// Adds a file, or all .h5 files of a folder.
void add_files(std::string const& dag, std::vector<std::filesystem::path>& to) {
  if (dag.empty()) throw usage_error("--dag: expected a file name, got an empty one");
  std::error_code failed;
  if (!std::filesystem::is_directory(dag, failed)) {
    to.emplace_back(dag);
    return;
  }
  std::vector<std::filesystem::path> found;
  for (auto const& entry : std::filesystem::directory_iterator(dag, failed)) {
    std::string const ending = entry.path().extension().string();
    if ((ending == ".h5" || ending == ".hdf5") && !entry.is_directory(failed))
      found.push_back(entry.path());
  }
  if (failed) throw usage_error("--dag: " + dag + ": " + failed.message());
  if (found.empty())
    throw usage_error("--dag: " + dag + ": expected files that end in .h5 in the folder, got none");
  std::sort(found.begin(), found.end());
  to.insert(to.end(), found.begin(), found.end());
}

// Names of the files. Files with the same name in different folders also get the folder's name.
std::vector<std::string> names_of(std::vector<std::filesystem::path> const& files) {
  std::vector<std::string> names;
  for (auto const& file : files) {
    auto const same = [&](auto const& other) { return other.filename() == file.filename(); };
    bool const alone = std::count_if(files.begin(), files.end(), same) == 1;
    names.push_back(alone ? file.filename().string() : file.string());
  }
  return names;
}

}  // namespace

analysed_graph::analysed_graph(named_graph of)
    : named_graph(std::move(of)), by(priorities_of(graph)) {
  widest_level = shape_of(by_number(by.level)).widest_level;
}

void add_options(bench::program& app, graph_inputs& wanted) {
  namespace po = boost::program_options;
  app.options()("dag", po::value(&wanted.dags)->composing()->value_name("FILE.h5"),
                "task graph imported by scripts/datasets, or a folder of such files; may be "
                "given several times")(
      "generate", po::value(&wanted.specifications)->composing()->value_name("SPEC"),
      "task graph made from a specification; may be given several times")(
      "processors", int_option("processors", wanted.processors, 1, most_processors),
      "number of processors; default for files: the processors with costs in the file, or its "
      "machines")("speeds", text_option(wanted.speeds, "A,B,...|FILE"),
                  "speeds of the processors, for a file with one time per task; a processor of "
                  "speed 2 takes half the time")(
      "bandwidth", text_option(wanted.bandwidth, "MB/s|FILE"),
      "bandwidth between processors, for a file with data in bytes; FILE has one row per "
      "processor")("latency", text_option(wanted.latency, "US|FILE"),
                   "microseconds before the data: a number or a FILE; default: 0")(
      "count", int_option("count", wanted.count, 1),
      "number of graphs per SPEC, with consecutive seeds from --seed on");
  app.line().add_rules({{.option = "speeds", .needs = {"dag"}},
                        {.option = "bandwidth", .needs = {"dag"}},
                        {.option = "latency", .needs = {"dag"}},
                        {.option = "count", .needs = {"generate"}}});
}

void check_inputs(bench::program& app, graph_inputs& wanted) {
  command_line const& line = app.line();
  if (line.given("dag") == line.given("generate"))
    throw usage_error("--dag, --generate: expected one of them");
  for (std::string const& one : wanted.specifications) {
    if (!one.empty()) (void)parameters_of(one);
  }
  for (std::string const& one : wanted.dags) add_files(one, wanted.files);
  platform& on = wanted.on;
  if (line.given("processors")) on.processors = static_cast<std::uint32_t>(wanted.processors);
  if (line.given("speeds")) on.speeds = parse_speeds(wanted.speeds);
  if (line.given("bandwidth")) on.bandwidth = parse_bandwidth(wanted.bandwidth);
  if (line.given("latency")) on.latency = parse_latency(wanted.latency);
  app.inputs("dag", wanted.files);
  // Registers the options whose values name files, by the rules of the parsers. Speeds may be a
  // list; several bandwidths or latencies always come from a file.
  bool const is_list = wanted.speeds.find_first_not_of("0123456789.,") == std::string::npos;
  if (!is_list) app.input("speeds", wanted.speeds);
  if (on.bandwidth.size() > 1) app.input("bandwidth", wanted.bandwidth);
  if (on.latency.size() > 1) app.input("latency", wanted.latency);
}

graph_source graphs_of(graph_inputs const& wanted, std::uint64_t seed) {
  if (wanted.are_files()) {
    return {wanted.files.size(),
            [files = wanted.files, names = names_of(wanted.files), on = wanted.on](std::size_t i) {
              return named_graph{.name = names[i],
                                 .seed = 0,
                                 .parameters = {.kind = "file"},
                                 .graph = read_task_graph(files[i], on),
                                 .sha256 = bench::sha256_of_file(files[i])};
            }};
  }
  auto const count = static_cast<std::size_t>(wanted.count);
  return {wanted.graphs(),
          [=, processors = wanted.on.processors, of = wanted.specifications](std::size_t i) {
            std::string const& specification = of[i / count];
            std::uint64_t const own = seed + i % count;
            return named_graph{specification, own, parameters_of(specification),
                               generate(specification, processors, own), ""};
          }};
}

}  // namespace gridloom::pets
