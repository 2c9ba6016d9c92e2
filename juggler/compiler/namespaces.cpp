#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

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
    bool found = false;
    walk(f->getBody(), [&](Stmt const* s) {
      found = found || s == made.directive;
      return !found;
    });
    if (found) return names_around(f, place);
  }
  return {};
}

}  // namespace gridloom::juggler::cc
