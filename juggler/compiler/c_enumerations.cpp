// In C, enumerators are ints and variables have another type. C++ has one type for both.
#include <algorithm>
#include <map>

#include "compiler/c_source.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

/// The type of enumerators in C++ if the definition names no underlying type.
QualType type_in_cpp(ASTContext const& context, EnumDecl const* of) {
  unsigned const positive = of->getNumPositiveBits();
  if (of->getNumNegativeBits() == 0) {
    if (positive < 32) return context.IntTy;
    if (positive == 32) return context.UnsignedIntTy;
    return positive < 64 ? context.LongTy : context.UnsignedLongTy;
  }
  return of->getNumNegativeBits() <= 32 && positive < 32 ? context.IntTy : context.LongTy;
}

bool has_other_names(ASTContext const& context, EnumDecl const* of) {
  QualType const there = type_in_cpp(context, of);
  return std::any_of(
      of->enumerator_begin(), of->enumerator_end(),
      [&](EnumConstantDecl const* one) { return !context.hasSameType(one->getType(), there); });
}

bool has_other_variables(ASTContext const& context, EnumDecl const* of) {
  bool const has_variables = of->getIdentifier() != nullptr || !of->isFreeStanding();
  return has_variables && !context.hasSameType(of->getPromotionType(), type_in_cpp(context, of));
}

bool is_editable(ASTContext const& context, EnumDecl const* of) {
  SourceManager const& sources = context.getSourceManager();
  SourceRange const braces = of->getBraceRange();
  return sources.isWrittenInMainFile(of->getBeginLoc()) && of->getBeginLoc().isFileID() &&
         braces.getBegin().isFileID() && braces.getEnd().isFileID();
}

/// The declaration that contains the enumeration's definition, or the enumeration itself.
Decl const* whole_of(ASTContext const& context, EnumDecl const* of) {
  SourceManager const& sources = context.getSourceManager();
  Decl const* next = of->getNextDeclInContext();
  if (next == nullptr || next->getBeginLoc().isMacroID()) return of;
  bool const is_around =
      (isa<DeclaratorDecl>(next) || isa<TypedefNameDecl>(next)) &&
      sources.getFileOffset(next->getBeginLoc()) <= sources.getFileOffset(of->getBeginLoc()) &&
      sources.getFileID(next->getBeginLoc()) == sources.getFileID(of->getBeginLoc());
  return is_around ? next : of;
}

/// Refuses uses of enumerations that depend on their type if the definition cannot be edited.
class use_finder : public RecursiveASTVisitor<use_finder> {
 public:
  use_finder(ASTContext& context, reporter const& report) : context_(context), report_(report) {}

  bool VisitForStmt(ForStmt* loop) {
    auto const* declared = dyn_cast_or_null<DeclStmt>(loop->getInit());
    if (declared == nullptr) return true;
    for (Decl const* d : declared->decls()) {
      auto const* own = dyn_cast<EnumDecl>(d);
      if (own != nullptr && own->isThisDeclarationADefinition() &&
          is_own_code(context_, own->getBeginLoc()))
        report_.error(own,
                      "C++ does not declare an enumeration in 'for'; declare it before the loop");
    }
    return true;
  }

  bool VisitFieldDecl(FieldDecl* field) {
    auto const* type = field->getType()->getAs<EnumType>();
    if (field->isBitField() && type != nullptr && is_own_code(context_, field->getLocation()) &&
        has_other_variables(context_, type->getDecl()))
      report_.error(field,
                    "a bit-field of an enumeration is signed in C, and unsigned in C++; write "
                    "'unsigned int'");
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator* op) {
    BinaryOperatorKind const kind = op->getOpcode();
    if (op->isAssignmentOp() || op->isLogicalOp() || op->isEqualityOp() || kind == BO_Comma)
      return true;
    check(op->getLHS(), op->isShiftOp() ? nullptr : op->getRHS(), op->isRelationalOp());
    if (!op->isShiftOp()) check(op->getRHS(), op->getLHS(), op->isRelationalOp());
    return true;
  }
  bool VisitCompoundAssignOperator(CompoundAssignOperator* op) {
    bool const divides = op->getOpcode() == BO_DivAssign || op->getOpcode() == BO_RemAssign;
    if (divides && context_.hasSameType(op->getComputationLHSType(), context_.UnsignedIntTy) &&
        !op->getLHS()->getType()->isUnsignedIntegerType())
      check(op->getRHS(), nullptr, false);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator* op) {
    if (op->getOpcode() == UO_Minus || op->getOpcode() == UO_Not)
      check(op->getSubExpr(), nullptr, false);
    return true;
  }
  bool VisitConditionalOperator(ConditionalOperator* choice) {
    check(choice->getTrueExpr(), choice->getFalseExpr(), false);
    check(choice->getFalseExpr(), choice->getTrueExpr(), false);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr* reference) {
    auto const* one = dyn_cast<EnumConstantDecl>(reference->getDecl());
    if (one == nullptr || !is_own_code(context_, reference->getLocation())) return true;
    auto const* of = cast<EnumDecl>(one->getDeclContext());
    if (!is_editable(context_, of) &&
        !context_.hasSameType(one->getType(), type_in_cpp(context_, of)))
      report_.error(reference,
                    "'" + one->getNameAsString() +
                        "' has another type in C++, because its enumeration has values outside "
                        "int; define the enumeration in this file, without a macro");
    return true;
  }

