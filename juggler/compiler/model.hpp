#pragma once
// The model of a Juggler region (section 4.1) after its checks: tasks, dependences, copies, and
// which functions run where. Everything in a model can be translated.

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "compiler/source_text.hpp"

namespace gridloom::juggler::cc {

enum class map_kind { to, from, tofrom, alloc };

/// One dimension of an array section: `[first : length]`, or one element, which has a null length.
struct section_dimension {
  /// Null means 0.
  clang::Expr const* first;
  /// In a section, null means up to the end of the array.
  clang::Expr const* length;
  bool is_section;
  /// The array type's length in this dimension; 0 for a pointer.
  std::uint64_t extent;
};

/// A list item: an lvalue and its dimensions, outermost first.
struct section {
  clang::Expr const* base;
  std::vector<section_dimension> dimensions;
  /// Whether one macro contains several parts of the section, so a single part has no text.
  bool is_of_macro = false;
};

/// How a variable is copied: by a map clause, or by OpenMP's rule for arrays without one.
struct mapping {
  clang::VarDecl const* variable;
  map_kind kind;
  /// The copied part. Without dimensions, the whole variable.
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
  /// Name of the task's kernel type: the function that the task calls, or the task's line.
  std::string name;
  std::vector<clang::VarDecl const*> firstprivate;
  std::vector<clang::VarDecl const*> privates;
  std::vector<dependence> dependences;
  /// The `if` clause: if it is false, later tasks wait for this one. Null if it is always true.
  clang::Expr const* deferred_if = nullptr;
};

/// A variable that is declared outside the region and used inside.
struct capture {
  clang::VarDecl const* variable;
  /// Whether code between the tasks assigns the variable.
  bool changes = false;
  bool in_tasks = false;
  bool in_inspection = false;
  /// Whether a depend clause names the variable itself, so its address matters.
  bool is_token = false;
};

struct region {
  unsigned number;
  clang::OMPExecutableDirective const* directive;
  clang::FunctionDecl const* within;
  /// Statements that one thread of the team executes.
  clang::Stmt const* body;
  /// Declarations before `single`.
  std::vector<clang::DeclStmt const*> declarations;
  std::vector<clang::VarDecl const*> privates;
  std::vector<clang::VarDecl const*> firstprivates;
  clang::Expr const* num_threads = nullptr;
  std::vector<mapping> maps;
  std::vector<capture> captures;
  std::vector<task> tasks;
  /// Functions that make tasks and that the inspection calls; callees first.
  std::vector<clang::FunctionDecl const*> inspected;
  /// Functions that tasks call; callees first.
  std::vector<clang::FunctionDecl const*> device_functions;
  /// Definitions of functions' own constants by name, such as `constexpr int n = 8;`. The first map
  /// has those that tasks use, the second those that the inspection and the copies use.
  std::map<std::string, std::string> task_constants;
  std::map<std::string, std::string> constants;
  /// Remarks for --explain, such as clauses that were taken as hints.
  std::vector<std::string> remarks;
  /// `taskwait` and `taskgroup` at the end of the region, which need no translation.
  std::vector<clang::OMPExecutableDirective const*> last_waits;
  /// For pointers that may point one past an array's end: the only mapped array they can point
  /// into.
  std::map<clang::VarDecl const*, clang::VarDecl const*> sole_arrays;
  /// The pointers that check_eligibility() returned.
  std::vector<clang::VarDecl const*> read_through;
  bool eligible_by_directive = false;
  /// Whether `#pragma juggler target` makes the region. Other compilers ignore it and copy nothing.
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

/// Prints errors in the form of compiler messages, with the line and a caret.
class reporter {
 public:
  explicit reporter(clang::ASTContext& context) : engine_(context.getDiagnostics()) {}
  /// `at` is a location, or a statement, clause or declaration.
  template <class Place>
  void error(Place at, std::string const& what) const {
    report(location_of(at), clang::DiagnosticsEngine::Error, what);
  }
  template <class Place>
  void warning(Place at, std::string const& what) const {
    report(location_of(at), clang::DiagnosticsEngine::Warning, what);
  }
  template <class Place>
  void note(Place at, std::string const& what) const {
    report(location_of(at), clang::DiagnosticsEngine::Note, what);
  }
  [[nodiscard]] bool failed() const { return engine_.hasErrorOccurred(); }

