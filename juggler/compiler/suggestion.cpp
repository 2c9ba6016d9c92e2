// What a user would have to write in front of a plain `parallel`. Lengths are bounds: of each index the
// largest value that the loops around it allow, as a polynomial in variables of outside the region.
#include <algorithm>
#include <optional>
#include <set>

#include "compiler/definitions.hpp"
#include "compiler/parallel_loop.hpp"
#include "compiler/polynomial.hpp"
#include "compiler/region_search.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

/// Bounds of the values of expressions in a region. Factors of products are taken for not negative, and
/// steps for such as end at a loop's bound.
class bounds {
 public:
  bounds(ASTContext& context, Stmt const* region) : context_(context), region_(region) {
    walk(region, [&](Stmt const* s) {
      if (auto const loop = parse_loop(s)) loops_.emplace(loop->variable, *loop);
      return true;
    });
  }

  [[nodiscard]] std::optional<polynomial> largest(Expr const* of) { return bound(of, true); }

 private:
  using maybe = std::optional<polynomial>;

  maybe bound(Expr const* of, bool largest) {
    Expr::EvalResult value;
    if (of->EvaluateAsInt(value, context_)) return polynomial(value.Val.getInt().getExtValue());
    of = of->IgnoreParenCasts();
    if (auto const* binary = dyn_cast<BinaryOperator>(of)) {
      BinaryOperatorKind const op = binary->getOpcode();
      if (op != BO_Add && op != BO_Sub && op != BO_Mul) return std::nullopt;
      maybe const left = bound(binary->getLHS(), largest);
      maybe const right = bound(binary->getRHS(), op == BO_Sub ? !largest : largest);
      if (!left || !right) return std::nullopt;
      return op == BO_Add ? *left + *right : op == BO_Sub ? *left - *right : *left * *right;
    }
    VarDecl const* const variable = variable_of(of);
    if (variable == nullptr || !variable->getType()->isIntegerType()) return std::nullopt;
    // A variable that is set from itself, or from one that is set from it, has no bound.
    if (std::find(open_.begin(), open_.end(), variable) != open_.end()) return std::nullopt;
    open_.push_back(variable);
    maybe const found = bound_of(variable, largest);
    open_.pop_back();
    return found;
  }

  maybe bound_of(VarDecl const* variable, bool largest) {
    if (loops_.count(variable) > 1) return std::nullopt;
    if (auto const at = loops_.find(variable); at != loops_.end()) {
      loop_header const& loop = at->second;
      if (loop.goes_up != largest) return bound(loop.first, largest);
      maybe const end = bound(loop.bound, largest);
      maybe const step = loop.step == nullptr ? maybe(1) : bound(loop.step, !largest);
      if (!end || !step) return std::nullopt;
      if (loop.is_closed) return end;
      return largest ? *end - *step : *end + *step;
    }
    if (!is_declared_in(region_, variable)) return polynomial::of(variable->getNameAsString());
    if (variable->getInit() == nullptr || is_assigned(variable)) return std::nullopt;
    return bound(variable->getInit(), largest);
  }

  bool is_assigned(VarDecl const* variable) const {
    bool found = false;
    walk(region_, [&](Stmt const* s) {
      auto const* binary = dyn_cast<BinaryOperator>(s);
      auto const* unary = dyn_cast<UnaryOperator>(s);
      found = found ||
              (binary != nullptr && binary->isAssignmentOp() &&
               variable_of(binary->getLHS()) == variable) ||
              (unary != nullptr &&
               (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf) &&
               variable_of(unary->getSubExpr()) == variable);
      return !found;
    });
    return found;
  }

  ASTContext& context_;
  Stmt const* region_;
  std::multimap<VarDecl const*, loop_header> loops_;
  std::vector<VarDecl const*> open_;
};

/// An array that depend clauses name.
struct named_array {
  VarDecl const* variable;
  /// The end of the section that reaches farthest; nothing where that cannot be told.
  std::optional<polynomial> end;
};

