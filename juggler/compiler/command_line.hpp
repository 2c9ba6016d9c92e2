#pragma once
// The command line of juggler-cc: its own options, as in all programs, and those of a compiler.

#include <string>
#include <vector>

#include "compiler/front_end.hpp"

namespace gridloom::juggler::cc {

struct request {
  translation_request translation;
  std::string output;
  std::string emit_to;
  std::string backend;
  std::vector<std::string> compiler_flags;
  /// Objects and libraries, in the order of the command line.
  std::vector<std::string> link_inputs;

  [[nodiscard]] bool is_c() const;
  [[nodiscard]] std::string dag_file(char const* ending) const;
};

/// Returns false if --help or --version was printed. Throws usage_error for options that are
/// unknown, repeated or without effect. Also throws if an output file cannot be written or would
/// replace an input. Writes nothing.
[[nodiscard]] bool parse(int argc, char const* const* argv, request& into);

}  // namespace gridloom::juggler::cc
