#pragma once
// What the applications work on: files that a user names, and what is made by a seed.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gridloom/bench/inputs.hpp"
#include "gridloom/sparse/csr.hpp"
#include "gridloom/sparse/graph_file.hpp"
#include "image_input.hpp"
#include "strip_inputs.hpp"

namespace gridloom::juggler {

struct subject;

/// Used by one thread.
class inputs {
 public:
  /// Before program::parse.
  void add_options(bench::program& app);
  /// After it: the applications of the files that were named.
  [[nodiscard]] std::vector<std::string> apps_of_files() const;
  /// Refuses what would be ignored by these applications, and reads files. Throws usage_error.
  /// `makes_graph`: the application `graph` needs no file.
  void read(bench::program& app, std::vector<std::string> const& apps, bool makes_graph);

  /// Whether the application has its input from a file; then it has one size.
  [[nodiscard]] bool is_from_file(std::string const& app) const;
  /// The size of it, and its files.
  void describe(subject& what) const;
  /// What `what` points to from here on: of the file, or a random one of that size.
  void make(subject& what, std::uint64_t seed) const;

 private:
  bench::graph_input graph_file_;
  std::shared_ptr<csr_graph const> graph_;
  std::string matrix_file_;
  std::optional<sparse::csr_matrix<double>> matrix_;
  image_input image_;
  strip_inputs strips_;
};

}  // namespace gridloom::juggler
