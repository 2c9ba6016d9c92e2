#pragma once
// What tasks execute, as member functions of the region's data: variables keep their names.

#include <set>
#include <string>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// Writes the device functions of one region. Serial code runs on the first thread of a block, what
/// is behind `parallel for` on all. In a function that has such loops each thread has all local
/// variables, and all threads compute them; stores to memory between the loops are the first
/// thread's, with a meeting before and behind.
class device_code {
 public:
  device_code(clang::ASTContext& context, region const& of, reporter const& report)
      : context_(context), source_(context), region_(of), report_(report) {}

  /// A member function of a task.
  [[nodiscard]] std::string task_function(task const& of);
  /// A member function of a function that tasks call.
  [[nodiscard]] std::string function(clang::FunctionDecl const* of);
  /// Types for which the block needs shared memory to reduce.
  [[nodiscard]] std::set<std::string> const& reduced_types() const { return reduced_; }
  /// Whether functions of the region are handed shared memory.
  [[nodiscard]] static bool reduces(region const& of);

 private:
  struct wide_state {
    /// Threads may have read memory since they met last.
    bool dirty = false;
  };
  enum class way { by_all, by_first, piecewise, refused };

  /// A constexpr function that uses nothing of the region's data.
  [[nodiscard]] bool is_for_constants(clang::FunctionDecl const* of);
  /// `begins_dirty`: what threads were handed they have read from memory a moment ago.
  /// `whole`: the function that it is the body of.
  std::string body(clang::Stmt const* of, bool wide, bool begins_dirty = false,
                   clang::FunctionDecl const* whole = nullptr);
  /// Whether a call of the function hands it what each thread reads from memory.
  [[nodiscard]] bool is_handed_memory(clang::FunctionDecl const* of) const;
  void edit_references(clang::Stmt const* of);
  void drop_static(clang::DeclStmt const* of);
  void drop_namespace(clang::DeclRefExpr const* of);
  [[nodiscard]] std::string extra_arguments() const;

  void statements(std::vector<clang::Stmt const*> const& list, wide_state& state);
  void nested(clang::Stmt const* of, wide_state& state);
  void piece(clang::Stmt const* of, wide_state& state);
  void guard(clang::Stmt const* first, clang::Stmt const* last, wide_state& state);
  [[nodiscard]] effects effects_here(clang::Stmt const* of) const;
  [[nodiscard]] way way_of(clang::Stmt const* of);
  [[nodiscard]] bool reads_by_all(clang::Stmt const* of);
  void control(clang::Expr const* of, wide_state& state);
  void parallel_for(clang::OMPExecutableDirective const* of, wide_state& state);
  void meet_before(clang::Stmt const* of, wide_state& state);

  clang::ASTContext& context_;
  source_text source_;
  region const& region_;
  reporter const& report_;
  text_edits edits_;
  std::set<std::string> reduced_;
};

}  // namespace gridloom::juggler::cc
