#pragma once
// Reads one program with Clang, checks it and translates it. This header includes no Clang header.

#include <map>
#include <string>
#include <vector>

namespace gridloom::juggler::cc {

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

}  // namespace gridloom::juggler::cc
