#pragma once
// Protects generated code from the user's macros. Generated code stands in the middle of the
// program, where any word may be a macro.

#include <set>
#include <string>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// The identifiers of a text, except in comments and literals.
[[nodiscard]] std::set<std::string> words_of(std::string const& text);

/// The text, with these macros undefined before it and restored after it.
[[nodiscard]] std::string without_macros(std::set<std::string> const& names,
                                         std::string const& text);

/// Protects a region's generated code from macros with the same names as its words. Refuses a macro
/// that the user's code in the region uses as well.
[[nodiscard]] std::string guarded(program const& of, region const& around, reporter const& report,
                                  std::string const& code);

/// Wraps generated code that moves to `place`, so that macros have the same definitions as at its
/// region. Reports macros that differ inside a function that the region calls.
[[nodiscard]] std::string with_macros_of(program const& of, region const& around, text_range place,
                                         reporter const& report, std::string const& made);

[[nodiscard]] std::set<std::string> macros_of_command_line(program const& of);

/// All macros of the program and its own headers, as defined at the end of the program.
[[nodiscard]] std::map<std::string, user_macro> find_macros(clang::Preprocessor& preprocessor);

}  // namespace gridloom::juggler::cc
