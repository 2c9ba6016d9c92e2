#include "compiler/device_code.hpp"

#include <algorithm>

#include "compiler/c_source.hpp"
#include "compiler/parallel_loop.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

/// Whether is(statement) is true for something in a region's tasks or in a function that they call.
template <class Predicate>
bool any_in_tasks(region const& of, Predicate const& is) {
  return std::any_of(of.tasks.begin(), of.tasks.end(),
                     [&](task const& t) { return any_in(t.body, is); }) ||
         std::any_of(of.device_functions.begin(), of.device_functions.end(),
                     [&](FunctionDecl const* f) { return any_in(f->getBody(), is); });
}

/// Inserts `names` after the first brace.
std::string with_names(std::string const& names, std::string const& body) {
  return names.empty() ? body : "{ " + names + body.substr(1);
}

}  // namespace

bool device_code::reduces(region const& of) {
  return any_in_tasks(of, [](Stmt const* s) {
    return is_parallel_loop(s) &&
           cast<OMPExecutableDirective>(s)->hasClausesOfKind<OMPReductionClause>();
  });
}

std::string device_code::extra_arguments() const {
  return reduces(region_) ? "jcc_block, jcc_shared" : "jcc_block";
}

std::string device_code::task_function(task const& of) {
  bool const wide = is_block_wide(of.body);
  std::vector<std::string> parameters;
  if (wide) parameters.push_back("JccBlock const& jcc_block");
  if (wide && reduces(region_)) parameters.push_back("[[maybe_unused]] JccShared& jcc_shared");
  for (VarDecl const* v : of.firstprivate)
    parameters.push_back(declaration(
        context_, v->getType().getNonReferenceType().getUnqualifiedType(), v->getNameAsString()));
  std::string result = "  // The task of line " +
                       std::to_string(source_.line(of.directive->getBeginLoc())) +
                       (wide ? ", by all threads of a block.\n" : ", by one thread.\n");
  if (wide)
    result += reduces(region_) ? "  template <class JccBlock, class JccShared>\n"
                               : "  template <class JccBlock>\n";
  result += "  GRIDLOOM_FN void jcc_" + of.name + "(" + joined(parameters) + ") const {\n";
  for (VarDecl const* v : of.privates)
    result += "    " +
              declaration(context_, v->getType().getNonReferenceType(), v->getNameAsString()) +
              ";\n";
  return result + "    " + names_around(of, region_) + body(of.body, wide) + "\n  }\n";
}

std::string device_code::function(FunctionDecl const* of) {
  bool const wide = is_block_wide(of);
  std::vector<std::string> parameters;
  if (wide) parameters.push_back("JccBlock const& jcc_block");
  if (wide && reduces(region_)) parameters.push_back("[[maybe_unused]] JccShared& jcc_shared");
  for (ParmVarDecl const* p : of->parameters())
    parameters.push_back(declaration(context_, p->getType(), p->getNameAsString()) +
                         (p->hasDefaultArg() ? " = " + source_.text(p->getDefaultArg()) : ""));
  std::string result = "  // " + of->getNameAsString() + " of line " +
                       std::to_string(source_.line(of->getLocation())) +
                       (wide ? ", by all threads of a block.\n" : ", by one thread.\n");
  if (wide)
    result += reduces(region_) ? "  template <class JccBlock, class JccShared>\n"
                               : "  template <class JccBlock>\n";
  // The length of an array may call this function, which then must be constexpr.
  bool const is_constant = !wide && is_for_constants(of);
  return result + (is_constant ? "  static constexpr GRIDLOOM_FN " : "  GRIDLOOM_FN ") +
         declaration(context_, of->getReturnType(),
                     of->getNameAsString() + "(" + joined(parameters) + ")") +
         (is_constant ? " " : " const ") +
         with_names(names_around(of, region_),
                    body(of->getBody(), wide, wide && is_handed_memory(of), of)) +
         "\n";
}

bool device_code::is_for_constants(FunctionDecl const* of) {
  return of->isConstexpr() && !any_in(of->getBody(), [&](Stmt const* s) {
           VarDecl const* const variable = named_by(s);
           FunctionDecl const* callee = callee_of(dyn_cast<CallExpr>(s));
           return (variable != nullptr && region_.capture_of(variable) != nullptr) ||
                  (callee != nullptr && callee != of && !is_for_constants(callee));
         });
}

