#pragma once
// The graphs of the command line: files and folders of files, or specifications.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gridloom/bench/program.hpp"
#include "pets/priorities.hpp"
#include "pets/support/generate.hpp"
#include "pets/support/platform.hpp"

namespace gridloom::pets {

/// A graph and its origin: a file's name or a specification.
struct named_graph {
  std::string name;
  std::uint64_t seed;
  graph_parameters parameters;
  task_graph graph;
  /// Checksum of the file; empty for generated graphs.
  std::string sha256{};

  [[nodiscard]] std::uint32_t tasks() const { return graph.num_tasks; }
  [[nodiscard]] std::uint64_t edges() const { return graph.num_edges(); }
  [[nodiscard]] std::uint32_t processors() const { return graph.num_processors; }
  [[nodiscard]] std::string const& unit() const { return graph.unit; }
  [[nodiscard]] std::string const& platform() const { return graph.platform_text; }
};

/// A graph with the numbers that tables and checks need. They are computed once.
struct analysed_graph : named_graph {
  explicit analysed_graph(named_graph of);

  /// The reference's levels and ranks.
  priorities by;
  /// Number of tasks of the widest level.
  std::int64_t widest_level;

  [[nodiscard]] std::uint32_t depth() const { return by.num_levels; }
};

/// A source of graphs. It makes one at a time, so only one graph takes memory.
struct graph_source {
  std::size_t count;
  std::function<named_graph(std::size_t)> make;
};

/// The given options, and the values that check_inputs derives from them.
struct graph_inputs {
  std::vector<std::string> dags;
  std::vector<std::string> specifications;
  int processors = static_cast<int>(usual_processors);
  int count = 1;
  std::string speeds;
  std::string bandwidth;
  std::string latency;

  /// The files of `dags`; files of a folder are sorted by name.
  std::vector<std::filesystem::path> files;
  /// The processors for graphs from files.
  gridloom::pets::platform on;

  [[nodiscard]] bool are_files() const { return !dags.empty(); }
  [[nodiscard]] std::size_t graphs() const {
    return are_files() ? files.size() : specifications.size() * static_cast<std::size_t>(count);
  }
};

void add_options(bench::program& app, graph_inputs& wanted);

/// Checks that there is only one kind of input, and that the options fit it. Checks that the files
/// exist and are not outputs. Call it after parse(). Throws usage_error.
void check_inputs(bench::program& app, graph_inputs& wanted);

/// All graphs, in the order of the command line.
[[nodiscard]] graph_source graphs_of(graph_inputs const& wanted, std::uint64_t seed);

}  // namespace gridloom::pets
