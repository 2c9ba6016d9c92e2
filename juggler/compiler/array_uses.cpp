#include "compiler/array_uses.hpp"

#include <algorithm>

#include "compiler/definitions.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

DeclRefExpr const* reference_to(Expr const* e, VarDecl const* variable) {
  auto const* reference = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
  return reference != nullptr && reference->getDecl() == variable ? reference : nullptr;
}

/// A place in an array. `array` is the reference to the array, or null if there is no such place. A
/// null index means the first element.
struct place {
  DeclRefExpr const* array = nullptr;
  Expr const* index = nullptr;
};

/// The place that `p`, `p + i` or `&p[i]` points to.
place pointed_to(Expr const* e, VarDecl const* pointer) {
  e = e->IgnoreParenImpCasts();
  if (auto const* found = reference_to(e, pointer)) return {found};
  if (auto const* sum = dyn_cast<BinaryOperator>(e); sum != nullptr && sum->getOpcode() == BO_Add) {
    if (auto const* found = reference_to(sum->getLHS(), pointer)) return {found, sum->getRHS()};
  }
  auto const* address = dyn_cast<UnaryOperator>(e);
  auto const* element = address != nullptr && address->getOpcode() == UO_AddrOf
                            ? dyn_cast<ArraySubscriptExpr>(address->getSubExpr()->IgnoreParens())
                            : nullptr;
  if (element == nullptr) return {};
  return {reference_to(element->getBase(), pointer), element->getIdx()};
}

/// The element that `p[i]`, `*p`, `*(p + i)` or `p->x` accesses.
place element_of(Expr const* e, VarDecl const* pointer) {
  if (auto const* element = dyn_cast<ArraySubscriptExpr>(e))
    return {reference_to(element->getBase(), pointer), element->getIdx()};
  if (auto const* member = dyn_cast<MemberExpr>(e); member != nullptr && member->isArrow())
    return {reference_to(member->getBase(), pointer)};
  auto const* star = dyn_cast<UnaryOperator>(e);
  return star != nullptr && star->getOpcode() == UO_Deref ? pointed_to(star->getSubExpr(), pointer)
                                                          : place{};
}

/// The larger or smaller of two bounds; empty if they cannot be compared.
std::optional<polynomial> farther(std::optional<polynomial> const& a,
                                  std::optional<polynomial> const& b, bool largest) {
  if (!a || !b) return std::nullopt;
  if ((*a - *b).is_never_negative()) return largest ? a : b;
  if ((*b - *a).is_never_negative()) return largest ? b : a;
  return std::nullopt;
}

void extend(std::optional<element_range>& range, element_range const& by) {
  if (!range) {
    range = by;
  } else {
    range = {farther(range->first, by.first, false), farther(range->end, by.end, true)};
  }
}

}  // namespace

array_uses::array_uses(ASTContext& context, Stmt const* region, FunctionDecl const* within)
    : context_(context), region_(region), within_(within) {
  collect(region);
}

void array_uses::collect(Stmt const* code) {
  walk(code, [&](Stmt const* s) {
    if (auto const loop = parse_loop(s)) loops_.emplace(loop->variable, *loop);
    if (Expr const* const to = assigned_by(s)) ++assignments_[variable_of(to)];
    auto const* address = dyn_cast<UnaryOperator>(s);
    if (address != nullptr && address->getOpcode() == UO_AddrOf)
      ++assignments_[variable_of(address->getSubExpr())];
    if (auto const* declared = dyn_cast<DeclStmt>(s)) {
      for (Decl const* d : declared->decls()) {
        auto const* variable = dyn_cast<VarDecl>(d);
        if (variable == nullptr) continue;
        locals_.insert(variable);
        // Assigning to a reference changes the variable that it refers to.
        if (variable->getType()->isReferenceType() && variable->hasInit())
          ++assignments_[variable_of(variable->getInit())];
      }
    }
    auto const* call = dyn_cast<CallExpr>(s);
    FunctionDecl const* const callee = callee_of(call);
    if (callee == nullptr) return true;
    for_each_argument(callee, call, [&](ParmVarDecl const* parameter, Expr const* argument) {
      arguments_[parameter].push_back(argument);
      if (is_changing_reference(parameter->getType())) ++assignments_[variable_of(argument)];
    });
    if (called_.insert(callee).second) collect(callee->getBody());
    return true;
  });
}

