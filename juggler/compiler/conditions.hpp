#pragma once
// Checks that three compilers evaluate preprocessor conditions alike: Clang, which reads the
// program, the user's compiler, and the compiler of the generated source.

#include "compiler/own_pragmas.hpp"

namespace gridloom::juggler::cc {

struct compiler_flags {
  /// The flags -I, -D, -U, -std and -isystem.
  std::vector<std::string> reading;
  /// Flags that only the compiler gets. Some define macros, such as -O and -m.
  std::vector<std::string> compiling;
};

/// Whether all three compilers keep the same lines of the program's own files. Prints differences.
[[nodiscard]] bool conditions_agree(std::string const& file, std::string const& text,
                                    preprocessed_lines const& known, compiler_flags const& flags);

}  // namespace gridloom::juggler::cc
