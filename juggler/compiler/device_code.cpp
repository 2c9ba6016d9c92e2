#include "compiler/device_code.hpp"

#include <algorithm>

#include "compiler/parallel_loop.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

constexpr char const* rank_is_first = "if (jcc_block.thread_rank() == 0) {";
constexpr char const* meet = "jcc_block.sync();";

bool is_parallel_loop(Stmt const* s) {
  return isa<OMPParallelForDirective>(s) || isa<OMPParallelForSimdDirective>(s);
}

bool is_control(Stmt const* s) {
  return isa<CompoundStmt>(s) || isa<IfStmt>(s) || isa<ForStmt>(s) || isa<WhileStmt>(s) ||
         isa<DoStmt>(s);
}

std::string joined(std::vector<std::string> const& parts) {
  std::string result;
  for (std::string const& part : parts) result += (result.empty() ? "" : ", ") + part;
  return result;
}

}  // namespace

bool device_code::reduces(region const& of) {
  bool found = false;
  auto const look = [&](Stmt const* code) {
    walk(code, [&](Stmt const* s) {
      if (auto const* directive = dyn_cast<OMPExecutableDirective>(s))
        found = found || (is_parallel_loop(s) && directive->hasClausesOfKind<OMPReductionClause>());
      return !found;
    });
  };
  for (task const& t : of.tasks) look(t.body);
  for (FunctionDecl const* f : of.device_functions) look(f->getBody());
  return found;
}

std::string device_code::extra_arguments() const {
  return reduces(region_) ? "jcc_block, jcc_shared" : "jcc_block";
}

std::string device_code::task_function(task const& of) {
  bool const wide = is_block_wide(of.body);
  std::vector<std::string> parameters;
  if (wide) parameters.push_back("Block const& jcc_block");
  if (wide && reduces(region_)) parameters.push_back("[[maybe_unused]] Shared& jcc_shared");
  for (VarDecl const* v : of.firstprivate)
    parameters.push_back(declaration(
        context_, v->getType().getNonReferenceType().getUnqualifiedType(), v->getNameAsString()));
  std::string result = "  // The task of line " +
                       std::to_string(source_.line(of.directive->getBeginLoc())) +
                       (wide ? ", by all threads of a block.\n" : ", by one thread.\n");
  if (wide)
    result += reduces(region_) ? "  template <class Block, class Shared>\n"
                               : "  template <class Block>\n";
  result += "  GRIDLOOM_FN void jcc_" + of.name + "(" + joined(parameters) + ") const {\n";
  for (VarDecl const* v : of.privates)
    result += "    " +
              declaration(context_, v->getType().getNonReferenceType(), v->getNameAsString()) +
              ";\n";
  return result + "    " + body(of.body, wide) + "\n  }\n";
}

std::string device_code::function(FunctionDecl const* of) {
  bool const wide = is_block_wide(of);
  std::vector<std::string> parameters;
  if (wide) parameters.push_back("Block const& jcc_block");
  if (wide && reduces(region_)) parameters.push_back("[[maybe_unused]] Shared& jcc_shared");
  for (ParmVarDecl const* p : of->parameters())
    parameters.push_back(declaration(context_, p->getType(), p->getNameAsString()));
  std::string result = "  // " + of->getNameAsString() + " of line " +
                       std::to_string(source_.line(of->getLocation())) +
                       (wide ? ", by all threads of a block.\n" : ", by one thread.\n");
  if (wide)
    result += reduces(region_) ? "  template <class Block, class Shared>\n"
                               : "  template <class Block>\n";
  return result + "  GRIDLOOM_FN " +
         declaration(context_, of->getReturnType(),
                     of->getNameAsString() + "(" + joined(parameters) + ")") +
         " const " + body(of->getBody(), wide) + "\n";
}

std::string device_code::body(Stmt const* of, bool wide) {
  edits_ = {};
  edit_references(of);
  if (wide) {
    wide_state state;
    if (auto const* compound = dyn_cast<CompoundStmt>(of)) {
      statements({compound->body_begin(), compound->body_end()}, state);
    } else {
      statements({of}, state);
    }
  }
  return edits_.render(source_, source_.range(of));
}

