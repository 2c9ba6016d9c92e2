// Section 4.1, condition 1: results of tasks must not decide which tasks are made. Clang has no
// analysis of reaching definitions, so the check is conservative. A variable that a task may write
// taints everything computed from it, in whatever order.
//
// - W is the set of what tasks write: stores, arguments for non-const parameters, and items of
//   `out` and `inout`. Pointers that are assigned to each other count as one.
// - A variable is tainted if its value comes from W or from a tainted variable.
// - Conditions, loop bounds, depend items and firstprivate values are refused if they are tainted.
// - Stores to memory and calls with effects between tasks are refused as well, because the
//   inspection would execute them before all tasks.
#include <algorithm>
#include <map>
#include <set>

#include "compiler/definitions.hpp"
#include "compiler/pointer_groups.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

class checker {
 public:
  checker(ASTContext& context, region const& of, reporter const& report)
      : source_(context), region_(of), report_(report) {}

  void check() {
    code_.push_back(region_.body);
    for (FunctionDecl const* f : region_.inspected) code_.push_back(f->getBody());
    for (Stmt const* c : code_) groups_.take(c);
    for (task const& t : region_.tasks) note_writes(t);
    spread_taint();
    for (Stmt const* c : code_) check_code(c);
    for (task const& t : region_.tasks) check_task(t);
  }
  /// Outside pointers and arrays without a map clause, if a value read through them decides which
  /// tasks are made.
  [[nodiscard]] std::vector<VarDecl const*> read_through() const {
    std::set<VarDecl const*> all = groups_.members();
    all.insert(roots_.begin(), roots_.end());
    for (capture const& c : region_.captures) all.insert(c.variable);
    std::vector<VarDecl const*> result;
    for (VarDecl const* v : all) {
      if (is_lead_named_in(region_, v) && region_.map_of(v) == nullptr &&
          read_.count(groups_.representative(v)) != 0)
        result.push_back(v);
    }
    std::sort(result.begin(), result.end(), [](VarDecl const* a, VarDecl const* b) {
      return a->getLocation().getRawEncoding() < b->getLocation().getRawEncoding();
    });
    return result;
  }

 private:
  void note_write(Expr const* lvalue, task const& by) {
    for (VarDecl const* variable : roots_of(lvalue)) {
      QualType const type = variable->getType().getNonReferenceType();
      bool const is_outer = region_.capture_of(variable) != nullptr;
      // Each call has its own arrays, and a task's private array is a copy.
      bool const is_own_array = type->isArrayType() && variable->hasLocalStorage() && !is_outer;
      bool const is_copy = !holds_pointer(type) && !variable->getType()->isReferenceType() &&
                           (is_declared_in(by.body, variable) || has(by.firstprivate, variable) ||
                            has(by.privates, variable));
      if (!is_own_array && !is_copy) writers_.emplace(groups_.representative(variable), &by);
    }
  }
  void note_writes(task const& t) {
    for (dependence const& d : t.dependences) {
      if (d.how != access::in) note_write(d.what.base, t);
    }
    std::set<FunctionDecl const*> seen;
    note_writes(t.body, t, seen);
  }
  void note_writes(Stmt const* code, task const& t, std::set<FunctionDecl const*>& seen) {
    walk(code, [&](Stmt const* s) {
      if (Expr const* const to = assigned_by(s)) note_write(to, t);
      if (auto const* call = dyn_cast<CallExpr>(s)) {
        FunctionDecl const* callee = callee_of(call);
        for_each_argument(callee, call, [&](ParmVarDecl const* parameter, Expr const* argument) {
          QualType const type = parameter->getType();
          if ((type->isPointerType() || type->isReferenceType()) &&
              !type->getPointeeType().isConstQualified())
            note_write(argument, t);
        });
        if (callee != nullptr && seen.insert(callee).second)
          note_writes(callee->getBody(), t, seen);
      }
      return true;
    });
  }

  task const* writer_of(VarDecl const* variable) {
    auto const found = writers_.find(groups_.representative(variable));
    return found == writers_.end() ? nullptr : found->second;
  }

