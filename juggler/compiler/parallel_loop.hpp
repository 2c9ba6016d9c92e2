#pragma once
// Parses loops in the form that OpenMP allows after `parallel for`.

#include <optional>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

struct loop_header {
  clang::ForStmt const* loop;
  clang::VarDecl const* variable;
  clang::Expr const* first;
  clang::Expr const* bound;
  /// Whether the comparison is <= or >=.
  bool is_closed;
  bool goes_up;
  /// The step, never negative; null means 1.
  clang::Expr const* step;
};

/// Whether the statement is `parallel for` or `parallel for simd`.
[[nodiscard]] bool is_parallel_loop(clang::Stmt const* of);
/// Parses a `for` loop; empty if a part has an unknown form.
[[nodiscard]] std::optional<loop_header> parse_loop(clang::Stmt const* of);
/// The loops of a directive, outermost first; empty if one has an unknown form.
[[nodiscard]] std::vector<loop_header> loops_of(clang::OMPExecutableDirective const* of);

}  // namespace gridloom::juggler::cc