// Mapped scalars become what their pointers point at; calls of functions with parallel loops hand the
// block on; `simd` goes.
void device_code::edit_references(Stmt const* of) {
  walk(of, [&](Stmt const* s) {
    if (auto const* reference = dyn_cast<DeclRefExpr>(s)) {
      auto const* variable = dyn_cast<VarDecl>(reference->getDecl());
      mapping const* map = variable == nullptr ? nullptr : region_.map_of(variable);
      if (map != nullptr && !variable->getType()->isArrayType() &&
          !variable->getType()->isPointerType()) {
        if (source_text::in_macro(reference->getSourceRange())) {
          report_.error(reference->getBeginLoc(), "mapped variable '" +
                                                      variable->getNameAsString() +
                                                      "' is used by a macro; write it out");
        } else {
          edits_.replace(source_.range(reference->getSourceRange()),
                         "(*" + variable->getNameAsString() + ")");
        }
      }
    }
    if (auto const* simd = dyn_cast<OMPSimdDirective>(s)) edits_.replace(source_.pragma(simd), "");
    auto const* call = dyn_cast<CallExpr>(s);
    FunctionDecl const* callee = call == nullptr ? nullptr : callee_of(call);
    if (callee != nullptr && is_block_wide(callee)) {
      if (source_text::in_macro(call->getSourceRange())) {
        report_.error(call->getBeginLoc(), "a call of '" + callee->getNameAsString() +
                                               "', which has a parallel loop, comes from a macro; "
                                               "write it out");
      } else if (call->getNumArgs() > 0) {
        edits_.insert_before(source_.range(call->getArg(0)->getSourceRange()),
                             extra_arguments() + ", ");
      } else {
        edits_.insert_before(source_.range(SourceRange(call->getRParenLoc())), extra_arguments());
      }
    }
    return true;
  });
}

// Code of a block with parallel loops.

device_code::way device_code::way_of(Stmt const* of) {
  effects const done = effects_of(of);
  bool const wide = is_block_wide(of);
  if (is_parallel_loop(of) || isa<CompoundStmt>(of)) return way::piecewise;
  if (is_control(of)) {
    if (wide || (done.stores && (!done.assigns.empty() || done.jumps))) return way::piecewise;
    return done.stores ? way::by_first : way::by_all;
  }
  if (wide && isa<SwitchStmt>(of)) {
    report_.error(of->getBeginLoc(), "a parallel loop in a 'switch' is not supported; write 'if'");
    return way::refused;
  }
  bool keeps_pointer = false;
  for (VarDecl const* v : done.assigns) keeps_pointer |= v->getType()->isPointerType();
  if (auto const* declared = dyn_cast<DeclStmt>(of)) {
    for (Decl const* d : declared->decls()) {
      auto const* v = dyn_cast<VarDecl>(d);
      keeps_pointer |= v != nullptr && v->getType()->isPointerType();
    }
  }
  if (!done.escapes.empty() && (done.stores || keeps_pointer)) {
    report_.error(of->getBeginLoc(),
                  "the address of '" + done.escapes.front()->getNameAsString() +
                      "' is used in code with a parallel loop, where each thread has one of its "
                      "own; map an array for it");
    return way::refused;
  }
  if (wide && !done.stores) return way::piecewise;
  if (wide) {
    // What the callee stores is its own affair; what else is stored is not.
    auto const* call = dyn_cast<CallExpr>(of);
    if (auto const* assignment = dyn_cast<BinaryOperator>(of)) {
      call = dyn_cast<CallExpr>(assignment->getRHS()->IgnoreParenImpCasts());
      if (!assignment->isAssignmentOp() || variable_of(assignment->getLHS()) == nullptr)
        call = nullptr;
    } else if (auto const* declared = dyn_cast<DeclStmt>(of);
               declared && declared->isSingleDecl()) {
      auto const* v = dyn_cast<VarDecl>(declared->getSingleDecl());
      call = v == nullptr || v->getInit() == nullptr
                 ? nullptr
                 : dyn_cast<CallExpr>(v->getInit()->IgnoreParenImpCasts());
    }
    bool plain = call != nullptr;
    for (Expr const* argument :
         call == nullptr ? llvm::ArrayRef<Expr const*>()
                         : llvm::ArrayRef<Expr const*>(call->getArgs(), call->getNumArgs())) {
      effects const inner = effects_of(argument);
      plain = plain && !inner.stores && inner.assigns.empty() && !is_block_wide(argument);
    }
    if (plain) return way::piecewise;
    report_.error(
        of->getBeginLoc(),
        "a call of a function with a parallel loop stands alone here, or is assigned to a "
        "local variable; write the rest as statements of their own");
    return way::refused;
  }
  if (!done.stores) return way::by_all;
  if (done.jumps) {
    report_.error(of->getBeginLoc(),
                  "this both stores to memory and leaves the function, in code with a parallel "
                  "loop; write 'if' in place of 'switch'");
    return way::refused;
  }
  if (isa<DeclStmt>(of) || !done.assigns.empty() || isa<ReturnStmt>(of)) {
    report_.error(of->getBeginLoc(),
                  "this both stores to memory and sets a local variable, in code with a parallel "
                  "loop; write two statements");
    return way::refused;
  }
  return way::by_first;
}

