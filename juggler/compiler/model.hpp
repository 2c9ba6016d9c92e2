#pragma once
// What juggler-cc knows of a Juggler region (section 4.1) once it was checked: the tasks, what each
// depends on, what comes and goes, and which functions run where. Everything here is translated;
// whatever cannot be was refused before.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/source_text.hpp"

namespace gridloom::juggler::cc {

enum class map_kind { to, from, tofrom, alloc };

/// One dimension of an array section: `[first : length]`, or one element, whose length is null.
struct section_dimension {
  clang::Expr const* first;   // null: from 0 on
  clang::Expr const* length;  // null with is_section: all that is behind `first`
  bool is_section;
  /// Of the array's type; 0 where it is a pointer's.
  std::uint64_t extent;
};

/// A list item: an lvalue under dimensions from the outermost on.
struct section {
  clang::Expr const* base;
  std::vector<section_dimension> dimensions;
  /// A macro holds several of its parts, so that the text of none stands in the program.
  bool is_of_macro = false;
};

/// What a map clause, or OpenMP's rule for arrays that none names, says of a variable.
struct mapping {
  clang::VarDecl const* variable;
  map_kind kind;
  /// Without dimensions: all of it.
  section what;
  bool is_implicit;
};

enum class access { in, out, inout };

struct dependence {
  access how;
  section what;
};

struct task {
  clang::OMPTaskDirective const* directive;
  clang::Stmt const* body;
  /// Of its kernel type: the function that it calls, or its line.
  std::string name;
  std::vector<clang::VarDecl const*> firstprivate;
  std::vector<clang::VarDecl const*> privates;
  std::vector<dependence> dependences;
  /// `if` clause, if later tasks may have to wait for this one: null if not.
  clang::Expr const* deferred_if = nullptr;
};

/// A variable of outside the region.
struct capture {
  clang::VarDecl const* variable;
  /// Assigned by code of the region that is no task.
  bool changes = false;
  bool in_tasks = false;
  bool in_inspection = false;
  /// Stands for itself in a depend clause, so that its own address counts.
  bool is_token = false;
};

struct region {
  unsigned number;
  clang::OMPExecutableDirective const* directive;
  clang::FunctionDecl const* within;
  /// The statements that one thread of the team executes.
  clang::Stmt const* body;
  /// Declared in front of `single`.
  std::vector<clang::DeclStmt const*> declarations;
  std::vector<clang::VarDecl const*> privates;
  std::vector<clang::VarDecl const*> firstprivates;
  clang::Expr const* num_threads = nullptr;
  std::vector<mapping> maps;
  std::vector<capture> captures;
  std::vector<task> tasks;
  /// Functions with tasks, which the inspection calls; callees first.
  std::vector<clang::FunctionDecl const*> inspected;
  /// Functions that tasks call; callees first.
  std::vector<clang::FunctionDecl const*> device_functions;
  /// `constexpr int n = 8;` of constants that functions declare, by name: those that tasks use, and those of
  /// the region's function that its inspection and copies use.
  std::map<std::string, std::string> task_constants;
  std::map<std::string, std::string> constants;
  /// What a clause says that was taken as a hint or in its sequential reading, for --explain.
  std::vector<std::string> remarks;
  /// `taskwait` and `taskgroup` behind which the region ends: its end waits anyway.
  std::vector<clang::OMPExecutableDirective const*> last_waits;
  /// Of pointers that may be an end of it: the one mapped array that they lead into.
  std::map<clang::VarDecl const*, clang::VarDecl const*> sole_arrays;
  /// What check_eligibility() returns.
  std::vector<clang::VarDecl const*> read_through;
  bool eligible_by_directive = false;
  /// `#pragma juggler target`: without it, variables of outside would be shared, not copied.
  bool targeted_by_directive = false;

  [[nodiscard]] mapping const* map_of(clang::VarDecl const* variable) const {
    for (mapping const& m : maps) {
      if (m.variable == variable) return &m;
    }
    return nullptr;
  }
  [[nodiscard]] capture const* capture_of(clang::VarDecl const* variable) const {
    for (capture const& c : captures) {
      if (c.variable == variable) return &c;
    }
    return nullptr;
  }
};

/// Prints errors in the compiler's form, with the line and a caret.
class reporter {
 public:
  explicit reporter(clang::ASTContext& context) : engine_(context.getDiagnostics()) {}
  void error(clang::SourceLocation at, std::string const& what) const {
    report(at, clang::DiagnosticsEngine::Error, what);
  }
  void warning(clang::SourceLocation at, std::string const& what) const {
    report(at, clang::DiagnosticsEngine::Warning, what);
  }
  void note(clang::SourceLocation at, std::string const& what) const {
    report(at, clang::DiagnosticsEngine::Note, what);
  }
  [[nodiscard]] bool failed() const { return engine_.hasErrorOccurred(); }