  /// If the expression reads through pointers stored in memory, the outside variable that leads to
  /// them; or null.
  VarDecl const* holder_behind(Expr const* from, VarDecl const* root) const {
    std::set<VarDecl const*> all = groups_.members();
    all.insert(root);
    for (VarDecl const* v : all) {
      bool const is_outer = region_.capture_of(v) != nullptr || v->isFileVarDecl();
      if (is_outer && region_.map_of(v) == nullptr &&
          groups_.representative(v) == groups_.representative(root) &&
          is_read_by_inner_pointer(from, root, v))
        return v;
    }
    return nullptr;
  }

  /// A variable in the expression whose value a task may have computed, or null. No task computes a
  /// pointer's own value.
  VarDecl const* tainted_in(Stmt const* expression) {
    VarDecl const* found = nullptr;
    auto const read = [&](Expr const* from) {
      for (VarDecl const* variable : roots_of(from)) {
        read_.insert(groups_.representative(variable));
        roots_.insert(variable);
        if (found == nullptr && writer_of(variable) != nullptr) found = variable;
        if (found == nullptr) found = holder_behind(from, variable);
      }
    };
    walk(expression, [&](Stmt const* s) {
      auto const* op = dyn_cast<UnaryOperator>(s);
      if (op != nullptr && op->getOpcode() == UO_AddrOf) {
        // Taking an address reads only the indices.
        for (Stmt const* child : indices_of(op->getSubExpr())) {
          if (found == nullptr) found = tainted_in(child);
        }
        return false;
      }
      // sizeof reads nothing.
      if (isa<OMPTaskDirective>(s) || isa<UnaryExprOrTypeTraitExpr>(s)) return false;
      if (isa<ArraySubscriptExpr>(s) || isa<MemberExpr>(s) ||
          (op != nullptr && op->getOpcode() == UO_Deref))
        read(cast<Expr>(s));
      if (auto const* call = dyn_cast<CallExpr>(s)) {
        // A result may depend on anything that the function reads.
        FunctionDecl const* callee = callee_of(call);
        if (callee != nullptr && found == nullptr && open_.insert(callee).second) {
          found = tainted_in(callee->getBody());
          open_.erase(callee);
        }
      } else if (auto const* reference = dyn_cast<DeclRefExpr>(s)) {
        auto const* variable = dyn_cast<VarDecl>(reference->getDecl());
        if (variable == nullptr) return true;
        if (tainted_.count(variable) != 0 && found == nullptr) found = variable;
        QualType const type = variable->getType().getNonReferenceType();
        if (!type->isPointerType() && !type->isArrayType() && region_.map_of(variable) != nullptr)
          read(reference);
      }
      return true;
    });
    return found;
  }

  void spread_taint() {
    for (bool more = true; more;) {
      more = false;
      for (Stmt const* c : code_) {
        definitions(c, [&](VarDecl const* v, Expr const* value) {
          if (VarDecl const* from = tainted_in(value);
              from != nullptr && tainted_.insert(v).second) {
            more = true;
            origin_[v] = from;
          }
        });
      }
    }
  }

  void refuse(Stmt const* at, std::string const& what, VarDecl const* by) {
    VarDecl const* from = by;
    // A pointer's origin may be itself, as in 'p = p->next'.
    std::set<VarDecl const*> seen;
    while (origin_.count(from) != 0 && seen.insert(from).second) from = origin_[from];
    std::string const why = writer_of(from) != nullptr || tainted_.count(from) != 0
                                ? "', which tasks compute"
                                : "', whose inner pointers may lead to what tasks compute";
    report_.error(at,
                  what + " comes from '" + by->getNameAsString() + why +
                      ", so the tasks cannot be known before they run; "
                      "compute it before the region, or write '#pragma juggler eligible' in front "
                      "of it if no task does");
    if (task const* t = writer_of(from))
      report_.note(t->directive, "'" + from->getNameAsString() + "' is written by this task");
  }
  void check_value(Stmt const* value, std::string const& what) {
    if (value == nullptr) return;
    if (VarDecl const* by = tainted_in(value)) refuse(value, what, by);
  }

