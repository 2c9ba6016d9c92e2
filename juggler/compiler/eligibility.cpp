// Section 4.1, condition 1: what tasks compute does not decide which tasks are made. Clang has no
// reaching definitions that could be asked, so the check is conservative: a variable that a task may
// write taints what is computed of it, wherever both stand.
//
// - W is what tasks write: stored to, handed to a parameter that is stored through, or named behind
//   `out` and `inout`. Pointers that are assigned to each other are one.
// - Taint: a variable whose value is computed of what is in W, or of a tainted variable.
// - Refused: a tainted condition, loop bound, list item of depend, or firstprivate value; stores to
//   memory and calls with effects between the tasks, which the inspection would do before any task.
#include <algorithm>
#include <map>
#include <set>

#include "compiler/definitions.hpp"

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
    for (Stmt const* c : code_) find_called(c);
    for (Stmt const* c : code_) unite_pointers(c);
    for (FunctionDecl const* f : called_) unite_pointers(f->getBody());
    for (task const& t : region_.tasks) note_writes(t);
    spread_taint();
    for (Stmt const* c : code_) check_code(c);
    for (task const& t : region_.tasks) check_task(t);
  }

 private:
  /// Functions that code between the tasks calls.
  void find_called(Stmt const* code) {
    walk(code, [&](Stmt const* s) {
      if (isa<OMPTaskDirective>(s)) {
        for (Stmt const* item : items_of(cast<OMPTaskDirective>(s))) find_called(item);
        return false;
      }
      auto const* call = dyn_cast<CallExpr>(s);
      FunctionDecl const* callee = call == nullptr ? nullptr : callee_of(call);
      if (callee != nullptr && called_.insert(callee).second) find_called(callee->getBody());
      return true;
    });
  }
  static std::vector<Stmt const*> items_of(OMPTaskDirective const* made) {
    std::vector<Stmt const*> result;
    for (OMPClause const* clause : made->clauses()) {
      if (!isa<OMPDependClause>(clause) && !isa<OMPIfClause>(clause)) continue;
      for (Stmt const* item : clause->children()) result.push_back(item);
    }
    return result;
  }

  // One representative for pointers that are assigned to each other.
  VarDecl const* representative(VarDecl const* variable) {
    auto const found = united_.find(variable);
    return found == united_.end() ? variable : representative(found->second);
  }
  void unite(VarDecl const* a, VarDecl const* b) {
    a = representative(a);
    b = representative(b);
    if (a != b) united_[a] = b;
  }
  void unite_pointers(Stmt const* code) {
    definitions(code, [&](VarDecl const* v, Expr const* value) {
      if (!v->getType().getNonReferenceType()->isPointerType()) return;
      if (VarDecl const* from = root_of(value)) unite(v, from);
    });
  }

  void note_write(VarDecl const* variable, task const& by) {
    // An array of a function that tasks call is another one for each call.
    bool const is_own = variable != nullptr &&
                        variable->getType().getNonReferenceType()->isArrayType() &&
                        variable->hasLocalStorage() && region_.capture_of(variable) == nullptr;
    if (variable != nullptr && !is_own) writers_.emplace(representative(variable), &by);
  }
  void note_writes(task const& t) {
    for (dependence const& d : t.dependences) {
      if (d.how != access::in) note_write(root_of(d.what.base), t);
    }
    std::set<FunctionDecl const*> seen;
    note_writes(t.body, t, seen);
  }
  void note_writes(Stmt const* code, task const& t, std::set<FunctionDecl const*>& seen) {
    walk(code, [&](Stmt const* s) {
      auto const* op = dyn_cast<BinaryOperator>(s);
      if (op != nullptr && op->isAssignmentOp()) note_write(root_of(op->getLHS()), t);
      auto const* one = dyn_cast<UnaryOperator>(s);
      if (one != nullptr && one->isIncrementDecrementOp())
        note_write(root_of(one->getSubExpr()), t);
      if (auto const* call = dyn_cast<CallExpr>(s)) {
        FunctionDecl const* callee = callee_of(call);
        for (unsigned p = 0;
             callee != nullptr && p < callee->getNumParams() && p < call->getNumArgs(); ++p) {
          QualType const type = callee->getParamDecl(p)->getType();
          if ((type->isPointerType() || type->isReferenceType()) &&
              !type->getPointeeType().isConstQualified())
            note_write(root_of(call->getArg(p)), t);
        }
        if (callee != nullptr && seen.insert(callee).second)
          note_writes(callee->getBody(), t, seen);
      }
      return true;
    });
  }

  task const* writer_of(VarDecl const* variable) {
    auto const found = writers_.find(representative(variable));
    return found == writers_.end() ? nullptr : found->second;
  }

  /// A variable in the expression whose value a task may have computed, or null. The value of a
  /// pointer is an address, which no task computes.
  VarDecl const* tainted_in(Stmt const* expression) {
    VarDecl const* found = nullptr;
    walk(expression, [&](Stmt const* s) {
      VarDecl const* read = nullptr;
      bool through = false;
      if (auto const* element = dyn_cast<ArraySubscriptExpr>(s)) {
        read = root_of(element);
        through = true;
      } else if (auto const* op = dyn_cast<UnaryOperator>(s)) {
        if (op->getOpcode() == UO_AddrOf) {
          // Only an address; what it is computed of counts.
          for (Stmt const* child : indices_of(op->getSubExpr())) {
            if (found == nullptr) found = tainted_in(child);
          }
          return false;
        }
        if (op->getOpcode() == UO_Deref) {
          read = root_of(op);
          through = true;
        }
      } else if (auto const* member = dyn_cast<MemberExpr>(s)) {
        read = root_of(member);
        through = true;
      } else if (isa<OMPTaskDirective>(s)) {
        return false;
      } else if (auto const* call = dyn_cast<CallExpr>(s)) {
        // What a function returns may be computed of all that it reads.
        FunctionDecl const* callee = callee_of(call);
        if (callee != nullptr && found == nullptr && open_.insert(callee).second) {
          found = tainted_in(callee->getBody());
          open_.erase(callee);
        }
      } else if (auto const* reference = dyn_cast<DeclRefExpr>(s)) {
        read = dyn_cast<VarDecl>(reference->getDecl());
        if (read != nullptr) {
          if (tainted_.count(read) != 0 && found == nullptr) found = read;
          through = !read->getType().getNonReferenceType()->isPointerType() &&
                    !read->getType().getNonReferenceType()->isArrayType() &&
                    (region_.map_of(read) != nullptr);
        }
      }
      if (read != nullptr && through && found == nullptr && writer_of(read) != nullptr)
        found = read;
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
    report_.error(at->getBeginLoc(),
                  what + " comes from '" + by->getNameAsString() +
                      "', which tasks compute, so the tasks cannot be known before they run; "
                      "compute it before the region, or write '#pragma juggler eligible' in front "
                      "of it if no task does");
    VarDecl const* from = by;
    while (origin_.count(from) != 0) from = origin_[from];
    if (task const* t = writer_of(from))
      report_.note(t->directive->getBeginLoc(),
                   "'" + from->getNameAsString() + "' is written by this task");
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
      if (auto const* op = dyn_cast<BinaryOperator>(s); op != nullptr && op->isAssignmentOp())
        check_store(op->getLHS());
      if (auto const* op = dyn_cast<UnaryOperator>(s);
          op != nullptr && op->isIncrementDecrementOp())
        check_store(op->getSubExpr());
      if (auto const* call = dyn_cast<CallExpr>(s)) check_call(call);
      return true;
    });
  }
  /// Variables are the inspection's own; memory is not.
  void check_store(Expr const* lvalue) {
    Expr const* at = lvalue->IgnoreParenImpCasts();
    while (auto const* member = dyn_cast<MemberExpr>(at)) {
      if (member->isArrow()) break;
      at = member->getBase()->IgnoreParenImpCasts();
    }
    if (auto const* element = dyn_cast<ArraySubscriptExpr>(at)) {
      auto const* base = variable_of(element->getBase());
      if (base != nullptr && base->getType().getNonReferenceType()->isArrayType() &&
          base->hasLocalStorage() && region_.capture_of(base) == nullptr)
        return;
    }
    VarDecl const* variable = variable_of(at);
    bool const is_mapped_scalar = variable != nullptr && region_.map_of(variable) != nullptr &&
                                  !variable->getType().getNonReferenceType()->isPointerType();
    if (variable != nullptr && !is_mapped_scalar && !variable->getType()->isReferenceType()) return;
    report_.error(lvalue->getBeginLoc(),
                  "this stores to memory between tasks, but all of it would be done before any "
                  "task; put it in a task");
  }
  void check_call(CallExpr const* call) {
    FunctionDecl const* callee = callee_of(call);
    if (callee != nullptr &&
        (!stores_memory(callee) || std::find(region_.inspected.begin(), region_.inspected.end(),
                                             callee) != region_.inspected.end()))
      return;
    FunctionDecl const* named = call->getDirectCallee();
    if (callee == nullptr && named != nullptr && is_known_function(named)) return;
    report_.error(call->getBeginLoc(),
                  "'" + (named == nullptr ? std::string("a function") : named->getNameAsString()) +
                      "' has effects and is called between tasks, but all calls would be done "
                      "before any task; put it in a task, or outside of the region");
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
  std::set<FunctionDecl const*> called_;
  std::set<FunctionDecl const*> open_;  // being asked about
  std::map<VarDecl const*, VarDecl const*> united_;
  std::map<VarDecl const*, task const*> writers_;
  std::set<VarDecl const*> tainted_;
  std::map<VarDecl const*, VarDecl const*> origin_;
};

}  // namespace

void check_eligibility(ASTContext& context, region const& of, reporter const& report) {
  if (of.eligible_by_directive || of.body == nullptr) return;
  checker(context, of, report).check();
}

}  // namespace gridloom::juggler::cc