array_use array_uses::of(VarDecl const* array) {
  array_use result;
  followed_.clear();
  follow(region_, array, {polynomial(0), polynomial(0)}, result);
  return result;
}

array_uses::offset array_uses::plus(offset const& from, Expr const* index) {
  if (index == nullptr) return from;
  maybe const least = bound(index, false);
  maybe const most = bound(index, true);
  return {from.least && least ? maybe(*from.least + *least) : std::nullopt,
          from.most && most ? maybe(*from.most + *most) : std::nullopt};
}

void array_uses::follow(Stmt const* code, VarDecl const* pointer, offset const& from,
                        array_use& into) {
  std::set<Expr const*> known;
  std::set<Expr const*> written;
  std::set<Expr const*> indexed;
  auto const note_write = [&](Expr const* to) {
    if (root_of(to) != pointer) return;
    QualType const type = pointer->getType().getNonReferenceType();
    bool const is_scalar = !type->isPointerType() && !type->isArrayType();
    // An assignment to `p[i][j].x` writes the element `p[i]`.
    walk(to, [&](Stmt const* part) {
      auto const* e = dyn_cast<Expr>(part);
      auto const* found = e == nullptr ? nullptr
                          : is_scalar  ? reference_to(e, pointer)
                                       : element_of(e, pointer).array;
      if (found == nullptr) return true;
      written.insert(found);
      into.write = to;
      return false;
    });
  };
  walk(code, [&](Stmt const* s) {
    // sizeof accesses no memory.
    if (isa<UnaryExprOrTypeTraitExpr>(s)) return false;
    if (Expr const* to = assigned_by(s)) note_write(to);
    if (auto const* call = dyn_cast<CallExpr>(s)) follow_call(call, pointer, from, known, into);
    auto const* e = dyn_cast<Expr>(s);
    if (e == nullptr) return true;
    if (auto const* element = dyn_cast<ArraySubscriptExpr>(e))
      indexed.insert(element->getBase()->IgnoreParens());
    place const at = element_of(e, pointer);
    if (at.array != nullptr && known.insert(at.array).second) {
      offset const there = plus(from, at.index);
      element_range const touched{there.least, there.most ? maybe(*there.most + 1) : std::nullopt};
      extend(into.touched, touched);
      if (written.count(at.array) != 0) extend(into.written, touched);
    }
    // Code with the address of a part can reach the neighbouring elements.
    auto const* address = dyn_cast<UnaryOperator>(e);
    auto const* decay = dyn_cast<ImplicitCastExpr>(e);
    bool const is_address = (address != nullptr && address->getOpcode() == UO_AddrOf) ||
                            (decay != nullptr && decay->getCastKind() == CK_ArrayToPointerDecay &&
                             indexed.count(decay) == 0);
    if (is_address && root_of(e) == pointer && known.count(pointed_to(e, pointer).array) == 0)
      into.escapes = true;
    auto const* reference = dyn_cast<DeclRefExpr>(e);
    if (reference != nullptr && reference->getDecl() == pointer && known.count(reference) == 0)
      into.escapes = true;
    return true;
  });
}

