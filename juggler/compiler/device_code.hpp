#pragma once
// Generates tasks as member functions of the region's data, so variables keep their names.

#include <set>
#include <string>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

/// Writes the device functions of one region. The first thread of a block runs serial code, and all
/// threads run the loops of `parallel for`. In a function with such loops, every thread computes
/// all local variables. Between the loops only the first thread stores to memory, and barriers
/// enclose its stores.
class device_code {
 public:
  device_code(clang::ASTContext& context, region const& of, reporter const& report)
      : context_(context), source_(context), region_(of), report_(report) {}

  [[nodiscard]] std::string task_function(task const& of);
  [[nodiscard]] std::string function(clang::FunctionDecl const* of);
  /// The types of the block's reductions, which need shared memory.
  [[nodiscard]] std::set<std::string> const& reduced_types() const { return reduced_; }
  /// Whether the region's functions take shared memory as an argument.
  [[nodiscard]] static bool reduces(region const& of);

 private:
  struct wide_state {
    /// Whether threads may have read memory since the last barrier.
    bool dirty = false;
  };
  enum class way { by_all, by_first, piecewise, refused };

  /// Whether a function is constexpr and does not use the region's data.
  [[nodiscard]] bool is_for_constants(clang::FunctionDecl const* of);
  /// If `begins_dirty`, the threads have just read their arguments from memory.
  /// `whole` is the function with this body, or null.
  std::string body(clang::Stmt const* of, bool wide, bool begins_dirty = false,
                   clang::FunctionDecl const* whole = nullptr);
  /// Whether some call passes the function a value that every thread reads from memory.
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
