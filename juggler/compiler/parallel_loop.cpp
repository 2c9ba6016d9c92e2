#include "compiler/parallel_loop.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

bool take_init(Stmt const* init, loop_header& header) {
  if (auto const* declared = dyn_cast_or_null<DeclStmt>(init)) {
    header.variable =
        declared->isSingleDecl() ? dyn_cast<VarDecl>(declared->getSingleDecl()) : nullptr;
    header.first = header.variable == nullptr ? nullptr : header.variable->getInit();
  } else if (auto const* assigned = dyn_cast_or_null<BinaryOperator>(init);
             assigned != nullptr && assigned->getOpcode() == BO_Assign) {
    header.variable = variable_of(assigned->getLHS());
    header.first = assigned->getRHS();
  }
  return header.variable != nullptr && header.first != nullptr;
}

bool take_condition(Expr const* condition, loop_header& header) {
  auto const* test = dyn_cast_or_null<BinaryOperator>(
      condition == nullptr ? nullptr : condition->IgnoreParenImpCasts());
  if (test == nullptr) return false;
  BinaryOperatorKind op = test->getOpcode();
  Expr const* other = test->getRHS();
  if (variable_of(test->getLHS()) != header.variable) {
    if (variable_of(test->getRHS()) != header.variable) return false;
    other = test->getLHS();
    op = BinaryOperator::reverseComparisonOp(op);
  }
  header.bound = other;
  header.is_closed = op == BO_LE || op == BO_GE;
  header.goes_up = op == BO_LT || op == BO_LE;
  return op == BO_LT || op == BO_LE || op == BO_GT || op == BO_GE;
}

bool take_increment(Expr const* increment, loop_header& header) {
  bool up = true;
  header.step = nullptr;
  if (auto const* one = dyn_cast_or_null<UnaryOperator>(increment)) {
    if (!one->isIncrementDecrementOp() || variable_of(one->getSubExpr()) != header.variable)
      return false;
    up = one->isIncrementOp();
  } else if (auto const* op = dyn_cast_or_null<BinaryOperator>(increment)) {
    if (variable_of(op->getLHS()) != header.variable) return false;
    if (op->getOpcode() == BO_AddAssign || op->getOpcode() == BO_SubAssign) {
      up = op->getOpcode() == BO_AddAssign;
      header.step = op->getRHS();
    } else if (op->getOpcode() == BO_Assign) {
      auto const* sum = dyn_cast<BinaryOperator>(op->getRHS()->IgnoreParenImpCasts());
      if (sum == nullptr || (sum->getOpcode() != BO_Add && sum->getOpcode() != BO_Sub))
        return false;
      up = sum->getOpcode() == BO_Add;
      if (variable_of(sum->getLHS()) == header.variable) {
        header.step = sum->getRHS();
      } else if (up && variable_of(sum->getRHS()) == header.variable) {
        header.step = sum->getLHS();
      } else {
        return false;
      }
    } else {
      return false;
    }
  } else {
    return false;
  }
  return up == header.goes_up;
}

}  // namespace

std::optional<loop_header> parse_loop(Stmt const* of) {
  loop_header header{};
  header.loop = dyn_cast_or_null<ForStmt>(of);
  if (header.loop == nullptr || !take_init(header.loop->getInit(), header) ||
      !take_condition(header.loop->getCond(), header) ||
      !take_increment(header.loop->getInc(), header))
    return std::nullopt;
  return header;
}

std::vector<loop_header> loops_of(OMPExecutableDirective const* of) {
  std::vector<loop_header> result;
  auto const* directive = dyn_cast<OMPLoopDirective>(of);
  unsigned const depth = directive == nullptr ? 1 : directive->getLoopsNumber();
  Stmt const* at = body_of(of);
  for (unsigned d = 0; d < depth; ++d) {
    while (auto const* compound = dyn_cast_or_null<CompoundStmt>(at)) {
      if (compound->size() != 1) return {};
      at = compound->body_front();
    }
    auto const header = parse_loop(at);
    if (!header) return {};
    result.push_back(*header);
    at = header->loop->getBody();
  }
  return result;
}

}  // namespace gridloom::juggler::cc
