#pragma once
// Generates the host code of one region: its data and kernel (Listings 2 and 4), the inspection
// (Listing 5), copies and launch.

#include <string>
#include <vector>

#include "compiler/device_code.hpp"
#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

class host_code {
 public:
  host_code(clang::ASTContext& context, region const& of, reporter const& report,
            emit_settings const& settings);

  /// The definitions, for a place before the function that contains the region.
  [[nodiscard]] std::string definitions();
  /// A main program that writes the region's graph to the files named by its arguments.
  [[nodiscard]] std::string graph_program() const;
  /// The call that replaces the region.
  [[nodiscard]] std::string call() const;

 private:
  /// A member of task_data.
  struct field {
    clang::VarDecl const* variable;
    std::string name;
  };

  std::string app_data();
  std::string kernel();
  std::string inspected_function(clang::FunctionDecl const* of);
  std::string inspection();
  std::string run();
  [[nodiscard]] std::string constants() const;
  /// Reports memory that the inspection reads, because --dag does not know its contents.
  void refuse_reads() const;

  void collect_fields();
  [[nodiscard]] std::string field_name(clang::VarDecl const* variable) const;
  /// A captured variable's type on the device: a pointer for arrays and for mapped scalars.
  [[nodiscard]] clang::QualType device_type(capture const& of) const;
  [[nodiscard]] bool is_parameter(capture const& of) const;
  /// A captured variable's name in the region's function.
  [[nodiscard]] std::string name_in_run(clang::VarDecl const* variable) const;
  /// Parameters for all captured variables, or only for those that the inspection uses.
  [[nodiscard]] std::string parameters(bool all) const;
  [[nodiscard]] std::string arguments(bool all) const;
  void edit_inspection(clang::Stmt const* code);
  std::string creation(task const& of);
  /// The device's pointer for a pointer that a task gets by value.
  [[nodiscard]] std::string pointer_there(clang::VarDecl const* of) const;
  [[nodiscard]] std::string dependences(dependence const& of, std::string const& indent) const;
  [[nodiscard]] std::string text(clang::Expr const* of) const { return source_.text(of); }
  [[nodiscard]] bool orders_by_hand() const;
  [[nodiscard]] bool is_last_wait(clang::Stmt const* of) const;

  clang::ASTContext& context_;
  source_text source_;
  region const& region_;
  reporter const& report_;
  emit_settings const& settings_;
  std::string id_;
  std::string where_;
  std::vector<field> fields_;
  text_edits edits_;
};

}  // namespace gridloom::juggler::cc
