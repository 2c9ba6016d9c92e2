// Refuses expressions whose type differs in C++, where the program depends on the type.
#include <map>
#include <set>

#include "compiler/c_source.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

/// Whether the expression is 'true' or 'false' of stdbool.h, which are ints in C and bools in C++.
bool is_bool_word(ASTContext const& context, Expr const* of) {
  SourceManager const& sources = context.getSourceManager();
  if (!isa<IntegerLiteral>(of) || !of->getBeginLoc().isMacroID() ||
      !sources.isInSystemHeader(sources.getSpellingLoc(of->getBeginLoc())))
    return false;
  llvm::StringRef const macro =
      Lexer::getImmediateMacroName(of->getBeginLoc(), sources, context.getLangOpts());
  return macro == "true" || macro == "false";
}

/// The expression's enumeration type in C++ if the expression is an int in C, or null.
EnumDecl const* enumeration_in_cpp(Expr const* of) {
  of = of->IgnoreParenImpCasts();
  if (auto const* named = dyn_cast<DeclRefExpr>(of)) {
    auto const* one = dyn_cast<EnumConstantDecl>(named->getDecl());
    return one == nullptr ? nullptr : cast<EnumDecl>(one->getDeclContext());
  }
  if (auto const* op = dyn_cast<BinaryOperator>(of))
    return op->getOpcode() == BO_Comma ? enumeration_in_cpp(op->getRHS()) : nullptr;
  if (auto const* op = dyn_cast<UnaryOperator>(of))
    return op->getOpcode() == UO_Extension ? enumeration_in_cpp(op->getSubExpr()) : nullptr;
  if (auto const* choice = dyn_cast<ConditionalOperator>(of)) {
    EnumDecl const* const yes = enumeration_in_cpp(choice->getTrueExpr());
    return yes == enumeration_in_cpp(choice->getFalseExpr()) ? yes : nullptr;
  }
  return nullptr;
}

/// The type that an unevaluated expression has in C++; null if it is not known.
QualType type_in_cpp(ASTContext const& context, Expr const* of) {
  of = of->IgnoreParenImpCasts();
  if (auto const* letter = dyn_cast<CharacterLiteral>(of))
    return letter->getKind() == CharacterLiteral::Ascii ? context.CharTy : QualType();
  if (is_bool_word(context, of)) return context.BoolTy;
  if (auto const* op = dyn_cast<BinaryOperator>(of)) {
    if (op->isComparisonOp() || op->isLogicalOp()) return context.BoolTy;
    if (op->getOpcode() == BO_Comma) return type_in_cpp(context, op->getRHS());
  }
  if (auto const* op = dyn_cast<UnaryOperator>(of)) {
    if (op->getOpcode() == UO_LNot) return context.BoolTy;
    if (op->getOpcode() == UO_Extension) return type_in_cpp(context, op->getSubExpr());
  }
  if (auto const* choice = dyn_cast<AbstractConditionalOperator>(of)) {
    auto const* with_common = dyn_cast<BinaryConditionalOperator>(choice);
    QualType const yes = type_in_cpp(
        context, with_common != nullptr ? with_common->getCommon() : choice->getTrueExpr());
    QualType const no = type_in_cpp(context, choice->getFalseExpr());
    if (yes.isNull() || no.isNull()) return {};
    return context.hasSameUnqualifiedType(yes, no) ? yes : of->getType();
  }
  if (auto const* block = dyn_cast<StmtExpr>(of)) {
    auto const* last = block->getSubStmt()->body_empty()
                           ? nullptr
                           : dyn_cast<Expr>(block->getSubStmt()->body_back());
    return last == nullptr ? of->getType() : type_in_cpp(context, last);
  }
  if (auto const* call = dyn_cast<CallExpr>(of)) {
    // In C++, these functions of math.h return bool.
    FunctionDecl const* callee = call->getDirectCallee();
    std::string const name = callee == nullptr ? "" : callee->getNameAsString();
    if (name.rfind("__builtin_is", 0) == 0 || name.rfind("__builtin_signbit", 0) == 0) return {};
  }
  if (auto const* one = dyn_cast<DeclRefExpr>(of)) {
    auto const* named = dyn_cast<EnumConstantDecl>(one->getDecl());
    if (named != nullptr) {
      QualType const whole = cast<EnumDecl>(named->getDeclContext())->getIntegerType();
      if (context.getTypeSize(whole) < context.getTypeSize(context.IntTy)) return whole;
    }
  }
  if (of->getObjectKind() == OK_BitField) return {};
  return of->getType();
}

class type_finder : public RecursiveASTVisitor<type_finder> {
 public:
  type_finder(ASTContext& context, reporter const& report) : context_(context), report_(report) {}