void array_uses::follow_call(CallExpr const* call, VarDecl const* pointer, offset const& from,
                             std::set<Expr const*>& known, array_use& into) {
  FunctionDecl const* const callee = callee_of(call);
  if (callee == nullptr) return;
  auto const enter = [&](VarDecl const* as, offset const& at) {
    if (!followed_.insert({callee->getBody(), as}).second) {
      // A recursive call may change the offset.
      into.escapes = into.escapes || as != pointer;
      return;
    }
    follow(callee->getBody(), as, at, into);
    if (as != pointer) followed_.erase({callee->getBody(), as});
  };
  for (unsigned p = 0; p < callee->getNumParams() && p < call->getNumArgs(); ++p) {
    ParmVarDecl const* const parameter = callee->getParamDecl(p);
    place const at = pointed_to(call->getArg(p), pointer);
    if (at.array == nullptr || !parameter->getType()->isPointerType()) continue;
    QualType const given = call->getArg(p)->IgnoreParenImpCasts()->getType();
    auto const* array = context_.getAsArrayType(given);
    QualType const element = array != nullptr ? array->getElementType() : given->getPointeeType();
    if (element.isNull() ||
        !context_.hasSameUnqualifiedType(parameter->getType()->getPointeeType(), element))
      continue;
    known.insert(at.array);
    enter(parameter, plus(from, at.index));
  }
  if (pointer->hasGlobalStorage()) enter(pointer, from);
}

std::optional<polynomial> array_uses::bound(Expr const* of, bool largest) {
  Expr::EvalResult value;
  if (of->isValueDependent()) return std::nullopt;
  if (of->EvaluateAsInt(value, context_)) return polynomial(value.Val.getInt().getExtValue());
  of = of->IgnoreParenImpCasts();
  if (auto const* cast = dyn_cast<ExplicitCastExpr>(of)) {
    // A cast to a narrower type can change the value.
    Expr const* const from = cast->getSubExpr()->IgnoreParenImpCasts();
    bool const is_wide =
        cast->getType()->isIntegerType() && from->getType()->isIntegerType() &&
        context_.getTypeSize(cast->getType()) >= context_.getTypeSize(from->getType());
    return is_wide ? bound(from, largest) : std::nullopt;
  }
  if (auto const* both = dyn_cast<BinaryOperator>(of)) {
    BinaryOperatorKind const op = both->getOpcode();
    if (op == BO_Mul) return bound_of_product(both->getLHS(), both->getRHS(), largest);
    if (op != BO_Add && op != BO_Sub) return std::nullopt;
    maybe const left = bound(both->getLHS(), largest);
    maybe const right = bound(both->getRHS(), op == BO_Sub ? !largest : largest);
    if (!left || !right) return std::nullopt;
    return op == BO_Add ? *left + *right : *left - *right;
  }
  VarDecl const* const variable = variable_of(of);
  if (variable == nullptr || !variable->getType()->isIntegerType()) return std::nullopt;
  // A variable whose value depends on itself, directly or through another one, has no bound.
  if (has(bounding_, variable)) return std::nullopt;
  bounding_.push_back(variable);
  maybe const found = bound_of(variable, of, largest);
  bounding_.pop_back();
  return found;
}

std::optional<polynomial> array_uses::bound_of_product(Expr const* left, Expr const* right,
                                                       bool largest) {
  maybe result = polynomial(1);
  for (Expr const* factor : {left, right}) {
    maybe const least = bound(factor, false);
    maybe const wanted = largest ? bound(factor, true) : least;
    if (!least || !least->is_never_negative() || !wanted) return std::nullopt;
    result = *result * *wanted;
  }
  return result;
}

std::optional<polynomial> array_uses::bound_of(VarDecl const* variable, Expr const* at,
                                               bool largest) {
  auto const assigned = assignments_.find(variable);
  unsigned const times = assigned == assignments_.end() ? 0 : assigned->second;
  if (auto const found = loops_.find(variable); found != loops_.end()) {
    loop_header const& loop = found->second;
    unsigned const by_loop = isa<DeclStmt>(loop.loop->getInit()) ? 1 : 2;
    if (loops_.count(variable) > 1 || times != by_loop ||
        !any_in(loop.loop, [&](Stmt const* s) { return s == at; }))
      return std::nullopt;
    return bound_of_loop(loop, largest);
  }
  if (times != 0) return std::nullopt;
  if (auto const given = arguments_.find(variable); given != arguments_.end()) {
    maybe result = bound(given->second.front(), largest);
    for (Expr const* argument : given->second)
      result = farther(result, bound(argument, largest), largest);
    return result;
  }
  if (locals_.count(variable) != 0) {
    bool const is_set = variable->hasInit() && !variable->isStaticLocal();
    return is_set ? bound(variable->getInit(), largest) : std::nullopt;
  }
  return is_hidden(variable) ? maybe() : polynomial::of(variable->getNameAsString());
}

