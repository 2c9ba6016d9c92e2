#pragma once
// Finds the places where a program makes tasks.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// Finds out whether code makes tasks, directly or through calls.
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
  /// The directive inside `target`, if there are two.
  clang::OMPExecutableDirective const* parallel;
  clang::FunctionDecl const* within;
};

/// All constructs that make tasks or map data. Each list is in the order of the file.
struct region_places {
  std::vector<region_place> regions;
  /// Plain `parallel` regions that make tasks.
  std::vector<region_place> plain;
  /// Regions in the program's own headers, which cannot be rewritten.
  std::vector<region_place> in_headers;
  std::vector<region_place> in_lambdas;
  std::vector<region_place> others;
  /// Tasks outside of all these constructs. OpenMP executes them where their function is called.
  std::vector<region_place> loose;
  /// `target data` and similar directives.
  std::vector<region_place> data;
};
[[nodiscard]] region_places search_regions(clang::ASTContext& context, task_finder& tasks);

/// Refuses constructs that contain tasks but are not regions, and own directives without a region.
void refuse_places(clang::ASTContext& context, region_places const& places,
                   own_directives const& own, reporter const& report);
/// Warns about tasks that belong to no region.
void warn_of_loose_tasks(program const& of, region_places const& places, reporter const& report);

struct suggestion {
  std::string directive;
  /// Why no directive would help; empty if one does.
  std::string obstacle;
};
/// The directive that would turn a plain `parallel` into a region. It maps arrays that tasks use,
/// numbers that they set, and arrays passed to functions that make tasks. A length is never too
/// short. If the loops do not show it, the length is the word LENGTH.
[[nodiscard]] suggestion suggested_directive(clang::ASTContext& context,
                                             clang::OMPExecutableDirective const* parallel,
                                             clang::FunctionDecl const* within);

}  // namespace gridloom::juggler::cc