  // In C, 'a' and 1 == 1 have the size of an int.
  bool VisitUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr* size) {
    if (size->isArgumentType() || !is_own(size->getBeginLoc())) return true;
    Expr const* of = size->getArgumentExpr();
    QualType const there = type_in_cpp(context_, of);
    QualType const here = of->getType();
    if (here->isVariableArrayType() || here->isIncompleteType() || here->isFunctionType())
      return true;
    if (there.isNull() || there->isIncompleteType() ||
        context_.getTypeSize(there) != context_.getTypeSize(here))
      report_.error(size,
                    "this has the size of " + in_words(here) + " in C, and " +
                        (there.isNull() || !there->isArrayType() ? "of a byte" : "of an array") +
                        " in C++; write the type instead");
    return true;
  }

  bool VisitTypeOfExprTypeLoc(TypeOfExprTypeLoc at) {
    Expr const* of = at.getUnderlyingExpr();
    if (is_own(at.getBeginLoc()) && copies_.count(of) == 0)
      check(of, of->getType(), at.getBeginLoc(), false);
    return true;
  }

  bool VisitVarDecl(VarDecl* variable) {
    if (!variable->hasInit() || !is_own(variable->getLocation())) return true;
    auto const named =
        variable->getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc().getAs<TypeOfExprTypeLoc>();
    Expr const* const of = named.isNull() ? variable->getInit() : named.getUnderlyingExpr();
    if (is_copy_of_enumerator(variable, of)) {
      copies_.insert(of);
    } else if (variable->getType()->getContainedAutoType() != nullptr) {
      check(variable->getInit(), variable->getType(), variable->getBeginLoc(), true);
    }
    return true;
  }

  bool VisitPredefinedExpr(PredefinedExpr* name) {
    if (name->getIdentKind() == PredefinedExpr::PrettyFunction && is_own(name->getBeginLoc()))
      report_.error(name,
                    "'__PRETTY_FUNCTION__' holds the parameters, too, in C++; write '__func__'");
    return true;
  }

  bool VisitRecordDecl(RecordDecl* record) {
    if (record->isThisDeclarationADefinition() && record->field_empty() &&
        is_own(record->getLocation()))
      report_.error(record,
                    "a type without members has the size 0 in C, and 1 in C++; give it a member");
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator* op) {
    if (op->isAssignmentOp() || op->isLogicalOp() || op->getOpcode() == BO_Comma) return true;
    refuse_wide(op->getLHS());
    if (!op->isShiftOp()) refuse_wide(op->getRHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator* op) {
    if (op->getOpcode() == UO_Minus || op->getOpcode() == UO_Plus || op->getOpcode() == UO_Not)
      refuse_wide(op->getSubExpr());
    return true;
  }

  bool VisitTagDecl(TagDecl* tag) {
    bool const is_inner = !tag->getLexicalDeclContext()->isTranslationUnit();
    if (is_inner && tag->getIdentifier() != nullptr && is_own(tag->getLocation()))
      inner_.push_back(tag);
    if (!is_inner && tag->isThisDeclarationADefinition() && tag->getIdentifier() != nullptr &&
        is_own(tag->getLocation()))
      outer_.push_back(tag);
    return true;
  }
  bool VisitNamedDecl(NamedDecl* named) {
    bool const is_ordinary = isa<ValueDecl>(named) || isa<TypedefNameDecl>(named);
    if (is_ordinary && !isa<FieldDecl>(named) && named->getIdentifier() != nullptr &&
        is_own(named->getLocation()))
      ordinary_.emplace(named->getNameAsString(), named);
    return true;
  }
  // C keeps structure names apart from other names.
  void check_names() {
    for (TagDecl const* tag : outer_) {
      auto const [first, last] = ordinary_.equal_range(tag->getNameAsString());
      for (auto at = first; at != last; ++at) {
        auto const* type = dyn_cast<TypedefNameDecl>(at->second);
        if (type == nullptr || !type->getDeclContext()->isTranslationUnit() || declares(type, tag))
          continue;
        refuse_name(tag, type);
        break;
      }
    }
    for (TagDecl const* tag : inner_) {
      auto const [first, last] = ordinary_.equal_range(tag->getNameAsString());
      for (auto at = first; at != last; ++at) {
        auto const* type = dyn_cast<TypedefNameDecl>(at->second);
        DeclContext const* const within = at->second->getParentFunctionOrMethod();
        bool const is_itself = type != nullptr && declares(type, tag);
        if (is_itself || (within != nullptr && within != tag->getParentFunctionOrMethod()))
          continue;
        refuse_name(tag, at->second);
        break;
      }
    }
  }

 private:
  [[nodiscard]] bool is_own(SourceLocation at) const {
    SourceManager const& sources = context_.getSourceManager();
    return is_own_code(context_, at) && !sources.isInSystemHeader(sources.getSpellingLoc(at));
  }
  static bool declares(TypedefNameDecl const* type, TagDecl const* tag) {
    TagDecl const* const of = type->getUnderlyingType()->getAsTagDecl();
    return of != nullptr && of->getCanonicalDecl() == tag->getCanonicalDecl();
  }
  void refuse_name(TagDecl const* tag, NamedDecl const* other) const {
    report_.error(tag,
                  "'" + tag->getNameAsString() +
                      "' always names this type in C++, but also something else in C; rename one");
    report_.note(other, "the other meaning");
  }
  /// Whether a variable is a copy of an enumerator and never written, so its type does not matter.
  static bool is_copy_of_enumerator(VarDecl const* variable, Expr const* of) {
    EnumDecl const* const type = enumeration_in_cpp(of);
    DeclContext const* around = variable->getDeclContext();
    while (isa<CapturedDecl>(around)) around = around->getParent();
    auto const* within = dyn_cast<FunctionDecl>(around);
    return type != nullptr && enumeration_in_cpp(variable->getInit()) == type &&
           within != nullptr && !is_written_in(within->getBody(), variable);
  }
  static std::string in_words(QualType type) {
    if (type->isPointerType()) return "a pointer";
    std::string const name = type.getUnqualifiedType().getAsString();
    return (name == "int" || name == "unsigned int" ? "an " : "a ") + name;
  }
  void check(Expr const* of, QualType here, SourceLocation at, bool decays) {
    QualType const there = type_in_cpp(context_, of);
    if (!there.isNull() && enumeration_in_cpp(of) == nullptr) {
      // If C++ has an enumeration here, an assigned number does not compile. So no value changes
      // silently.
      if ((decays && (there->isArrayType() || there->isFunctionType())) ||
          there->isEnumeralType() || here->isVariablyModifiedType() ||
          context_.hasSameUnqualifiedType(there, here))
        return;
    }
    report_.error(at, "this has the type '" + here.getUnqualifiedType().getAsString() +
                          "' in C, and another type in C++; write the type instead");
  }
  /// Refuses wide bit-fields: GCC computes with the field's width in C, but with its type's in C++.
  void refuse_wide(Expr const* of) {
    auto const* member = dyn_cast<MemberExpr>(of->IgnoreParenImpCasts());
    auto const* field = member == nullptr ? nullptr : dyn_cast<FieldDecl>(member->getMemberDecl());
    if (field == nullptr || !field->isBitField() || !is_own_code(context_, of->getBeginLoc()))
      return;
    unsigned const width = field->getBitWidthValue(context_);
    std::string const type = field->getType().getUnqualifiedType().getAsString();
    if (width > context_.getTypeSize(context_.IntTy) &&
        width < context_.getTypeSize(field->getType()))
      report_.error(of, "C calculates with the " + std::to_string(width) + " bits of '" +
                            field->getNameAsString() + "', and C++ with all of its type; write '(" +
                            type + ")' in front of it");
  }

  ASTContext& context_;
  reporter const& report_;
  std::vector<TagDecl const*> inner_, outer_;
  /// Expressions, accepted by is_copy_of_enumerator(), from which variables take their types.
  std::set<Expr const*> copies_;
  std::multimap<std::string, NamedDecl const*> ordinary_;
};

