#pragma once
// Protects generated code from the user's macros: generated code stands in the middle of the
// program, where any word may be a macro.

#include <set>
#include <string>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// The identifiers of a text, without those of comments and literals.
[[nodiscard]] std::set<std::string> words_of(std::string const& text);

/// The text with macros of these names undefined in front and restored behind.
[[nodiscard]] std::string without_macros(std::set<std::string> const& names,
                                         std::string const& text);

/// Generated code of a region, protected from macros that have the names of its words. Refuses a
/// macro that the user's code in the region also uses.
[[nodiscard]] std::string guarded(program const& of, region const& around, reporter const& report,
                                  std::string const& code);

/// Generated code for another place, with the macros as they are at its region. Reports macros with
/// another meaning in a function that the region calls.
[[nodiscard]] std::string with_macros_of(program const& of, region const& around, text_range place,
                                         reporter const& report, std::string const& made);

/// Macros of the command line, which come before all headers.
[[nodiscard]] std::set<std::string> macros_of_command_line(program const& of);

/// All macros of the program and its own headers, at the end of the program.
[[nodiscard]] std::map<std::string, user_macro> find_macros(clang::Preprocessor& preprocessor);

}  // namespace gridloom::juggler::cc
