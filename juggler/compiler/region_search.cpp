#include "compiler/region_search.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

bool task_finder::in(Stmt const* statement) {
  std::set<FunctionDecl const*> seen;
  return in(statement, statement, seen);
}

bool task_finder::in(FunctionDecl const* function) {
  auto const found = answers_.find(function);
  if (found != answers_.end()) return found->second;
  std::set<FunctionDecl const*> seen{function};
  return answers_[function] = in(function->getBody(), nullptr, seen);
}

/// Whether code makes tasks. Tasks in regions other than `around` do not count.
bool task_finder::in(Stmt const* code, Stmt const* around, std::set<FunctionDecl const*>& seen) {
  bool found = false;
  walk(code, [&](Stmt const* s) {
    auto const* directive = dyn_cast<OMPExecutableDirective>(s);
    bool const is_region =
        directive != nullptr && (isOpenMPTargetExecutionDirective(directive->getDirectiveKind()) ||
                                 (around == nullptr && isa<OMPParallelDirective>(s)));
    if (found || (is_region && s != around)) return false;
    if (isa<OMPTaskDirective>(s)) found = true;
    if (auto const* call = dyn_cast<CallExpr>(s)) {
      FunctionDecl const* callee = callee_of(call);
      found = found || (callee != nullptr && seen.insert(callee).second &&
                        in(callee->getBody(), nullptr, seen));
    }
    return !found;
  });
  return found;
}

namespace {

class region_visitor : public RecursiveASTVisitor<region_visitor> {
 public:
  region_visitor(ASTContext& context, task_finder& tasks) : context_(context), tasks_(tasks) {}

  region_places found;

  bool TraverseFunctionDecl(FunctionDecl* function) {
    if (!function->doesThisDeclarationHaveABody()) return true;
    if (is_here(function)) {
      search(function);
    } else if (SourceManager const& sources = context_.getSourceManager();
               !sources.isInSystemHeader(sources.getExpansionLoc(function->getLocation()))) {
      region_visitor header(context_, tasks_);
      header.search(function);
      auto& all = found.in_headers;
      for (auto const* list : {&header.found.regions, &header.found.plain, &header.found.others})
        all.insert(all.end(), list->begin(), list->end());
    }
    return true;
  }
  bool TraverseCXXMethodDecl(CXXMethodDecl* function) { return TraverseFunctionDecl(function); }
  bool shouldVisitTemplateInstantiations() const { return false; }

 private:
  bool is_here(FunctionDecl const* function) const {
    SourceManager const& sources = context_.getSourceManager();
    return sources.isInMainFile(sources.getExpansionLoc(function->getLocation()));
  }
  void search(FunctionDecl const* function) { search(function->getBody(), function); }
  void search(Stmt const* code, FunctionDecl const* function) {
    walk(code, [&](Stmt const* s) {
      if (auto const* lambda = dyn_cast<LambdaExpr>(s)) {
        region_visitor inner(context_, tasks_);
        inner.search(lambda->getBody(), function);
        for (auto const* list : {&inner.found.regions, &inner.found.in_lambdas})
          found.in_lambdas.insert(found.in_lambdas.end(), list->begin(), list->end());
        return false;
      }
      auto const* directive = dyn_cast<OMPExecutableDirective>(s);
      if (directive == nullptr) return true;
      OpenMPDirectiveKind const kind = directive->getDirectiveKind();
      if (isOpenMPTargetDataManagementDirective(kind) || isa<OMPTargetDataDirective>(s))
        found.data.push_back({directive, directive, function});
      if (!tasks_.in(s)) return true;
      if (isa<OMPTaskDirective>(s)) {
        found.loose.push_back({directive, directive, function});
        return false;
      }
      OMPExecutableDirective const* parallel = nullptr;
      if (isa<OMPTargetParallelDirective>(s)) {
        parallel = directive;
      } else if (isa<OMPTargetDirective>(s)) {
        Stmt const* body = body_of(directive);
        auto const* compound = dyn_cast_or_null<CompoundStmt>(body);
        if (compound != nullptr && compound->size() == 1) body = compound->body_front();
        parallel = dyn_cast_or_null<OMPParallelDirective>(body);
      } else if (isa<OMPParallelDirective>(s)) {
        found.plain.push_back({directive, directive, function});
        return false;
      }
      if (parallel != nullptr) {
        found.regions.push_back({directive, parallel, function});
        return false;
      }
      if (!isOpenMPTargetExecutionDirective(kind) && !isOpenMPParallelDirective(kind) &&
          !isOpenMPTeamsDirective(kind) && !isOpenMPTaskLoopDirective(kind))
        return true;
      found.others.push_back({directive, directive, function});
      return false;
    });
  }

  ASTContext& context_;
  task_finder& tasks_;
};

}  // namespace

region_places search_regions(ASTContext& context, task_finder& tasks) {
  region_visitor visitor(context, tasks);
  visitor.TraverseDecl(context.getTranslationUnitDecl());
  return std::move(visitor.found);
}

}  // namespace gridloom::juggler::cc
