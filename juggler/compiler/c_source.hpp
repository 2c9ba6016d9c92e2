#pragma once
// C that is not valid C++. The generated source is C++, since device code is. Differences are
// edited or defined away where possible; otherwise they are refused at their place.

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// Macros for words that C++ spells differently, for the head of a generated source.
extern char const* const c_words;
/// Definitions for functions that the program calls and that return something else in C++.
[[nodiscard]] std::string functions_of_c(clang::ASTContext& context);

/// Reports everything in a C program's own files that C++ does not have, by calling the functions
/// below: declarations, library functions that C++ overloads, and jumps past declarations.
void check_c_source(clang::ASTContext& context, reporter const& report);
void check_declarations(clang::ASTContext& context, reporter const& report);
void check_library(clang::ASTContext& context, reporter const& report);
void check_jumps(clang::FunctionDecl const* function, reporter const& report);

/// Writes the type into enumerations whose variables or names have another type in C++. Uses of
/// enumerations from headers or macros are refused.
void write_enumeration(clang::ASTContext& context, clang::EnumDecl const* of, text_edits& edits);
void check_enumerations(clang::ASTContext& context, reporter const& report);

/// Refuses code that depends on a type that differs in C++: sizes, `typeof`, bit-fields, names of
/// inner types.
void check_types(clang::ASTContext& context, reporter const& report);

/// Refuses code whose meaning in C++20 differs from that in C or in the program's C++.
void check_standard(clang::ASTContext& context, reporter const& report);

/// Whether a place is in the program's own files, not in a system header.
[[nodiscard]] bool is_own_code(clang::ASTContext const& context, clang::SourceLocation at);

/// Adds a return to a function that may end without a value. C allows that if nobody uses the
/// value; in C++ the compiler may continue into other code. `is_copy`: the code is written out at
/// another place.
void write_missing_return(clang::ASTContext& context, clang::FunctionDecl const* function,
                          reporter const& report, text_edits& edits, bool is_copy);

/// Writes out implicit conversions that C++ lacks: from pointers to void, from integers to
/// enumerations, and narrowing in braces. `of` is a statement; null stands for the whole main file.
/// Call it after all other edits.
void write_conversions(clang::ASTContext& context, clang::Stmt const* of, reporter const& report,
                       text_edits& edits);

}  // namespace gridloom::juggler::cc
