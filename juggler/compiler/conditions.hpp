#pragma once
// Conditions of the preprocessor, which three compilers decide: Clang, which reads the program, the user's, and
// the one of the generated source.

#include "compiler/own_pragmas.hpp"

namespace gridloom::juggler::cc {

struct compiler_flags {
  std::vector<std::string> reading;    // -I, -D, -U, -std
  std::vector<std::string> compiling;  // -O, -m, -f
};

/// Whether all decide alike what is kept of the program's own files. Says where they do not.
[[nodiscard]] bool conditions_agree(std::string const& file, std::string const& text,
                                    preprocessed_lines const& known, compiler_flags const& flags);

}  // namespace gridloom::juggler::cc
