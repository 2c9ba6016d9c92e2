#pragma once
// The steps that build a region's model. Each adds to the model and reports unsupported code.

#include <string>
#include <vector>

#include "compiler/clauses.hpp"
#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// Adds the variables that a clause lists, each once.
void take_variables(clang::OMPClause const* clause, std::vector<clang::VarDecl const*>& into);

/// Base of all steps.
class region_work {
 public:
  region_work(clang::ASTContext& context, reporter const& report, region& made)
      : context_(context), source_(context), report_(report), made_(made) {}

 protected:
  /// Reports a directive from a macro, because replacing it would replace the whole macro. Returns
  /// whether it is none.
  bool require_written(clang::OMPExecutableDirective const* directive) const;
  /// Reports names that would be those of the generated source, in code of `whose`.
  void refuse_names_of_source(clang::Stmt const* s, std::string const& whose) const;
  /// Reports a type that cannot be passed to a task.
  void check_type(clang::QualType type, clang::SourceLocation at) const;
  /// Reports a function that cannot be copied for tasks or for the inspection.
  void check_function(clang::FunctionDecl const* callee, clang::CallExpr const* call) const;
  /// Reports code from an included file and returns whether there was any, because edits apply to
  /// one file only.
  bool refuse_other_file(clang::Stmt const* s, clang::Stmt const* code) const;
  /// Whether the region, or a function that it calls, declares the variable or has it private.
  [[nodiscard]] bool is_inside(clang::VarDecl const* variable) const;

  clang::ASTContext& context_;
  source_text source_;
  reporter const& report_;
  region& made_;
};

class map_reader : region_work {
 public:
  using region_work::region_work;
  void take(clang::OMPMapClause const* clause);

 private:
  void take_item(clang::Expr const* item, map_kind kind);
  [[nodiscard]] bool is_whole(section_dimension const& of) const;
  [[nodiscard]] bool reaches_behind(section_dimension const& of) const;
};

/// Like `walk`, but visits clauses, too.
template <class Visit>
void walk_all(clang::Stmt const* code, Visit const& visit) {
  walk(code, [&](clang::Stmt const* s) {
    if (auto const* directive = llvm::dyn_cast<clang::OMPExecutableDirective>(s)) {
      for (clang::OMPClause const* clause : directive->clauses()) {
        for (clang::Stmt const* item : clause->children()) walk_all(item, visit);
      }
    }
    visit(s);
    return true;
  });
}

class task_reader : region_work {
 public:
  using region_work::region_work;
  void take(clang::OMPTaskDirective const* directive);

 private:
  void take_if(clang::OMPIfClause const* clause, task& t);
  void take_depend(clang::OMPDependClause const* clause, task& t);
  /// A unique name: `lu0` for a task that only calls lu0, otherwise the task's line.
  [[nodiscard]] std::string name_for(clang::Stmt const* body) const;
};

/// Refuses code that cannot run in a task, and collects the functions that tasks call.
class device_checker : region_work {
 public:
  using region_work::region_work;
  void check(clang::Stmt const* code, bool in_parallel_for = false);

 private:
  void check_local(clang::VarDecl const* variable) const;
  void refuse_variable_length(clang::QualType type, clang::SourceLocation at) const;
  [[nodiscard]] bool is_pointer_in_task(clang::VarDecl const* variable) const;
  void check_size(clang::UnaryExprOrTypeTraitExpr const* size) const;
  void check_directive(clang::OMPExecutableDirective const* directive, bool in_parallel_for);
  void check_reductions(clang::OMPExecutableDirective const* directive) const;
  /// Refuses calls of printf that use the result, or print more than numbers and string literals.
  void check_print(clang::CallExpr const* call);
  void take_call(clang::CallExpr const* call, bool in_parallel_for);

  /// Functions that are being checked.
  std::vector<clang::FunctionDecl const*> open_;
};

/// Finds constants and types that functions declare. Generated code stands before these functions,
/// so it needs its own copies.
class constant_finder : region_work {
 public:
  using region_work::region_work;
  void find();

 private:
  void note(clang::Stmt const* s, std::map<std::string, std::string>& into);
  void check_order(clang::Stmt const* s) const;
  void check_types(clang::Stmt const* s) const;
  void check_calls(clang::Stmt const* s) const;
  [[nodiscard]] bool is_behind(clang::NamedDecl const* d) const;
  void refuse_behind(clang::SourceLocation at, clang::NamedDecl const* d) const;
  [[nodiscard]] std::string definition_of(clang::ValueDecl const* of) const;
};

/// Refuses equal names for different things in the code of tasks. Variables and functions become
/// members of one structure, where their names could hide others.
class name_checker : region_work {
 public:
  using region_work::region_work;
  void check();

 private:
  void check_members();
  void check_code(clang::Stmt const* code, clang::FunctionDecl const* of, task const* made) const;
  void refuse(clang::NamedDecl const* used, clang::SourceLocation at) const;

  std::map<std::string, clang::NamedDecl const*> members_;
};

/// Reports the program's uses of names that are reserved for the generated source.
void refuse_reserved_names(clang::ASTContext& context, reporter const& report);

/// Finds the outside variables that the region uses, and decides how each is passed.
class capture_finder : region_work {
 public:
  using region_work::region_work;
  void find();

 private:
  capture& at(clang::VarDecl const* variable);
  void note_uses(clang::Stmt const* code);
  void note_global_assignments(clang::Stmt const* code);
  void note_expression(clang::Stmt const* expression, bool in_inspection = true);
  void note_reference(clang::Stmt const* s, bool in_inspection = true);
  void note_globals(clang::Stmt const* code);
  void note_task(task const& t);
  void check_writes_of(clang::VarDecl const* variable, clang::Stmt const* code,
                       clang::Stmt const* use) const;
  void refuse_local(clang::VarDecl const* variable, clang::Stmt const* use) const;
  void check_firstprivate(task const& t, clang::VarDecl const* variable);
  void check_capture(capture const& c) const;
  void check_assignments(clang::FunctionDecl const* makes_tasks) const;
  void report_unmapped(clang::VarDecl const* variable, clang::SourceLocation where) const;
};

}  // namespace gridloom::juggler::cc
