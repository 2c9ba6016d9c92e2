#pragma once
// Options for inputs that several programs share.

#include <string>

#include "gridloom/bench/program.hpp"
#include "gridloom/sparse/matrix_source.hpp"

namespace gridloom::bench {

/// The options --matrix FILE and --generate SPEC.
struct matrix_input {
  std::string file{};
  std::string spec{};

  /// Called before program::parse.
  void add_to(program& frame);
  /// Called after program::parse. Throws usage_error unless exactly one option was given and the
  /// file is not an output.
  void check(program& frame) const;
  /// The file name without its folder, or the specification.
  [[nodiscard]] std::string name() const;
  /// The given option with its dashes and value, for messages.
  [[nodiscard]] std::string option() const {
    return file.empty() ? "--generate" : "--matrix " + file;
  }
  /// Throws usage_error as sparse::read_matrix and sparse::generate do.
  [[nodiscard]] sparse::any_csr read() const;
};

/// The option --graph FILE.h5, for read_dag or the program's own reader.
struct graph_input {
  std::string file{};

  void add_to(program& frame, std::string const& text);
  /// Calls program::input.
  void check(program& frame) const;
};

}  // namespace gridloom::bench
