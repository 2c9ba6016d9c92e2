#pragma once
// Clang behind juggler-cc: reads one program, checks it, and translates it. No header of Clang is
// seen by who includes this.

#include <map>
#include <string>
#include <vector>

namespace gridloom::juggler::cc {

struct translation_request {
  std::string file;
  /// What compilers are to call the generated source in their messages.
  std::string made_file;
  /// -I, -D and the like, as for a compiler.
  std::vector<std::string> flags;
  std::vector<std::string> compiling;  // flags of the compiler alone
  /// The type of policies.hpp that the runtime uses.
  std::string policy_type;
  bool explains = false;
  /// The program becomes one that makes the graph of a region alone, with these values.
  bool makes_dag = false;
  unsigned dag_region = 1;
  std::map<std::string, std::string> dag_values;
};

struct translation {
  /// Errors were printed, in the compiler's form, where it is false.
  bool done = false;
  /// The program, or its explanation.
  std::string text;
};

[[nodiscard]] translation translate(translation_request const& request);

}  // namespace gridloom::juggler::cc