/// `p` of `*p`, which has no dimensions.
Expr const* behind_star(Expr const* base) {
  auto const* star = dyn_cast<UnaryOperator>(base->IgnoreParenImpCasts());
  return star != nullptr && star->getOpcode() == UO_Deref ? star->getSubExpr() : base;
}

/// Where a section of a pointer's elements ends.
std::optional<polynomial> end_of(section const& what, bounds& values) {
  if (what.dimensions.empty()) return polynomial(1);
  section_dimension const& outer = what.dimensions.front();
  if (outer.is_section && outer.length == nullptr) return std::nullopt;
  auto const first = outer.first == nullptr ? polynomial(0) : values.largest(outer.first);
  auto const length = outer.is_section ? values.largest(outer.length) : polynomial(1);
  if (!first || !length) return std::nullopt;
  return *first + *length;
}

void add(std::vector<named_array>& arrays, VarDecl const* variable,
         std::optional<polynomial> const& end) {
  auto const known = std::find_if(arrays.begin(), arrays.end(),
                                  [&](named_array const& one) { return one.variable == variable; });
  if (known == arrays.end()) {
    arrays.push_back({variable, end});
  } else if (!known->end || !end || !(*known->end - *end).is_never_negative()) {
    bool const is_farther = known->end && end && (*end - *known->end).is_never_negative();
    known->end = is_farther ? end : std::nullopt;
  }
}

/// Variables of outside a region that a pointer of its own is set from; none for a number.
std::set<VarDecl const*> roots_of(Stmt const* region, VarDecl const* pointer) {
  std::set<VarDecl const*> seen{pointer};
  std::set<VarDecl const*> result;
  if (!pointer->getType()->isPointerType()) return result;
  for (bool more = true; more;) {
    more = false;
    definitions(region, [&](VarDecl const* v, Expr const* value) {
      VarDecl const* const from = root_of(value);
      if (seen.count(v) == 0 || from == nullptr || !seen.insert(from).second) return;
      more = true;
      QualType const type = from->getType().getNonReferenceType();
      if (!is_declared_in(region, from) && (type->isPointerType() || type->isArrayType()))
        result.insert(from);
    });
  }
  return result;
}

/// What of a variable no map clause takes.
std::string obstacle_of(VarDecl const* variable) {
  QualType const type = variable->getType().getNonReferenceType();
  std::string const name = "'" + variable->getNameAsString() + "'";
  if (type->isVariableArrayType())
    return name +
           " has a length that is not a constant, and cannot be mapped; use a pointer to its "
           "elements";
  bool const is_pointer = type->isPointerType();
  if (is_pointer && type->getPointeeType()->isPointerType())
    return name + " is a pointer to pointers, which cannot be mapped; keep all rows in one array";
  if (holds_pointer(is_pointer ? type->getPointeeType() : type))
    return name + " holds pointers, which cannot be mapped; use numbers of elements in their place";
  return {};
}

}  // namespace