bool device_code::reads_by_all(Stmt const* of) {
  if (of == nullptr || is_parallel_loop(of)) return false;
  switch (way_of(of)) {
    case way::by_first:
    case way::refused: return false;
    case way::by_all: return effects_of(of).reads;
    case way::piecewise: break;
  }
  if (!is_control(of)) return true;
  if (auto const* compound = dyn_cast<CompoundStmt>(of))
    return std::any_of(compound->body_begin(), compound->body_end(),
                       [&](Stmt const* child) { return reads_by_all(child); });
  auto const read = [](Stmt const* header) {
    return header != nullptr && effects_of(header).reads;
  };
  if (auto const* choice = dyn_cast<IfStmt>(of))
    return read(choice->getCond()) || reads_by_all(choice->getThen()) ||
           reads_by_all(choice->getElse());
  if (auto const* loop = dyn_cast<ForStmt>(of))
    return read(loop->getInit()) || read(loop->getCond()) || read(loop->getInc()) ||
           reads_by_all(loop->getBody());
  return true;
}

void device_code::statements(std::vector<Stmt const*> const& list, wide_state& state) {
  Stmt const* first = nullptr;
  Stmt const* last = nullptr;
  for (Stmt const* s : list) {
    way const how = way_of(s);
    if (how == way::by_first) {
      if (first == nullptr) first = s;
      last = s;
      continue;
    }
    if (first != nullptr) guard(first, last, state);
    first = nullptr;
    if (how == way::piecewise) piece(s, state);
    if (how == way::by_all && effects_of(s).reads) state.dirty = true;
  }
  if (first != nullptr) guard(first, last, state);
}

void device_code::guard(Stmt const* first, Stmt const* last, wide_state& state) {
  text_range const from = source_.range(first);
  std::string const indent = source_.indent(from);
  edits_.insert_before(
      from, (state.dirty ? meet + ("\n" + indent) : "") + rank_is_first + "\n" + indent + "  ");
  edits_.insert_behind(source_.range(last), "\n" + indent + "}\n" + indent + meet);
  state.dirty = false;
}

/// A statement that may stand without braces.
void device_code::nested(Stmt const* of, wide_state& state) {
  if (of == nullptr) return;
  if (auto const* compound = dyn_cast<CompoundStmt>(of)) {
    statements({compound->body_begin(), compound->body_end()}, state);
    return;
  }
  edits_.insert_before(source_.range(of), "{ ");
  statements({of}, state);
  edits_.insert_behind(source_.range(of), " }");
}

void device_code::control(Expr const* of, wide_state& state) {
  if (of == nullptr) return;
  effects const done = effects_of(of);
  if (done.stores || !done.escapes.empty() || is_block_wide(of))
    report_.error(of->getBeginLoc(),
                  "this stores to memory, in code with a parallel loop; write a statement of its "
                  "own");
  state.dirty = state.dirty || done.reads;
}

void device_code::meet_before(Stmt const* of, wide_state& state) {
  text_range const at = source_.range(of);
  if (state.dirty) edits_.insert_before(at, meet + ("\n" + source_.indent(at)));
  state.dirty = false;
}

void device_code::piece(Stmt const* of, wide_state& state) {
  if (is_parallel_loop(of)) {
    parallel_for(dyn_cast<OMPExecutableDirective>(of), state);
  } else if (auto const* compound = dyn_cast<CompoundStmt>(of)) {
    statements({compound->body_begin(), compound->body_end()}, state);
  } else if (auto const* choice = dyn_cast<IfStmt>(of)) {
    control(choice->getCond(), state);
    wide_state other = state;
    nested(choice->getThen(), state);
    nested(choice->getElse(), other);
    state.dirty = state.dirty || other.dirty;
  } else if (auto const* loop = dyn_cast<ForStmt>(of)) {
    if (auto const* init = dyn_cast_or_null<Expr>(loop->getInit())) control(init, state);
    if (auto const* init = dyn_cast_or_null<DeclStmt>(loop->getInit())) {
      effects const done = effects_of(init);
      if (done.stores)
        report_.error(init->getBeginLoc(),
                      "this stores to memory, in code with a parallel loop; write a statement of "
                      "its own");
      state.dirty = state.dirty || done.reads;
    }
    control(loop->getCond(), state);
    control(loop->getInc(), state);
    state.dirty = state.dirty || reads_by_all(loop->getBody());
    nested(loop->getBody(), state);
    state.dirty = state.dirty || reads_by_all(loop->getBody()) ||
                  (loop->getCond() != nullptr && effects_of(loop->getCond()).reads);
  } else if (auto const* repeat = dyn_cast<WhileStmt>(of)) {
    control(repeat->getCond(), state);
    state.dirty = state.dirty || reads_by_all(repeat->getBody());
    nested(repeat->getBody(), state);
    state.dirty = true;
  } else if (auto const* once = dyn_cast<DoStmt>(of)) {
    control(once->getCond(), state);
    state.dirty = true;
    nested(once->getBody(), state);
    state.dirty = true;
  } else {
    // A call of a function with parallel loops.
    meet_before(of, state);
    state.dirty = true;
  }
}

}  // namespace gridloom::juggler::cc