 private:
  /// Refuses operand `one` of an operator if the enumeration's type may change the result. `other`
  /// is the other operand, or null.
  void check(Expr const* one, Expr const* other, bool is_order) {
    auto const* type = one->IgnoreParenImpCasts()->getType()->getAs<EnumType>();
    if (type == nullptr || !is_own_code(context_, one->getBeginLoc())) return;
    EnumDecl const* of = type->getDecl()->getDefinition();
    if (of == nullptr || is_editable(context_, of) || !has_other_variables(context_, of)) return;
    // An operand of any other type converts the value identically in both languages.
    if (!context_.hasSameType(one->getType(), of->getPromotionType())) return;
    if (other != nullptr) {
      QualType const beside = other->IgnoreParenImpCasts()->getType();
      if (beside->isUnsignedIntegerType() && !beside->isEnumeralType() &&
          !beside->isPromotableIntegerType())
        return;
      Expr::EvalResult value;
      bool const is_positive = other->IgnoreParenImpCasts()->EvaluateAsInt(value, context_) &&
                               !value.Val.getInt().isNegative();
      if (is_order && (is_positive || context_.hasSameUnqualifiedType(beside, QualType(type, 0))))
        return;
    }
    report_.error(one,
                  "this enumeration is unsigned in C, and signed in C++; write '(unsigned int)' in "
                  "front of it, or define the enumeration in this file, without a macro");
  }

  ASTContext& context_;
  reporter const& report_;
};

}  // namespace

void check_enumerations(ASTContext& context, reporter const& report) {
  use_finder(context, report).TraverseDecl(context.getTranslationUnitDecl());
}

void write_enumeration(ASTContext& context, EnumDecl const* of, text_edits& edits) {
  if (!of->isThisDeclarationADefinition() || !is_editable(context, of)) return;
  bool const splits = has_other_names(context, of);
  bool const has_variables = of->getIdentifier() != nullptr || !of->isFreeStanding();
  if (!splits && !has_other_variables(context, of)) return;
  SourceManager const& sources = context.getSourceManager();
  source_text const source(context);
  auto const [file, begin] = sources.getDecomposedLoc(of->getBeginLoc());
  unsigned const open = sources.getFileOffset(of->getBraceRange().getBegin());
  unsigned const close = sources.getFileOffset(of->getBraceRange().getEnd());
  unsigned const first = sources.getFileOffset(whole_of(context, of)->getBeginLoc());
  // `static` and similar words belong to the variables.
  std::string const before = source.text({file, first, begin});
  std::string type;
  if (has_variables)
    type = before + source.text({file, begin, open}) + ": " +
           declaration(context, of->getIntegerType(), "") + " {}";
  if (!splits) {
    edits.replace({file, first, open}, "enum : int ");
    edits.insert_behind({file, close, close + 1}, "; " + type);
    return;
  }
  std::map<std::string, std::string> names;
  for (EnumConstantDecl const* one : of->enumerators()) {
    std::string& list = names[declaration(context, one->getType(), "")];
    list += (list.empty() ? "" : ", ") + one->getNameAsString() + " = " +
            llvm::toString(one->getInitVal(), 10) +
            (one->getType()->isUnsignedIntegerType() ? "u" : "");
  }
  std::string made;
  for (auto const& [name, list] : names)
    made += (made.empty() ? "" : "; ") + ("enum : " + name + " {" + list + "}");
  if (has_variables) made += "; " + type;
  std::string const text = source.text({file, first, close + 1});
  made += std::string(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), '\n');
  edits.replace({file, first, close + 1}, made);
}

}  // namespace gridloom::juggler::cc