  void check_code(Stmt const* code) {
    walk(code, [&](Stmt const* s) {
      if (isa<OMPTaskDirective>(s)) return false;
      if (auto const* choice = dyn_cast<IfStmt>(s))
        check_value(choice->getCond(), "this condition");
      if (auto const* loop = dyn_cast<ForStmt>(s)) check_value(loop->getCond(), "this loop's end");
      if (auto const* loop = dyn_cast<WhileStmt>(s)) check_value(loop->getCond(), "this condition");
      if (auto const* loop = dyn_cast<DoStmt>(s)) check_value(loop->getCond(), "this condition");
      if (auto const* choice = dyn_cast<SwitchStmt>(s))
        check_value(choice->getCond(), "this condition");
      if (auto const* choice = dyn_cast<ConditionalOperator>(s))
        check_value(choice->getCond(), "this condition");
      auto const* both = dyn_cast<BinaryOperator>(s);
      if (both != nullptr && both->isLogicalOp() && decides(both->getRHS()))
        check_value(both->getLHS(), "this condition");
      if (Expr const* const to = assigned_by(s)) check_store(to);
      if (auto const* call = dyn_cast<CallExpr>(s)) check_call(call);
      return true;
    });
  }
  /// Whether evaluating the expression stores, assigns or makes tasks.
  bool decides(Expr const* e) const {
    effects const done = effects_of(e);
    return done.stores || !done.assigns.empty() || any_in(e, [&](Stmt const* s) {
             FunctionDecl const* callee = callee_of(dyn_cast<CallExpr>(s));
             return callee != nullptr && has(region_.inspected, callee);
           });
  }
  /// Refuses stores to memory: the inspection may only set variables.
  void check_store(Expr const* lvalue) {
    Expr const* at = lvalue->IgnoreParenImpCasts();
    bool is_element = false;
    for (;;) {
      auto const* member = dyn_cast<MemberExpr>(at);
      auto const* element = dyn_cast<ArraySubscriptExpr>(at);
      Expr const* const array =
          element == nullptr ? nullptr : element->getBase()->IgnoreParenImpCasts();
      if (member != nullptr && !member->isArrow()) {
        at = member->getBase()->IgnoreParenImpCasts();
      } else if (array != nullptr && array->getType().getNonReferenceType()->isArrayType()) {
        at = array;
        is_element = true;
      } else {
        break;
      }
    }
    VarDecl const* variable = variable_of(at);
    if (is_element && variable != nullptr && variable->hasLocalStorage() &&
        region_.capture_of(variable) == nullptr)
      return;
    bool const is_mapped_scalar = variable != nullptr && region_.map_of(variable) != nullptr &&
                                  !variable->getType().getNonReferenceType()->isPointerType();
    if (variable != nullptr && !is_element && !is_mapped_scalar &&
        !variable->getType()->isReferenceType())
      return;
    report_.error(lvalue,
                  "this stores to memory between tasks, but such code runs before any task; put it "
                  "in a task");
  }
  void check_call(CallExpr const* call) {
    FunctionDecl const* callee = callee_of(call);
    if (callee != nullptr && (!stores_memory(callee) || has(region_.inspected, callee))) return;
    FunctionDecl const* named = call->getDirectCallee();
    if (callee == nullptr && named != nullptr && is_known_function(named)) return;
    report_.error(call,
                  "'" + (named == nullptr ? std::string("a function") : named->getNameAsString()) +
                      "' has effects and is called between tasks, but all such calls run before "
                      "any task; put the call in a task, or outside of the region");
  }

  void check_task(task const& t) {
    for (VarDecl const* v : t.firstprivate) {
      if (tainted_.count(v) != 0)
        refuse(t.directive, "the task's own '" + v->getNameAsString() + "'", v);
    }
    if (t.deferred_if != nullptr) check_value(t.deferred_if, "this condition");
    for (dependence const& d : t.dependences) {
      for (section_dimension const& one : d.what.dimensions) {
        check_value(one.first, "this list item");
        check_value(one.length, "this list item");
      }
    }
  }

  source_text source_;
  region const& region_;
  reporter const& report_;
  std::vector<Stmt const*> code_;
  pointer_groups groups_;
  /// Representatives of the groups through which values were read.
  std::set<VarDecl const*> read_;
  std::set<VarDecl const*> roots_;
  /// Functions that are being analysed.
  std::set<FunctionDecl const*> open_;
  std::map<VarDecl const*, task const*> writers_;
  std::set<VarDecl const*> tainted_;
  std::map<VarDecl const*, VarDecl const*> origin_;
};

}  // namespace

std::vector<VarDecl const*> check_eligibility(ASTContext& context, region const& of,
                                              reporter const& report) {
  if (of.eligible_by_directive || of.body == nullptr) return {};
  checker own(context, of, report);
  own.check();
  return own.read_through();
}

}  // namespace gridloom::juggler::cc
