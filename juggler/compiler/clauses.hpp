#pragma once
// Which clauses a directive may have here. Whatever is not named is refused: nothing is dropped in
// silence.

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// What is done with a clause.
enum class treatment {
  refused,
  translated,
  /// A hint without effect on results.
  hint,
};

/// A directive whose clauses are looked up.
enum class place_of_clause { region, single, task, parallel_for, simd };

[[nodiscard]] treatment treatment_of(place_of_clause place, clang::OpenMPClauseKind kind);

/// Reports every clause of the directive that is refused, with what to write instead, and adds a
/// remark for each hint.
void check_clauses(clang::ASTContext& context, clang::OMPExecutableDirective const* directive,
                   place_of_clause place, reporter const& report,
                   std::vector<std::string>& remarks);

/// Reports a directive that has no place where it stands.
void refuse_directive(clang::OMPExecutableDirective const* directive, std::string const& where,
                      reporter const& report);

/// `single`, `task`, ...
[[nodiscard]] std::string name_of(clang::OMPExecutableDirective const* directive);

}  // namespace gridloom::juggler::cc
