#pragma once
// Finds the places where a program makes tasks.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// Tells whether code makes tasks, directly or through calls.
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
  /// The directive below `target`, if there are two.
  clang::OMPExecutableDirective const* parallel;
  clang::FunctionDecl const* within;
};

/// All places, in the order of the file.
struct region_places {
  std::vector<region_place> regions;
  /// Plain `parallel` regions that make tasks.
  std::vector<region_place> plain;
  /// Regions in the program's own headers, which are not rewritten.
  std::vector<region_place> in_headers;
  std::vector<region_place> in_lambdas;
  /// Other constructs with tasks in them.
  std::vector<region_place> others;
  /// Tasks in none of these, which OpenMP executes where their function is called.
  std::vector<region_place> loose;
  /// `target data` and similar directives.
  std::vector<region_place> data;
};
[[nodiscard]] region_places search_regions(clang::ASTContext& context, task_finder& tasks);

/// Refuses constructs with tasks that are no region, and own directives without a region.
void refuse_places(clang::ASTContext& context, region_places const& places,
                   own_directives const& own, reporter const& report);
/// Warns about tasks that no region makes.
void warn_of_loose_tasks(program const& of, region_places const& places, reporter const& report);

struct suggestion {
  std::string directive;
  /// Why no directive would do, or empty.
  std::string obstacle;
};
/// The directive that would make a region of a plain one. It maps the arrays and numbers that tasks use, and
/// arrays that are handed to functions that make tasks. A length is never shorter than what is touched; where the
/// loops do not tell it, the length is the word LENGTH.
[[nodiscard]] suggestion suggested_directive(clang::ASTContext& context,
                                             clang::OMPExecutableDirective const* parallel,
                                             clang::FunctionDecl const* within);

}  // namespace gridloom::juggler::cc