 private:
  void report(clang::SourceLocation at, clang::DiagnosticsEngine::Level level,
              std::string const& what) const {
    // What is asked of a statement twice is said once.
    if (said_.emplace(at.getRawEncoding(), what).second)
      engine_.Report(at, engine_.getCustomDiagID(level, "%0")) << what;
  }
  mutable std::set<std::pair<unsigned, std::string>> said_;
  clang::DiagnosticsEngine& engine_;
};

/// What the directives of ours say, by line of the main file.
struct own_directives {
  std::vector<unsigned> eligible_lines;
  std::vector<unsigned> target_lines;
  /// Of directives with a clause of OpenMP 5: how that is taken.
  std::multimap<unsigned, std::string> newer;
};

/// A macro that is not the system's, and the words that it stands for, wherever it is defined.
struct user_macro {
  clang::SourceLocation at;
  std::set<std::string> words;
  clang::MacroDirective const* history = nullptr;
  clang::Preprocessor* preprocessor = nullptr;
};

/// Everything that the later stages share.
struct program {
  clang::ASTContext* context;
  std::vector<region> regions;
  std::map<std::string, user_macro> macros = {};
};

/// Finds and checks all regions. Errors were reported where the reporter has failed.
[[nodiscard]] program find_regions(clang::ASTContext& context, reporter const& report,
                                   own_directives const& own);

/// Section 4.1: reports what of a region makes it not eligible. Returns pointers that only a run can tell
/// about: what decides the tasks is read through them, and they may lead into a mapped array.
[[nodiscard]] std::vector<clang::VarDecl const*> check_eligibility(clang::ASTContext& context,
                                                                   region const& of,
                                                                   reporter const& report);

/// The program with its regions translated.
struct emit_settings {
  /// What messages of a compiler are to call the program, and what was made of it.
  std::string file;
  std::string made_file;
  std::string policy_type = "local_then_shorter";
  /// The region, from 1, whose graph the program is to make in place of what it does; 0 for none.
  unsigned dag_region = 0;
  /// What its variables are then.
  std::map<std::string, std::string> dag_values;
};
[[nodiscard]] std::string emit(program const& of, reporter const& report,
                               emit_settings const& settings);

/// For people: regions, tasks, dependences, data sharing, copies.
[[nodiscard]] std::string explain(program const& of);

// What several stages ask of the syntax.

/// The variable that an expression is, without parentheses and conversions, or null.
[[nodiscard]] clang::VarDecl const* variable_of(clang::Expr const* expression);
[[nodiscard]] section section_of(clang::ASTContext& context, clang::Expr const* item);
/// The text of a part of a section, in one line.
[[nodiscard]] std::string text_of(clang::ASTContext& context, section const& of,
                                  clang::Expr const* part);
/// The definition of the function that a call names, or null.
[[nodiscard]] clang::FunctionDecl const* callee_of(clang::CallExpr const* call);
/// Declared inside the statement.
[[nodiscard]] bool is_declared_in(clang::Stmt const* statement, clang::VarDecl const* variable);
/// An integral constant that device code can use as it stands.
[[nodiscard]] bool is_usable_constant(clang::ASTContext& context, clang::VarDecl const* variable);
/// A `static const` of a function, of constants: a task has it as a constant of its own.
[[nodiscard]] bool is_local_table(clang::ASTContext& context, clang::VarDecl const* variable);
/// `double* name`, `double (*name)[8]`.
[[nodiscard]] std::string declaration(clang::ASTContext& context, clang::QualType type,
                                      std::string name);
/// `using namespace` of what a function, or the one that makes a task, stands in and the region does not.
[[nodiscard]] std::string names_around(clang::FunctionDecl const* function, region const& place);
[[nodiscard]] std::string names_around(task const& made, region const& place);
/// Whether a type holds a pointer, or is one: no task can follow one that lies in memory.
[[nodiscard]] bool holds_pointer(clang::QualType type);
/// A reference through which something may be set.
[[nodiscard]] bool is_changing_reference(clang::QualType type);
/// A function of the C library that CUDA has, too, and that stores nothing.
[[nodiscard]] bool is_known_function(clang::FunctionDecl const* function);

/// What a statement does to storage, as far as it can be seen.
struct effects {
  bool stores = false;  // to anything but local variables
  bool reads = false;   // from anything but local variables
  bool jumps = false;   // return, or a break or continue that leads out of it
  /// Local variables, declared outside the statement, that it assigns.
  std::vector<clang::VarDecl const*> assigns;
  /// Local variables whose address is taken: they may be stored to behind our back.
  std::vector<clang::VarDecl const*> escapes;
};
/// `with_tasks`: those of tasks in it count, too.
[[nodiscard]] effects effects_of(clang::Stmt const* statement, bool with_tasks = true);
/// Whether code stores to a variable, or takes an address of it through which it may.
[[nodiscard]] bool is_written_in(clang::Stmt const* code, clang::VarDecl const* variable);
/// Whether the value of an expression is read from memory: an element, what a pointer leads to, or a
/// variable that `is_memory` names.
[[nodiscard]] bool loads_memory(clang::Expr const* value,
                                std::function<bool(clang::VarDecl const*)> const& is_memory);
/// Whether a call of the function stores to memory that it is handed, or to a global variable.
[[nodiscard]] bool stores_memory(clang::FunctionDecl const* function);
/// Whether a function or a statement has a parallel loop in it, itself or through calls.
[[nodiscard]] bool is_block_wide(clang::FunctionDecl const* function);
[[nodiscard]] bool is_block_wide(clang::Stmt const* statement);

}  // namespace gridloom::juggler::cc