/// If the step is not 1, the last value is known only if first value, bound and step are numbers.
std::optional<polynomial> array_uses::bound_of_loop(loop_header const& loop, bool largest) {
  if (loop.goes_up != largest) return bound(loop.first, largest);
  maybe end = bound(loop.bound, largest);
  if (!end) return end;
  if (!loop.is_closed) end = loop.goes_up ? *end - 1 : *end + 1;
  auto const number = [](maybe const& of) { return of ? of->constant() : std::nullopt; };
  maybe const step = loop.step == nullptr ? maybe(1) : bound(loop.step, true);
  if (number(step) == 1) return end;
  maybe const first = bound(loop.first, !largest);
  maybe const other = bound(loop.first, largest);
  auto const from = number(first);
  auto const to = number(end);
  auto const by = number(step);
  bool const is_fixed = loop.step != nullptr && by == number(bound(loop.step, false));
  if (!from || from != number(other) || !to || !by || *by <= 0 || !is_fixed) return std::nullopt;
  return polynomial(*from + (*to - *from) / *by * *by);
}

/// Whether the region's function declares another variable with the same name.
bool array_uses::is_hidden(VarDecl const* variable) const {
  if (variable->hasLocalStorage()) return false;
  auto const has_its_name = [&](Decl const* d) {
    auto const* other = dyn_cast<VarDecl>(d);
    return other != nullptr && other != variable && other->getName() == variable->getName();
  };
  return std::any_of(within_->param_begin(), within_->param_end(), has_its_name) ||
         any_in(within_->getBody(), [&](Stmt const* s) {
           auto const* declared = dyn_cast<DeclStmt>(s);
           return declared != nullptr &&
                  std::any_of(declared->decl_begin(), declared->decl_end(), has_its_name);
         });
}

void warn_of_lost_writes(ASTContext& context, region const& of, reporter const& report) {
  array_uses uses(context, of.body, of.within);
  for (mapping const& m : of.maps) {
    std::string const name = "'" + m.variable->getNameAsString() + "'";
    array_use const use = uses.of(m.variable);
    if (m.kind == map_kind::to && use.write != nullptr)
      report.warning(use.write, "a task writes " + name +
                                    ", which is mapped 'to' and not copied back; "
                                    "map it 'tofrom' if the program reads it later");
    auto const* array = context.getAsConstantArrayType(m.variable->getType().getNonReferenceType());
    section_dimension all{nullptr, nullptr, true, 0};
    if (array != nullptr) all.extent = array->getSize().getZExtValue();
    section_dimension const& d = m.what.dimensions.empty() ? all : m.what.dimensions.front();
    if (m.kind != map_kind::from || use.escapes || (d.length == nullptr && d.extent == 0)) continue;
    auto const first =
        d.first == nullptr ? std::optional(polynomial(0)) : uses.bound(d.first, true);
    auto const length =
        d.length == nullptr
            ? std::optional(polynomial(static_cast<std::int64_t>(d.extent)) - first.value_or(0))
            : uses.bound(d.length, false);
    if (!first || !length) continue;
    auto const is_more = [](std::optional<polynomial> const& a, polynomial const& b) {
      return a && (*a - b - 1).is_never_negative();
    };
    bool const is_part = !use.written || is_more(use.written->first, *first) ||
                         (use.written->end && is_more(*first + *length, *use.written->end));
    if (is_part)
      report.warning(of.directive,
                     "tasks write only a part of " + name +
                         ", which is mapped 'from': the rest is copied back without a value; map "
                         "it 'tofrom'");
  }
}

}  // namespace gridloom::juggler::cc
