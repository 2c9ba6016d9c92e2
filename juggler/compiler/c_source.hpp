#pragma once
// Handles C that is not valid C++. The generated source is C++, because device code must be. Where
// possible, differences are edited or defined away; otherwise an error names their line.

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// Macros for words that C++ spells differently. They stand at the top of a generated source.
extern char const* const c_words;
/// Definitions of called C functions that have another return type in C++.
[[nodiscard]] std::string functions_of_c(clang::ASTContext& context);

/// Reports C code in the program's own files that is not C++ or means something else there. Calls
/// all checks below except check_standard().
void check_c_source(clang::ASTContext& context, reporter const& report);
void check_declarations(clang::ASTContext& context, reporter const& report);
void check_library(clang::ASTContext& context, reporter const& report);
void check_jumps(clang::FunctionDecl const* function, reporter const& report);

/// Writes out the C type of an enumeration if C++ would give its variables or enumerators another
/// type. If a header or a macro defines the enumeration, check_enumerations() refuses uses whose
/// result depends on that type.
void write_enumeration(clang::ASTContext& context, clang::EnumDecl const* of, text_edits& edits);
void check_enumerations(clang::ASTContext& context, reporter const& report);

/// Refuses code that depends on types that differ in C++: sizes, `typeof`, bit-fields, inner types.
void check_types(clang::ASTContext& context, reporter const& report);

/// Refuses code that changes its meaning in C++20.
void check_standard(clang::ASTContext& context, reporter const& report);

/// Whether a place is in the program's own files, not in a system header.
[[nodiscard]] bool is_own_code(clang::ASTContext const& context, clang::SourceLocation at);

/// Adds a return to a function that may end without a value. C allows this if no caller uses the
/// value; a C++ compiler may run on into other code. If `is_copy`, the code is written out at
/// another place.
void write_missing_return(clang::ASTContext& context, clang::FunctionDecl const* function,
                          reporter const& report, text_edits& edits, bool is_copy);

/// Writes out implicit conversions that C++ lacks: from pointers to void, from integers to
/// enumerations, and narrowing in braces. If `of` is null, handles the whole main file. Call it
/// after all other edits.
void write_conversions(clang::ASTContext& context, clang::Stmt const* of, reporter const& report,
                       text_edits& edits);

}  // namespace gridloom::juggler::cc
