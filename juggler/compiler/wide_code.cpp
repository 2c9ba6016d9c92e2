// Decides which parts of code with parallel loops only one thread executes, and where barriers are.
#include <algorithm>

#include "compiler/device_code.hpp"
#include "compiler/parallel_loop.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

constexpr char const* rank_is_first = "if (jcc_block.thread_rank() == 0) {";
constexpr char const* meet = "jcc_block.sync();";

bool is_control(Stmt const* s) {
  return isa<CompoundStmt>(s) || isa<IfStmt>(s) || isa<ForStmt>(s) || isa<WhileStmt>(s) ||
         isa<DoStmt>(s);
}

/// Whether a function that the statement calls stores to memory.
bool calls_a_store(Stmt const* of) {
  return any_in(of, [](Stmt const* s) {
    FunctionDecl const* callee = callee_of(dyn_cast<CallExpr>(s));
    return callee != nullptr && !is_known_function(callee) && stores_memory(callee);
  });
}

}  // namespace

// Effects of a statement in a task, where mapped arrays and numbers are memory, even if they are
// local variables of the program.
effects device_code::effects_here(Stmt const* of) const {
  effects done = effects_of(of);
  auto const is_memory = [&](VarDecl const* v) {
    return region_.map_of(v) != nullptr && !v->getType().getNonReferenceType()->isPointerType();
  };
  auto const take_out = [&](std::vector<VarDecl const*>& list) {
    auto const kept = std::remove_if(list.begin(), list.end(), is_memory);
    bool const found = kept != list.end();
    list.erase(kept, list.end());
    return found;
  };
  done.stores = take_out(done.assigns) || done.stores;
  take_out(done.escapes);
  done.reads = done.reads || any_in(of, [&](Stmt const* s) {
                 VarDecl const* const v = named_by(s);
                 return v != nullptr && is_memory(v);
               });
  return done;
}

device_code::way device_code::way_of(Stmt const* of) {
  effects const done = effects_here(of);
  bool const wide = is_block_wide(of);
  if (is_parallel_loop(of) || isa<CompoundStmt>(of)) return way::piecewise;
  if (is_control(of)) {
    if (wide || (done.stores && (!done.assigns.empty() || !done.escapes.empty() || done.jumps)))
      return way::piecewise;
    return done.stores ? way::by_first : way::by_all;
  }
  if (wide && isa<SwitchStmt>(of)) {
    report_.error(of, "a parallel loop in a 'switch' is not supported; write 'if'");
    return way::refused;
  }
  bool keeps_pointer = false;
  for (VarDecl const* v : done.assigns) keeps_pointer |= v->getType()->isPointerType();
  if (auto const* declared = dyn_cast<DeclStmt>(of)) {
    for (Decl const* d : declared->decls()) {
      auto const* v = dyn_cast<VarDecl>(d);
      keeps_pointer |=
          v != nullptr && (v->getType()->isPointerType() || v->getType()->isReferenceType());
    }
  }
  if (!done.escapes.empty() && (done.stores || keeps_pointer)) {
    report_.error(of, "the address of '" + done.escapes.front()->getNameAsString() +
                          "' is used in code with a parallel loop, where each thread has its own "
                          "copy; map an array for it");
    return way::refused;
  }
  if (wide && !done.stores) return way::piecewise;
  if (wide) {
    // The called function guards its own stores, but not those of the calling statement.
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
      effects const inner = effects_here(argument);
      plain = plain && !inner.stores && inner.assigns.empty() && !is_block_wide(argument);
    }
    if (plain) return way::piecewise;
    report_.error(of,
                  "a call of a function with a parallel loop must be a statement alone, or be "
                  "assigned to a local variable; write the rest as separate statements");
    return way::refused;
  }
  if (!done.stores) return way::by_all;
  if (done.jumps && !isa<ReturnStmt>(of)) {
    report_.error(of,
                  "this both stores to memory and leaves the function, in code with a parallel "
                  "loop; write 'if' instead of 'switch'");
    return way::refused;
  }
  if (isa<DeclStmt>(of) || !done.assigns.empty() || isa<ReturnStmt>(of)) {
    report_.error(of, std::string(isa<ReturnStmt>(of)
                                      ? "this both stores to memory and returns a value"
                                      : "this both stores to memory and sets a local variable") +
                          ", in code with a parallel loop; " +
                          (calls_a_store(of) ? "assign the call's value to an element of a mapped "
                                               "array, and read that in the next statement"
                                             : "write two statements"));
    return way::refused;
  }
  return way::by_first;
}

bool device_code::reads_by_all(Stmt const* of) {
  if (of == nullptr || is_parallel_loop(of)) return false;
  switch (way_of(of)) {
    case way::by_first:
    case way::refused: return false;
    case way::by_all: return effects_here(of).reads;
    case way::piecewise: break;
  }
  if (!is_control(of)) return true;
  if (auto const* compound = dyn_cast<CompoundStmt>(of))
    return std::any_of(compound->body_begin(), compound->body_end(),
                       [&](Stmt const* child) { return reads_by_all(child); });
  auto const read = [&](Stmt const* header) {
    return header != nullptr && effects_here(header).reads;
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
    if (how != way::by_all && !source_.is_whole(s->getSourceRange())) {
      report_.error(s,
                    "a macro holds this and other statements, in code with a parallel loop; write "
                    "it out");
      continue;
    }
    if (how == way::by_first) {
      if (first == nullptr) first = s;
      last = s;
      continue;
    }
    if (first != nullptr) guard(first, last, state);
    first = nullptr;
    if (how == way::piecewise) piece(s, state);
    if (how == way::by_all && effects_here(s).reads) state.dirty = true;
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

/// Handles the body of an `if` or a loop, which may have no braces.
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
  effects const done = effects_here(of);
  if (is_block_wide(of))
    report_.error(of,
                  "a function with a parallel loop is called in a condition; assign its value to a "
                  "local variable first");
  else if (done.stores || !done.escapes.empty())
    report_.error(
        of,
        "this stores to memory, in code with a parallel loop; write it as a separate statement");
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
      effects const done = effects_here(init);
      if (done.stores)
        report_.error(init,
                      "this stores to memory, in code with a parallel loop; write it as a separate "
                      "statement");
      state.dirty = state.dirty || done.reads;
    }
    control(loop->getCond(), state);
    control(loop->getInc(), state);
    state.dirty = state.dirty || reads_by_all(loop->getBody());
    nested(loop->getBody(), state);
    state.dirty = state.dirty || reads_by_all(loop->getBody()) ||
                  (loop->getCond() != nullptr && effects_here(loop->getCond()).reads);
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
    // This statement calls a function with parallel loops.
    meet_before(of, state);
    state.dirty = true;
  }
}

}  // namespace gridloom::juggler::cc
