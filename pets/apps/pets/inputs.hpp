#pragma once
// The graphs of the command line: files and folders of files, or specifications.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiment.hpp"
#include "gridloom/bench/program.hpp"
#include "support/platform.hpp"

namespace gridloom::pets {

/// Options as they are given, and what check_inputs makes of them.
struct graph_inputs {
  std::vector<std::string> dags;
  std::vector<std::string> specifications;
  int processors = static_cast<int>(usual_processors);
  int count = 1;
  std::string speeds;
  std::string bandwidth;
  std::string latency;

  /// The files of dags, those of a folder by name.
  std::vector<std::filesystem::path> files;
  /// What files are scheduled on.
  platform on;

  [[nodiscard]] bool are_files() const { return !dags.empty(); }
  [[nodiscard]] std::size_t graphs() const {
    return are_files() ? files.size() : specifications.size() * static_cast<std::size_t>(count);
  }
};

void add_options(bench::program& app, graph_inputs& wanted);

/// After parse: one kind of input, options that go with it, files that are there and are no outputs.
/// Throws usage_error.
void check_inputs(bench::program& app, graph_inputs& wanted);

/// All of them, one after the other.
[[nodiscard]] graph_source graphs_of(graph_inputs const& wanted, std::uint64_t seed);

}  // namespace gridloom::pets
