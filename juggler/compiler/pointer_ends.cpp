// Finds pointers that may point one past the end of a mapped array, where the next array may begin.
#include <algorithm>

#include "compiler/pointer_groups.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

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
    bool found = false;
    walk(part, [&](Stmt const* s) {
      auto const* reference = dyn_cast<DeclRefExpr>(s);
      found = found || isa<CallExpr>(s) ||
              (reference != nullptr && hidden.count(reference->getDecl()->getNameAsString()) != 0);
      return !found;
    });
    return found;
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