namespace {

/// Variables that code sets by name.
std::set<VarDecl const*> set_in(Stmt const* code) {
  std::set<VarDecl const*> result;
  walk(code, [&](Stmt const* s) {
    auto const* binary = dyn_cast<BinaryOperator>(s);
    auto const* unary = dyn_cast<UnaryOperator>(s);
    if (binary != nullptr && binary->isAssignmentOp()) result.insert(variable_of(binary->getLHS()));
    if (unary != nullptr && unary->isIncrementDecrementOp())
      result.insert(variable_of(unary->getSubExpr()));
    return true;
  });
  return result;
}

/// Whether a task has a copy of its own.
bool is_private(OMPTaskDirective const* made, VarDecl const* variable) {
  auto const has = [&](auto const& clauses) {
    for (auto const* clause : clauses) {
      for (Expr const* item : clause->varlists()) {
        if (variable_of(item) == variable) return true;
      }
    }
    return false;
  };
  return has(made->getClausesOfKind<OMPPrivateClause>()) ||
         has(made->getClausesOfKind<OMPFirstprivateClause>());
}

/// Arrays that a task uses and numbers that it sets, whatever its `depend` clauses say.
std::vector<VarDecl const*> used_by(OMPTaskDirective const* made) {
  std::vector<VarDecl const*> result;
  Stmt const* const code = body_of(made);
  std::set<VarDecl const*> const set = set_in(code);
  walk(code, [&](Stmt const* s) {
    auto const* reference = dyn_cast<DeclRefExpr>(s);
    auto const* variable = reference == nullptr ? nullptr : dyn_cast<VarDecl>(reference->getDecl());
    if (variable == nullptr || is_declared_in(code, variable)) return true;
    QualType const type = variable->getType().getNonReferenceType();
    bool const is_number = !type->isPointerType() && !type->isArrayType();
    if (type->isPointerType() || (type->isArrayType() && !type.isConstQualified()) ||
        (is_number && set.count(variable) != 0 && !is_private(made, variable)))
      result.push_back(variable);
    return true;
  });
  return result;
}

/// Arrays of outside a region that it hands to functions that make tasks.
std::vector<VarDecl const*> handed_on(Stmt const* region) {
  std::vector<VarDecl const*> result;
  walk(region, [&](Stmt const* s) {
    auto const* call = dyn_cast<CallExpr>(s);
    FunctionDecl const* callee = call == nullptr ? nullptr : callee_of(call);
    bool makes = false;
    if (callee != nullptr) {
      walk(callee->getBody(), [&](Stmt const* inner) {
        makes = makes || isa<OMPTaskDirective>(inner);
        return !makes;
      });
    }
    if (!makes) return true;
    for (Expr const* argument : call->arguments()) {
      VarDecl const* const variable = root_of(argument);
      if (variable == nullptr || is_declared_in(region, variable)) continue;
      QualType const type = variable->getType().getNonReferenceType();
      if (type->isPointerType() || type->isArrayType()) result.push_back(variable);
    }
    return true;
  });
  return result;
}

}  // namespace

suggestion suggested_directive(ASTContext& context, OMPExecutableDirective const* parallel) {
  Stmt const* const body = body_of(parallel);
  bounds values(context, body);
  std::vector<named_array> arrays;
  std::string obstacle;
  walk(body, [&](Stmt const* s) {
    auto const* made = dyn_cast<OMPTaskDirective>(s);
    if (made == nullptr) return true;
    for (auto const* depend : made->getClausesOfKind<OMPDependClause>()) {
      for (Expr const* item : depend->varlists()) {
        section const what = section_of(context, item);
        VarDecl const* const variable = variable_of(behind_star(what.base));
        if (variable == nullptr) continue;
        if (obstacle.empty()) obstacle = obstacle_of(variable);
        // Nothing in front of the region knows its name: what it leads into is to be mapped.
        bool const is_inner = is_declared_in(body, variable);
        if (is_inner) {
          for (VarDecl const* root : roots_of(body, variable)) add(arrays, root, std::nullopt);
        } else {
          add(arrays, variable, end_of(what, values));
        }
      }
    }
    return true;
  });
  walk(body, [&](Stmt const* s) {
    auto const* made = dyn_cast<OMPTaskDirective>(s);
    if (made == nullptr) return true;
    for (VarDecl const* variable : used_by(made)) {
      bool const is_known = std::any_of(arrays.begin(), arrays.end(), [&](named_array const& one) {
        return one.variable == variable;
      });
      if (is_known || is_declared_in(body, variable)) continue;
      if (obstacle.empty()) obstacle = obstacle_of(variable);
      add(arrays, variable, std::nullopt);
    }
    return false;
  });
  for (VarDecl const* variable : handed_on(body)) {
    if (obstacle.empty()) obstacle = obstacle_of(variable);
    add(arrays, variable, std::nullopt);
  }
  std::string list;
  for (named_array const& one : arrays) {
    list += (list.empty() ? "" : ", ") + one.variable->getNameAsString();
    if (one.variable->getType().getNonReferenceType()->isPointerType())
      list += "[0:" + (one.end ? one.end->text() : "LENGTH") + "]";
  }
  std::string const directive = "#pragma juggler target";
  return {list.empty() ? directive : directive + " map(tofrom: " + list + ")", obstacle};
}

}  // namespace gridloom::juggler::cc