/// Finds out whether a program uses `isinf`, which returns the sign of infinity only in C.
class isinf_finder : public RecursiveASTVisitor<isinf_finder> {
 public:
  bool found = false;
  bool VisitDeclRefExpr(DeclRefExpr* reference) {
    auto const* called = dyn_cast<FunctionDecl>(reference->getDecl());
    found =
        found || (called != nullptr && called->getIdentifier() != nullptr &&
                  (called->getName() == "__builtin_isinf_sign" || called->getName() == "isinf"));
    return !found;
  }
};

constexpr char const* isinf_of_c =
    "// In C it is -1 below zero.\n"
    "#include <cmath>\n"
    "template <class JccReal>\n"
    "GRIDLOOM_FN int jcc_isinf(JccReal jcc_x) { return std::isinf(jcc_x) ? (jcc_x < 0 ? -1 : 1) : "
    "0; "
    "}\n"
    "#define isinf(x) jcc_isinf(x)\n";

}  // namespace

std::string functions_of_c(ASTContext& context) {
  isinf_finder finder;
  finder.TraverseDecl(context.getTranslationUnitDecl());
  return finder.found ? isinf_of_c : "";
}

void check_types(ASTContext& context, reporter const& report) {
  type_finder finder(context, report);
  finder.TraverseDecl(context.getTranslationUnitDecl());
  finder.check_names();
}

}  // namespace gridloom::juggler::cc
