#pragma once
// Checks that directives have only supported clauses. All others are refused; none is ignored
// silently.

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// The kind of directive.
enum class place_of_clause { region, single, task, parallel_for, simd };

/// Reports each refused clause with what to write instead. Adds a remark for each clause that is
/// taken as a hint.
void check_clauses(clang::ASTContext& context, clang::OMPExecutableDirective const* directive,
                   place_of_clause place, reporter const& report,
                   std::vector<std::string>& remarks);

/// Reports a directive that is not supported at its place; `where` describes the place.
void refuse_directive(clang::OMPExecutableDirective const* directive, std::string const& where,
                      reporter const& report);

/// The directive's name, such as `single`.
[[nodiscard]] std::string name_of(clang::OMPExecutableDirective const* directive);

}  // namespace gridloom::juggler::cc
