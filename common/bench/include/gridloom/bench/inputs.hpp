#pragma once
// Inputs that several programs take by the same options.

#include <string>

#include "gridloom/bench/program.hpp"
#include "gridloom/sparse/matrix_source.hpp"

namespace gridloom::bench {

/// --matrix FILE or --generate SPEC.
struct matrix_input {
  std::string file{};
  std::string spec{};

  /// Before program::parse.
  void add_to(program& frame);
  /// After it: exactly one is there, and the file is no output. Throws usage_error.
  void check(program& frame) const;
  /// The file's name without its folder, or the specification.
  [[nodiscard]] std::string name() const;
  /// The option that was given, with dashes and the file, for messages.
  [[nodiscard]] std::string option() const {
    return file.empty() ? "--generate" : "--matrix " + file;
  }
  /// Throws usage_error as sparse::read_matrix and sparse::generate do.
  [[nodiscard]] sparse::any_csr read() const;
};

/// --graph FILE.h5, read by read_dag or by the program.
struct graph_input {
  std::string file{};

  void add_to(program& frame, std::string const& text);
  /// As program::input.
  void check(program& frame) const;
};

}  // namespace gridloom::bench
