#pragma once
// Where a program makes tasks.

#include <map>
#include <string>
#include <vector>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// Whether tasks are made by a statement, itself or through calls.
class task_finder {
 public:
  bool in(clang::Stmt const* statement);
  bool in(clang::FunctionDecl const* function);

 private:
  std::map<clang::FunctionDecl const*, bool> answers_;
};

struct region_place {
  clang::OMPExecutableDirective const* target;
  /// What is below `target`, where they are two directives.
  clang::OMPExecutableDirective const* parallel;
  clang::FunctionDecl const* within;
};

/// In the order of the file.
struct region_places {
  std::vector<region_place> regions;
  /// Plain `parallel` regions that make tasks.
  std::vector<region_place> plain;
  /// Both in the program's own headers, whose text stays as it is.
  std::vector<region_place> in_headers;
};
[[nodiscard]] region_places search_regions(clang::ASTContext& context, task_finder& tasks);

/// The directive of ours that would make a region of a plain one: the arrays that its depend clauses
/// name, and how far their sections reach. Where that cannot be told the length is the word LENGTH.
[[nodiscard]] std::string suggested_directive(clang::ASTContext& context,
                                              clang::OMPExecutableDirective const* parallel);

}  // namespace gridloom::juggler::cc
