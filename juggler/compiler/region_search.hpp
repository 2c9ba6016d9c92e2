#pragma once
// Where a program makes tasks.

#include <map>
#include <set>
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
  bool in(clang::Stmt const* code, clang::Stmt const* around,
          std::set<clang::FunctionDecl const*>& seen);
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
  std::vector<region_place> in_lambdas;
  /// Other constructs with tasks in them.
  std::vector<region_place> others;
  /// Tasks that stand in none of these: OpenMP executes them where the function is called.
  std::vector<region_place> loose;
  /// `target data` and the like.
  std::vector<region_place> data;
};
[[nodiscard]] region_places search_regions(clang::ASTContext& context, task_finder& tasks);

/// Refuses constructs that make no region though they hold tasks, and directives of ours in front of none.
void refuse_places(clang::ASTContext& context, region_places const& places,
                   own_directives const& own, reporter const& report);
/// Says which tasks no region makes.
void warn_of_loose_tasks(program const& of, region_places const& places, reporter const& report);

struct suggestion {
  std::string directive;
  /// Why none would do.
  std::string obstacle;
};
/// The directive of ours that would make a region of a plain one: the arrays that its depend clauses
/// name, and how far their sections reach. Where that cannot be told the length is the word LENGTH. Numbers
/// that tasks set are among them, and arrays that are handed to functions that make tasks.
[[nodiscard]] suggestion suggested_directive(clang::ASTContext& context,
                                             clang::OMPExecutableDirective const* parallel);

}  // namespace gridloom::juggler::cc
