#include <algorithm>

#include "compiler/model.hpp"
#include "compiler/region_checks.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

/// Visits type names that are written without `struct` and without a namespace.
template <class Visit>
class type_names : public RecursiveASTVisitor<type_names<Visit>> {
 public:
  explicit type_names(Visit const& visit) : visit_(visit) {}
  bool TraverseElaboratedTypeLoc(ElaboratedTypeLoc at) {
    bool const is_alone =
        at.getTypePtr()->getKeyword() == ETK_None && !at.getQualifierLoc().hasQualifier();
    return !is_alone || this->TraverseTypeLoc(at.getNamedTypeLoc());
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc at) { return visit(at.getTypedefNameDecl(), at); }
  bool VisitTagTypeLoc(TagTypeLoc at) { return visit(at.getDecl(), at); }

 private:
  bool visit(NamedDecl const* named, TypeLoc at) {
    visit_(named, at.getBeginLoc());
    return true;
  }
  Visit const& visit_;
};

bool is_same_function(NamedDecl const* a, NamedDecl const* b, ASTContext& context) {
  auto const* f = dyn_cast<FunctionDecl>(a);
  auto const* g = dyn_cast<FunctionDecl>(b);
  return f != nullptr && g != nullptr && f->getNumParams() == g->getNumParams() &&
         std::equal(f->param_begin(), f->param_end(), g->param_begin(),
                    [&](ParmVarDecl const* p, ParmVarDecl const* q) {
                      return context.hasSameType(p->getType(), q->getType());
                    });
}

}  // namespace

void name_checker::check() {
  check_members();
  for (task const& t : made_.tasks) check_code(t.body, nullptr, &t);
  for (FunctionDecl const* f : made_.device_functions) check_code(f->getBody(), f, nullptr);
}

void name_checker::check_members() {
  auto const take = [&](NamedDecl const* named) {
    auto const [at, is_new] = members_.emplace(named->getNameAsString(), named);
    // Overloads need no check: argument types select the right function.
    bool const is_overload = isa<FunctionDecl>(named) && isa<FunctionDecl>(at->second) &&
                             !is_same_function(named, at->second, context_);
    if (is_new || is_overload || named->getCanonicalDecl() == at->second->getCanonicalDecl())
      return;
    report_.error(named,
                  "tasks use this '" + named->getNameAsString() + "' and another one; rename one");
    report_.note(at->second, "the other declaration");
  };
  for (capture const& c : made_.captures) {
    if (c.in_tasks) take(c.variable);
  }
  for (FunctionDecl const* f : made_.device_functions) take(f);
}

void name_checker::refuse(NamedDecl const* used, SourceLocation at) const {
  std::string const name = used->getNameAsString();
  auto const member = members_.find(name);
  bool const is_constant = member == members_.end() && made_.task_constants.count(name) != 0;
  if (member == members_.end() && !is_constant) return;
  if (!is_constant && member->second->getCanonicalDecl() == used->getCanonicalDecl()) return;
  // check_members() has already compared functions with the same name.
  if (!is_constant && isa<FunctionDecl>(used) && isa<FunctionDecl>(member->second)) return;
  report_.error(at, "tasks use this '" + name + "' and another one; rename one");
  if (!is_constant) report_.note(member->second, "the other declaration");
}

/// Refuses names in the code of the function `of` or of the task `made` that a member would hide.
/// The other argument is null.
void name_checker::check_code(Stmt const* code, FunctionDecl const* of, task const* made) const {
  walk_all(code, [&](Stmt const* s) {
    auto const* reference = dyn_cast<DeclRefExpr>(s);
    if (reference == nullptr || reference->hasQualifier()) return;
    ValueDecl const* const used = reference->getDecl();
    auto const* variable = dyn_cast<VarDecl>(used);
    bool const is_local =
        variable != nullptr &&
        (is_declared_in(code, variable) || isa<ParmVarDecl>(variable) ||
         (made != nullptr && (has(made->firstprivate, variable) || has(made->privates, variable))));
    // Constants of functions are members, too; they have been compared with each other.
    bool const is_of_function = used->getParentFunctionOrMethod() != nullptr &&
                                members_.count(used->getNameAsString()) == 0;
    if (!is_local && !is_of_function) refuse(used, reference->getLocation());
  });
  auto const look = [&](NamedDecl const* type, SourceLocation at) {
    if (type->getParentFunctionOrMethod() == nullptr) refuse(type, at);
  };
  type_names visitor(look);
  if (of != nullptr) {
    visitor.TraverseDecl(const_cast<FunctionDecl*>(of));
  } else {
    visitor.TraverseStmt(const_cast<Stmt*>(code));
  }
}

namespace {

class reserved_names : public RecursiveASTVisitor<reserved_names> {
 public:
  reserved_names(ASTContext& context, reporter const& report)
      : sources_(context.getSourceManager()), report_(report) {}
  bool VisitNamedDecl(NamedDecl* named) {
    if (named->getIdentifier() == nullptr || named->getLocation().isInvalid()) return true;
    SourceLocation const at = sources_.getExpansionLoc(named->getLocation());
    llvm::StringRef const name = named->getName();
    if ((name.startswith("jcc_") || name.startswith("Jcc")) && !sources_.isInSystemHeader(at))
      report_.error(named,
                    "'" + name.str() +
                        "' begins with jcc_ or Jcc, like names of the generated source; rename it");
    return true;
  }

 private:
  SourceManager const& sources_;
  reporter const& report_;
};

}  // namespace

void refuse_reserved_names(ASTContext& context, reporter const& report) {
  reserved_names(context, report).TraverseDecl(context.getTranslationUnitDecl());
}

std::string names_around(FunctionDecl const* function, region const& place) {
  std::string result;
  for (DeclContext const* at = function->getDeclContext(); at != nullptr; at = at->getParent()) {
    auto const* named = dyn_cast<NamespaceDecl>(at);
    if (named == nullptr || named->isAnonymousNamespace()) continue;
    bool is_there = false;
    for (DeclContext const* there = place.within->getDeclContext(); there != nullptr;
         there = there->getParent())
      is_there = is_there || there->Equals(named);
    PrintingPolicy policy(named->getASTContext().getLangOpts());
    policy.SuppressUnwrittenScope = true;
    std::string whole;
    llvm::raw_string_ostream out(whole);
    named->printQualifiedName(out, policy);
    if (!is_there) result += "using namespace ::" + out.str() + "; ";
  }
  return result;
}

std::string names_around(task const& made, region const& place) {
  for (FunctionDecl const* f : place.inspected) {
    if (any_in(f->getBody(), [&](Stmt const* s) { return s == made.directive; }))
      return names_around(f, place);
  }
  return {};
}

}  // namespace gridloom::juggler::cc