bool device_code::is_handed_memory(FunctionDecl const* of) const {
  auto const is_memory = [&](VarDecl const* v) {
    return region_.map_of(v) != nullptr ? !v->getType().getNonReferenceType()->isPointerType()
                                        : v->getType()->isArrayType() && !v->hasLocalStorage();
  };
  return any_in_tasks(region_, [&](Stmt const* s) {
    auto const* call = dyn_cast<CallExpr>(s);
    FunctionDecl const* callee = callee_of(call);
    return callee != nullptr && callee->getCanonicalDecl() == of->getCanonicalDecl() &&
           std::any_of(call->arg_begin(), call->arg_end(),
                       [&](Expr const* argument) { return loads_memory(argument, is_memory); });
  });
}

std::string device_code::body(Stmt const* of, bool wide, bool begins_dirty,
                              FunctionDecl const* whole) {
  edits_ = {};
  edit_references(of);
  if (wide) {
    wide_state state{begins_dirty};
    if (auto const* compound = dyn_cast<CompoundStmt>(of)) {
      statements({compound->body_begin(), compound->body_end()}, state);
    } else {
      statements({of}, state);
    }
  }
  if (whole != nullptr) write_missing_return(context_, whole, report_, edits_, true);
  write_conversions(context_, of, report_, edits_);
  return edits_.render(source_, source_.range(of));
}

// Reads mapped scalars through their pointers, passes the block to functions with parallel loops,
// and removes `simd`.
void device_code::edit_references(Stmt const* of) {
  walk(of, [&](Stmt const* s) {
    if (auto const* reference = dyn_cast<DeclRefExpr>(s)) {
      auto const* variable = dyn_cast<VarDecl>(reference->getDecl());
      mapping const* map = variable == nullptr ? nullptr : region_.map_of(variable);
      if (map != nullptr && !variable->getType().getNonReferenceType()->isArrayType() &&
          !variable->getType().getNonReferenceType()->isPointerType()) {
        if (source_text::in_macro(reference->getSourceRange())) {
          report_.error(reference, "mapped variable '" + variable->getNameAsString() +
                                       "' is used by a macro; write it out");
        } else {
          edits_.replace(source_.range(reference->getSourceRange()),
                         "(*" + variable->getNameAsString() + ")");
        }
      }
    }
    drop_namespace(dyn_cast<DeclRefExpr>(s));
    if (auto const* declared = dyn_cast<DeclStmt>(s)) drop_static(declared);
    if (auto const* simd = dyn_cast<OMPSimdDirective>(s)) edits_.replace(source_.pragma(simd), "");
    auto const* call = dyn_cast<CallExpr>(s);
    FunctionDecl const* callee = callee_of(call);
    if (callee != nullptr && is_block_wide(callee)) {
      if (source_text::in_macro(call->getSourceRange())) {
        report_.error(call, "a call of '" + callee->getNameAsString() +
                                "', which has a parallel loop, comes from a macro; "
                                "write it out");
      } else {
        add_argument(edits_, source_, call, extra_arguments());
      }
    }
    return true;
  });
}

// Removes the namespace of variables and functions that become members of the region's data.
void device_code::drop_namespace(DeclRefExpr const* of) {
  if (of == nullptr || !of->hasQualifier()) return;
  auto const* variable = dyn_cast<VarDecl>(of->getDecl());
  capture const* captured = variable == nullptr ? nullptr : region_.capture_of(variable);
  auto const* named = dyn_cast<FunctionDecl>(of->getDecl());
  bool const is_member =
      (captured != nullptr && captured->in_tasks) ||
      std::any_of(region_.device_functions.begin(), region_.device_functions.end(),
                  [&](FunctionDecl const* f) {
                    return named != nullptr && f->getCanonicalDecl() == named->getCanonicalDecl();
                  });
  if (!is_member) return;
  mapping const* const map = variable == nullptr ? nullptr : region_.map_of(variable);
  QualType const type = of->getType();
  bool const is_number = map != nullptr && !type->isArrayType() && !type->isPointerType();
  // edit_references() replaces the whole name.
  if (is_number) return;
  if (source_text::in_macro(of->getSourceRange())) {
    report_.error(of, "a name with its namespace comes from a macro; write it out");
    return;
  }
  edits_.replace(source_.range(of->getSourceRange()), of->getDecl()->getNameAsString());
}

// Turns a function's static table into a plain constant.
void device_code::drop_static(DeclStmt const* of) {
  auto const* variable = dyn_cast_or_null<VarDecl>(*of->decl_begin());
  if (variable == nullptr || !variable->isStaticLocal()) return;
  text_range at = source_.range(of->getSourceRange());
  std::string const text = source_.text(at);
  std::size_t const found = text.find("static");
  if (found == std::string::npos) {
    report_.error(of, "'static' comes from a macro; write it out");
    return;
  }
  at.begin += static_cast<unsigned>(found);
  at.end = at.begin + static_cast<unsigned>(sizeof "static");
  edits_.replace(at, "");
}

}  // namespace gridloom::juggler::cc
