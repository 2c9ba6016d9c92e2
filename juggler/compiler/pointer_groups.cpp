#include "compiler/pointer_groups.hpp"

#include <algorithm>

#include "compiler/definitions.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

bool may_lead(QualType type) {
  QualType const plain = type.getNonReferenceType();
  return plain->isArrayType() || holds_pointer(plain);
}

/// Number of pointers that an expression follows.
int steps_of(Expr const* e) {
  e = e->IgnoreParenCasts();
  if (auto const* member = dyn_cast<MemberExpr>(e))
    return (member->isArrow() ? 1 : 0) + steps_of(member->getBase());
  if (auto const* element = dyn_cast<ArraySubscriptExpr>(e)) {
    bool const is_array = element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType();
    return (is_array ? 0 : 1) + steps_of(element->getBase());
  }
  if (auto const* op = dyn_cast<UnaryOperator>(e))
    return (op->getOpcode() == UO_Deref ? 1 : 0) + steps_of(op->getSubExpr());
  if (auto const* sum = dyn_cast<BinaryOperator>(e))
    return steps_of(may_lead(sum->getLHS()->getType()) ? sum->getLHS() : sum->getRHS());
  return 0;
}

class root_finder {
 public:
  std::vector<VarDecl const*> found;

  void look(Expr const* e) {
    if (e == nullptr) return;
    e = e->IgnoreParenCasts();
    if (auto const* element = dyn_cast<ArraySubscriptExpr>(e)) {
      look(element->getBase());
    } else if (auto const* part = dyn_cast<OMPArraySectionExpr>(e)) {
      look(part->getBase());
    } else if (auto const* member = dyn_cast<MemberExpr>(e)) {
      look(member->getBase());
    } else if (auto const* op = dyn_cast<UnaryOperator>(e)) {
      look(op->getSubExpr());
    } else if (auto const* choice = dyn_cast<AbstractConditionalOperator>(e)) {
      look(choice->getTrueExpr());
      look(choice->getFalseExpr());
    } else if (auto const* same = dyn_cast<OpaqueValueExpr>(e)) {
      look(same->getSourceExpr());
    } else if (auto const* sum = dyn_cast<BinaryOperator>(e)) {
      look_at_both(sum);
    } else if (auto const* call = dyn_cast<CallExpr>(e)) {
      look_at_call(call);
    } else if (auto const* list = dyn_cast<InitListExpr>(e)) {
      for (Expr const* one : list->inits()) look(one);
    } else if (auto const* named = dyn_cast<DesignatedInitExpr>(e)) {
      look(named->getInit());
    } else if (auto const* literal = dyn_cast<CompoundLiteralExpr>(e)) {
      look(literal->getInitializer());
    } else if (auto const* made = dyn_cast<CXXConstructExpr>(e)) {
      for (Expr const* argument : made->arguments()) look(argument);
    } else if (VarDecl const* variable = variable_of(e)) {
      found.push_back(variable);
    }
  }

 private:
  // Looks at the operands that may lead to memory, or at both if neither may. Only the right
  // operand of a comma is its value.
  void look_at_both(BinaryOperator const* sum) {
    bool const left = may_lead(sum->getLHS()->getType());
    bool const right = may_lead(sum->getRHS()->getType());
    if (sum->getOpcode() != BO_Comma && (left || !right)) look(sum->getLHS());
    if (right || !left) look(sum->getRHS());
  }
  void look_at_call(CallExpr const* call) {
    for (Expr const* argument : call->arguments()) {
      if (may_lead(argument->getType()) || argument->isGLValue()) look(argument);
    }
    FunctionDecl const* callee = callee_of(call);
    if (callee == nullptr || !open_.insert(callee).second) return;
    walk(callee->getBody(), [&](Stmt const* s) {
      if (auto const* result = dyn_cast<ReturnStmt>(s)) look(result->getRetValue());
      return true;
    });
    open_.erase(callee);
  }

  std::set<FunctionDecl const*> open_;
};

// Finds pointers that may point one past the end of a mapped array, where the next array may begin.

std::set<std::string> names_declared_in(Stmt const* code) {
  std::set<std::string> result;
  walk(code, [&](Stmt const* s) {
    auto const* declared = dyn_cast<DeclStmt>(s);
    for (Decl const* d : declared == nullptr ? DeclGroupRef() : declared->getDeclGroup()) {
      if (auto const* v = dyn_cast<VarDecl>(d)) result.insert(v->getNameAsString());
    }
    return true;
  });
  return result;
}

QualType element_of(ASTContext& context, QualType type) {
  type = type.getNonReferenceType();
  if (auto const* array = context.getAsArrayType(type)) return array->getElementType();
  return type->getPointeeType();
}

}  // namespace

std::vector<VarDecl const*> roots_of(Expr const* e) {
  root_finder finder;
  finder.look(e);
  return std::move(finder.found);
}

bool is_read_by_inner_pointer(Expr const* of, VarDecl const* root, VarDecl const* from) {
  QualType const type = from->getType().getNonReferenceType();
  bool const is_pointer = type->isPointerType();
  if (!holds_pointer(is_pointer ? type->getPointeeType() : type)) return false;
  if (holds_pointer(of->getType()) || of->getType()->isArrayType()) return false;
  auto const own = root->getType().getNonReferenceType();
  bool const is_alike =
      own->isPointerType() == is_pointer &&
      root->getASTContext().hasSameUnqualifiedType(is_pointer ? own->getPointeeType() : own,
                                                   is_pointer ? type->getPointeeType() : type);
  return !is_alike || steps_of(of) > (is_pointer ? 1 : 0);
}