 private:
  static clang::SourceLocation location_of(clang::SourceLocation at) { return at; }
  template <class Node>
  static clang::SourceLocation location_of(Node const* at) {
    if constexpr (std::is_base_of_v<clang::Decl, Node>) {
      return at->getLocation();
    } else {
      return at->getBeginLoc();
    }
  }
  void report(clang::SourceLocation at, clang::DiagnosticsEngine::Level level,
              std::string const& what) const {
    // Two checks may find the same error.
    if (said_.emplace(at.getRawEncoding(), what).second)
      engine_.Report(at, engine_.getCustomDiagID(level, "%0")) << what;
  }
  mutable std::set<std::pair<unsigned, std::string>> said_;
  clang::DiagnosticsEngine& engine_;
};

/// juggler-cc's own directives, by line of the main file.
struct own_directives {
  std::vector<unsigned> eligible_lines;
  std::vector<unsigned> target_lines;
  /// Remarks about translated clauses of OpenMP 5, by line.
  std::multimap<unsigned, std::string> newer;
};

/// A macro of the program or its headers, with the words of all its definitions.
struct user_macro {
  clang::SourceLocation at;
  std::set<std::string> words;
  clang::MacroDirective const* history = nullptr;
  clang::Preprocessor* preprocessor = nullptr;
};

/// The whole program, for the later stages.
struct program {
  clang::ASTContext* context;
  std::vector<region> regions;
  std::map<std::string, user_macro> macros = {};
};

/// Finds and checks all regions. Afterwards the caller asks the reporter whether there were errors.
[[nodiscard]] program find_regions(clang::ASTContext& context, reporter const& report,
                                   own_directives const& own);

/// Reports why a region is not eligible (section 4.1). Returns pointers to check at run time: the
/// choice of tasks reads through them, and they may lead into a mapped array.
[[nodiscard]] std::vector<clang::VarDecl const*> check_eligibility(clang::ASTContext& context,
                                                                   region const& of,
                                                                   reporter const& report);

struct emit_settings {
  /// Names that compiler messages show for the program and for the generated source.
  std::string file;
  std::string made_file;
  std::string policy_type = "local_then_shorter";
  /// Number of the region, from 1, whose graph the generated program makes; 0 without --dag.
  unsigned dag_region = 0;
  /// Values of that region's variables.
  std::map<std::string, std::string> dag_values;
};
/// Returns the program with its regions translated.
[[nodiscard]] std::string emit(program const& of, reporter const& report,
                               emit_settings const& settings);

/// Returns the text of --explain: regions, tasks, dependences, data sharing, copies.
[[nodiscard]] std::string explain(program const& of);

// Questions about the syntax that several stages ask.

template <class List, class Element>
[[nodiscard]] bool has(List const& list, Element const& element) {
  return std::find(list.begin(), list.end(), element) != list.end();
}

/// The variable that an expression names, ignoring parentheses and implicit conversions, or null.
[[nodiscard]] clang::VarDecl const* variable_of(clang::Expr const* expression);
[[nodiscard]] section section_of(clang::ASTContext& context, clang::Expr const* item);
/// The text of one part of a section, in one line.
[[nodiscard]] std::string text_of(clang::ASTContext& context, section const& of,
                                  clang::Expr const* part);
/// The variable to which a statement is a reference, and nothing else, or null.
[[nodiscard]] clang::VarDecl const* named_by(clang::Stmt const* statement);
/// The target of an assignment, increment or decrement, or null.
[[nodiscard]] clang::Expr const* assigned_by(clang::Stmt const* statement);
/// The definition of the called function, or null. `call` may be null.
[[nodiscard]] clang::FunctionDecl const* callee_of(clang::CallExpr const* call);
/// Calls visit(parameter, argument) for each argument of a call of `callee`, which may be null.
template <class Visit>
void for_each_argument(clang::FunctionDecl const* callee, clang::CallExpr const* call,
                       Visit const& visit) {
  if (callee == nullptr) return;
  for (unsigned p = 0; p < callee->getNumParams() && p < call->getNumArgs(); ++p)
    visit(callee->getParamDecl(p), call->getArg(p));
}
[[nodiscard]] bool is_declared_in(clang::Stmt const* statement, clang::VarDecl const* variable);
/// Whether the variable is an integral constant that device code can use unchanged.
[[nodiscard]] bool is_usable_constant(clang::ASTContext& context, clang::VarDecl const* variable);
/// Whether the variable is a function's `static const` with constant values. Each task gets a copy.
[[nodiscard]] bool is_local_table(clang::ASTContext& context, clang::VarDecl const* variable);
/// A declaration such as `double* name` or `double (*name)[8]`.
[[nodiscard]] std::string declaration(clang::ASTContext& context, clang::QualType type,
                                      std::string name);
/// `using namespace` for the namespaces that enclose a function or task but not the region.
[[nodiscard]] std::string names_around(clang::FunctionDecl const* function, region const& place);
[[nodiscard]] std::string names_around(task const& made, region const& place);
/// Whether a type is a pointer or contains one. Tasks cannot follow pointers stored in memory.
[[nodiscard]] bool holds_pointer(clang::QualType type);
/// Whether the type is a reference to something non-const.
[[nodiscard]] bool is_changing_reference(clang::QualType type);
/// Whether the function belongs to the C library, exists in CUDA and stores nothing.
[[nodiscard]] bool is_known_function(clang::FunctionDecl const* function);

/// Effects of a statement on storage, as far as the source shows them.
struct effects {
  /// Whether the statement stores to anything but local variables.
  bool stores = false;
  /// Whether the statement reads anything but local variables.
  bool reads = false;
  /// Whether the statement contains a return, or a break or continue that leaves the statement.
  bool jumps = false;
  /// Local variables that the statement assigns but does not declare.
  std::vector<clang::VarDecl const*> assigns;
  /// Local variables whose address is taken, so that other code may store to them.
  std::vector<clang::VarDecl const*> escapes;
};
/// If `with_tasks`, tasks inside the statement count.
[[nodiscard]] effects effects_of(clang::Stmt const* statement, bool with_tasks = true);
/// Whether code stores to a variable, or takes its address.
[[nodiscard]] bool is_written_in(clang::Stmt const* code, clang::VarDecl const* variable);
/// Whether `value` reads an element, a pointer's target, or a variable that `is_memory` selects.
[[nodiscard]] bool loads_memory(clang::Expr const* value,
                                std::function<bool(clang::VarDecl const*)> const& is_memory);
/// Whether a call of the function stores through an argument or to a global variable.
[[nodiscard]] bool stores_memory(clang::FunctionDecl const* function);
/// Whether the function contains a parallel loop, directly or through calls.
[[nodiscard]] bool is_block_wide(clang::FunctionDecl const* function);
[[nodiscard]] bool is_block_wide(clang::Stmt const* statement);

}  // namespace gridloom::juggler::cc
