#pragma once
// Macros of the user's that generated code would fall for: it stands in the middle of the program, where
// any word may be one.

#include <set>
#include <string>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// The identifiers of a text, without those of comments and literals.
[[nodiscard]] std::set<std::string> words_of(std::string const& text);

/// Takes macros of these names away from some text, and gives them back behind it.
[[nodiscard]] std::string without_macros(std::set<std::string> const& names,
                                         std::string const& text);

/// Generated code of a region, without the macros that its own words are. One that the user's code in it
/// uses, too, is refused.
[[nodiscard]] std::string guarded(program const& of, region const& around, reporter const& report,
                                  std::string const& code);

/// Generated code at a place, with the macros of its region as they are there. Reports those that mean
/// something else in a function that the region calls.
[[nodiscard]] std::string with_macros_of(program const& of, region const& around, text_range place,
                                         reporter const& report, std::string const& made);

/// Macros of the command line, which stand in front of all headers.
[[nodiscard]] std::set<std::string> macros_of_command_line(program const& of);

/// All macros that are not the system's, at the end of a program.
[[nodiscard]] std::map<std::string, user_macro> find_macros(clang::Preprocessor& preprocessor);

}  // namespace gridloom::juggler::cc