bool is_lead_named_in(region const& of, VarDecl const* variable) {
  QualType const type = variable->getType().getNonReferenceType();
  QualType element = type->isPointerType() ? type->getPointeeType() : type;
  while (element->isArrayType()) element = element->getAsArrayTypeUnsafe()->getElementType();
  bool const leads = type->isPointerType() || type->isConstantArrayType();
  if (!leads || (type->isArrayType() && element.isConstQualified())) return false;
  if (capture const* own = of.capture_of(variable)) return own->in_inspection;
  SourceManager const& sources = variable->getASTContext().getSourceManager();
  return variable->isFileVarDecl() &&
         sources.isBeforeInTranslationUnit(variable->getLocation(), of.within->getLocation());
}

VarDecl const* pointer_groups::representative(VarDecl const* variable) const {
  for (auto at = united_.find(variable); at != united_.end(); at = united_.find(variable))
    variable = at->second;
  return variable;
}

std::set<VarDecl const*> pointer_groups::members() const {
  std::set<VarDecl const*> result;
  for (auto const& [one, other] : united_) result.insert({one, other});
  return result;
}

void pointer_groups::unite(VarDecl const* a, VarDecl const* b) {
  a = representative(a);
  b = representative(b);
  if (a != b) united_[a] = b;
}

void pointer_groups::take(Stmt const* code) {
  take_definitions(code);
  walk(code, [&](Stmt const* s) {
    if (auto const* made = dyn_cast<OMPTaskDirective>(s)) {
      for (OMPClause const* clause : made->clauses()) {
        if (!isa<OMPDependClause>(clause) && !isa<OMPIfClause>(clause)) continue;
        for (Stmt const* item : clause->children()) take(item);
      }
      return false;
    }
    FunctionDecl const* callee = callee_of(dyn_cast<CallExpr>(s));
    if (callee != nullptr && taken_.insert(callee).second) take(callee->getBody());
    return true;
  });
}

void pointer_groups::take_definitions(Stmt const* code) {
  definitions(code, [&](VarDecl const* v, Expr const* value) {
    if (!may_lead(v->getType())) return;
    for (VarDecl const* from : roots_of(value)) {
      if (may_lead(from->getType())) unite(v, from);
    }
  });
}

std::string end_of(ASTContext& context, mapping const& of) {
  std::string const name = of.variable->getNameAsString();
  auto const* array = context.getAsConstantArrayType(of.variable->getType().getNonReferenceType());
  std::string const all = array == nullptr ? "" : std::to_string(array->getSize().getZExtValue());
  if (of.what.dimensions.empty()) return array == nullptr ? "" : name + " + " + all;
  section_dimension const& d = of.what.dimensions.front();
  if (of.what.dimensions.size() > 1 || !d.is_section) return "";
  if (d.length == nullptr) return name + " + " + all;
  auto const text = [&](Expr const* part) { return text_of(context, of.what, part); };
  std::string const first = d.first == nullptr ? "" : " + (" + text(d.first) + ")";
  return name + (first == " + (0)" ? "" : first) + " + (" + text(d.length) + ")";
}

std::map<VarDecl const*, VarDecl const*> sole_arrays(ASTContext& context, region const& of) {
  std::map<VarDecl const*, VarDecl const*> result;
  if (of.maps.size() < 2) return result;
  pointer_groups groups;
  for (DeclStmt const* d : of.declarations) groups.take(d);
  groups.take(of.body);
  std::set<std::string> const hidden = names_declared_in(of.body);
  auto const is_hidden = [&](Expr const* part) {
    return any_in(part, [&](Stmt const* s) {
      auto const* reference = dyn_cast<DeclRefExpr>(s);
      return isa<CallExpr>(s) ||
             (reference != nullptr && hidden.count(reference->getDecl()->getNameAsString()) != 0);
    });
  };
  auto const may_end = [&](mapping const& m, VarDecl const* pointer) {
    for (section_dimension const& d : m.what.dimensions) {
      if (is_hidden(d.first) || is_hidden(d.length)) return false;
    }
    capture const* const own = of.capture_of(m.variable);
    return own != nullptr && !own->changes && hidden.count(m.variable->getNameAsString()) == 0 &&
           context.hasSameUnqualifiedType(element_of(context, m.variable->getType()),
                                          element_of(context, pointer->getType())) &&
           !end_of(context, m).empty();
  };
  for (task const& t : of.tasks) {
    for (VarDecl const* v : t.firstprivate) {
      if (!v->getType().getNonReferenceType()->isPointerType() || !is_declared_in(of.body, v))
        continue;
      mapping const* sole = nullptr;
      bool is_sole = true;
      for (capture const& c : of.captures) {
        if (groups.representative(c.variable) != groups.representative(v)) continue;
        is_sole = is_sole && sole == nullptr && of.map_of(c.variable) != nullptr;
        sole = of.map_of(c.variable);
      }
      if (is_sole && sole != nullptr && may_end(*sole, v)) result[v] = sole->variable;
    }
  }
  return result;
}

}  // namespace gridloom::juggler::cc
