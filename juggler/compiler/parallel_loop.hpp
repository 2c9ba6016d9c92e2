#pragma once
// A loop in the form that OpenMP allows behind `parallel for`, taken apart.

#include <optional>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

struct loop_header {
  clang::ForStmt const* loop;
  clang::VarDecl const* variable;
  clang::Expr const* first;
  clang::Expr const* bound;
  bool is_closed;  // <= or >=
  bool goes_up;
  clang::Expr const* step;  // null: 1; never negative
};

/// Nothing where a part has a form that is not known.
[[nodiscard]] std::optional<loop_header> parse_loop(clang::Stmt const* of);
/// The loops of a directive, from the outermost on; empty where one was not understood.
[[nodiscard]] std::vector<loop_header> loops_of(clang::OMPExecutableDirective const* of);

}  // namespace gridloom::juggler::cc
