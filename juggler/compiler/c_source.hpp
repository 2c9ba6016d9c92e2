#pragma once
// C that is not C++: the generated source is C++, since device code is. What can be bridged is edited or
// defined away; what cannot is refused by the place where it stands.

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// Words of C that C++ spells otherwise, for the head of a generated source.
extern char const* const c_words;

/// Reports what of a C program's own files C++ does not have.
void check_c_source(clang::ASTContext& context, reporter const& report);

/// Writes out conversions that C does by itself: of pointers to void, of integers to enumerations, and
/// of numbers that lose something in braces. `of` is a statement; null stands for the whole main file.
/// Must come behind all other edits of the same text.
void write_conversions(clang::ASTContext& context, clang::Stmt const* of, reporter const& report,
                       text_edits& edits);

}  // namespace gridloom::juggler::cc
