#pragma once
// The applications' inputs: files that a user names, or random data.

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
  /// Called before program::parse.
  void add_options(bench::program& app);
  /// Called after it: the applications of the files that were named.
  [[nodiscard]] std::vector<std::string> apps_of_files() const;
  /// Refuses inputs that these applications would ignore, and reads files. Throws usage_error.
  /// `makes_graph`: the application `graph` needs no file.
  void read(bench::program& app, std::vector<std::string> const& apps, bool makes_graph);

  /// Whether the application's input is a file, which has one size.
  [[nodiscard]] bool is_from_file(std::string const& app) const;
  /// Stores the size of a file's input and its names.
  void describe(subject& what) const;
  /// Stores the input: that of the file, or a random one of the subject's size.
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
