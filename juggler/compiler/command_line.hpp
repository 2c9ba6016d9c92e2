#pragma once
// The command line of juggler-cc: its own options, as in all programs, and those of a compiler.

#include <map>
#include <string>
#include <vector>

namespace gridloom::juggler::cc {

// Reads one program with Clang, checks it and translates it. This header includes no Clang header.

struct translation_request {
  std::string file;
  /// Name that compiler messages show for the generated source.
  std::string made_file;
  /// The flags -I, -D, -U, -std and -isystem.
  std::vector<std::string> flags;
  /// Flags that only the compiler gets.
  std::vector<std::string> compiling;
  /// The scheduling policy: the name of a type of policies.hpp or ours/local_then_shorter.hpp.
  std::string policy_type;
  bool explains = false;
  /// Whether to generate a program that only makes the graph of one region, using dag_values.
  bool makes_dag = false;
  unsigned dag_region = 1;
  std::map<std::string, std::string> dag_values;
};

struct translation {
  /// False if errors were printed, in the form of compiler messages.
  bool done = false;
  /// The generated program, or the text of --explain.
  std::string text;
};

[[nodiscard]] translation translate(translation_request const& request);

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

[[nodiscard]] bool begins_with(std::string const& text, std::initializer_list<char const*> with);

/// Returns false if --help or --version was printed. Throws usage_error for options that are
/// unknown, repeated or without effect. Also throws if an output file cannot be written or would
/// replace an input. Writes nothing.
[[nodiscard]] bool parse(int argc, char const* const* argv, request& into);

}  // namespace gridloom::juggler::cc
