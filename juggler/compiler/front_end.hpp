#pragma once
// Reads one program with Clang, checks it and translates it. This header includes no header of
// Clang.

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
  /// Flags for the compiler alone.
  std::vector<std::string> compiling;
  /// The scheduling policy, a type of policies.hpp.
  std::string policy_type;
  bool explains = false;
  /// Whether to generate a program that only makes the graph of a region, with these values.
  bool makes_dag = false;
  unsigned dag_region = 1;
  std::map<std::string, std::string> dag_values;
};

struct translation {
  /// If false, errors were printed in the compiler's form.
  bool done = false;
  /// The generated program, or the text of --explain.
  std::string text;
};

[[nodiscard]] translation translate(translation_request const& request);

}  // namespace gridloom::juggler::cc
