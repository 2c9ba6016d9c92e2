#pragma once
// C that is not C++: the generated source is C++, since device code is. What can be bridged is edited or
// defined away; what cannot is refused by the place where it stands.

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// Words of C that C++ spells otherwise, for the head of a generated source.
extern char const* const c_words;
/// And functions that return something else there, as far as the program calls them.
[[nodiscard]] std::string functions_of_c(clang::ASTContext& context);

/// Reports what of a C program's own files C++ does not have. Of it are declarations, in functions jumps
/// past them, and uses of library functions of which C++ has several.
void check_c_source(clang::ASTContext& context, reporter const& report);
void check_declarations(clang::ASTContext& context, reporter const& report);
void check_library(clang::ASTContext& context, reporter const& report);
void check_jumps(clang::FunctionDecl const* function, reporter const& report);

/// Enumerations whose variables or names have another type in C++: where they are defined the types are written,
/// and uses of those that stand in headers or macros are refused.
void write_enumeration(clang::ASTContext& context, clang::EnumDecl const* of, text_edits& edits);
void check_enumerations(clang::ASTContext& context, reporter const& report);

/// Refuses what asks for a type that C++ has otherwise: sizes, `typeof`, bit-fields, names of inner types.
void check_types(clang::ASTContext& context, reporter const& report);

/// Refuses what C++20 has otherwise than C and than the C++ of the program.
void check_standard(clang::ASTContext& context, reporter const& report);

/// Whether a place is in the program's own files.
[[nodiscard]] bool is_own_code(clang::ASTContext const& context, clang::SourceLocation at);

/// C lets a function end without a value that nobody uses; a compiler of C++ may run on into what comes behind.
/// `is_copy`: the code is written out elsewhere, wherever it stands.
void write_missing_return(clang::ASTContext& context, clang::FunctionDecl const* function,
                          reporter const& report, text_edits& edits, bool is_copy);

/// Writes out conversions that C does by itself: of pointers to void, of integers to enumerations, and
/// of numbers that lose something in braces. `of` is a statement; null stands for the whole main file.
/// Must come behind all other edits of the same text.
void write_conversions(clang::ASTContext& context, clang::Stmt const* of, reporter const& report,
                       text_edits& edits);

}  // namespace gridloom::juggler::cc
