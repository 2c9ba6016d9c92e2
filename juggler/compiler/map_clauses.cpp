#include <algorithm>

#include "compiler/model.hpp"
#include "compiler/region_checks.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

// Parses list items of depend and map clauses.

namespace {

std::uint64_t extent_of(ASTContext& context, QualType type) {
  auto const* array = context.getAsConstantArrayType(type.getNonReferenceType());
  return array == nullptr ? 0 : array->getSize().getZExtValue();
}

/// The type of a section's base.
QualType type_of_base(Expr const* base) {
  if (isa<OMPArraySectionExpr>(base))
    return OMPArraySectionExpr::getBaseOriginalType(base).getCanonicalType();
  return base->getType().getCanonicalType();
}

/// Whether parts have a common text, because one macro contains them.
bool parts_overlap(ASTContext& context, section const& of) {
  source_text const source(context);
  std::vector<text_range> parts;
  auto const add = [&](Expr const* part) {
    if (part != nullptr) parts.push_back(source.range(part->getSourceRange()));
  };
  add(of.base);
  for (section_dimension const& d : of.dimensions) {
    add(d.first);
    add(d.length);
  }
  std::sort(parts.begin(), parts.end(),
            [](text_range const& a, text_range const& b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].begin < parts[i - 1].end) return true;
  }
  return false;
}

}  // namespace

section section_of(ASTContext& context, Expr const* item) {
  section result{item->IgnoreParenImpCasts(), {}};
  for (;;) {
    if (auto const* part = dyn_cast<OMPArraySectionExpr>(result.base)) {
      Expr const* base = part->getBase()->IgnoreParenImpCasts();
      result.dimensions.push_back({part->getLowerBound(), part->getLength(),
                                   part->getColonLocFirst().isValid(),
                                   extent_of(context, type_of_base(base))});
      if (!result.dimensions.back().is_section) result.dimensions.back().length = nullptr;
      result.base = base;
    } else if (auto const* element = dyn_cast<ArraySubscriptExpr>(result.base)) {
      Expr const* base = element->getBase()->IgnoreParenImpCasts();
      result.dimensions.push_back(
          {element->getIdx(), nullptr, false, extent_of(context, base->getType())});
      result.base = base;
    } else {
      break;
    }
  }
  std::reverse(result.dimensions.begin(), result.dimensions.end());
  result.is_of_macro = parts_overlap(context, result);
  return result;
}

std::string text_of(ASTContext& context, section const& of, Expr const* part) {
  if (!of.is_of_macro) return one_line(source_text(context).text(part));
  std::string result;
  llvm::raw_string_ostream out(result);
  part->printPretty(out, nullptr, PrintingPolicy(context.getLangOpts()));
  return out.str();
}

void map_reader::take(OMPMapClause const* clause) {
  if (!clause->getMapTypeModifiers().empty()) {
    for (OpenMPMapModifierKind const modifier : clause->getMapTypeModifiers()) {
      if (modifier != OMPC_MAP_MODIFIER_unknown) {
        report_.error(clause,
                      "map modifiers are not supported; leave out 'always', 'close' and "
                      "the like: every region copies");
        return;
      }
    }
  }
  map_kind kind{};
  switch (clause->getMapType()) {
    case OMPC_MAP_to: kind = map_kind::to; break;
    case OMPC_MAP_from: kind = map_kind::from; break;
    case OMPC_MAP_tofrom: kind = map_kind::tofrom; break;
    case OMPC_MAP_alloc: kind = map_kind::alloc; break;
    default:
      report_.error(clause, "map type is not supported; write to, from, tofrom or alloc");
      return;
  }
  for (Expr const* item : clause->varlists()) take_item(item, kind);
}

void map_reader::take_item(Expr const* item, map_kind kind) {
  section const what = section_of(context_, item);
  VarDecl const* variable = variable_of(what.base);
  if (variable == nullptr) {
    report_.error(item,
                  "a mapped item is a variable or a section of one; copy the member's pointer "
                  "into a variable");
    return;
  }
  QualType const type = variable->getType().getNonReferenceType();
  if (type->isPointerType() && type->getPointeeType()->isPointerType()) {
    report_.error(item,
                  "'" + variable->getNameAsString() +
                      "' is a pointer to pointers, which cannot be mapped; keep all rows in one "
                      "array");
    return;
  }
  if (CXXRecordDecl const* record = type->getAsCXXRecordDecl();
      record != nullptr && !type.isTriviallyCopyableType(context_)) {
    report_.error(item, "'" + variable->getNameAsString() + "' of type '" + type.getAsString() +
                            "' cannot be copied byte by byte; map the array that "
                            "its data pointer names");
    return;
  }
  QualType const element = type->isPointerType() ? type->getPointeeType() : type;
  if (element->isRecordType() ? holds_pointer(element)
                              : element->isArrayType() && holds_pointer(element)) {
    report_.error(item, "'" + variable->getNameAsString() +
                            "' holds pointers, which are invalid on a device; use numbers of "
                            "elements in their place");
    return;
  }
  if (type->isVariablyModifiedType()) {
    report_.error(item, "'" + variable->getNameAsString() +
                            "' has a length that is not a constant; use a "
                            "pointer to its elements");
    return;
  }
  if (type->isPointerType() && what.dimensions.empty()) {
    report_.error(item, "pointer '" + variable->getNameAsString() +
                            "' is mapped without a length; write " + variable->getNameAsString() +
                            "[0:length]");
    return;
  }
  if (made_.map_of(variable) != nullptr) {
    report_.error(item, "'" + variable->getNameAsString() + "' is mapped twice; write one section");
    return;
  }
  for (std::size_t d = 1; d < what.dimensions.size(); ++d) {
    if (!is_whole(what.dimensions[d])) {
      report_.error(item,
                    "only the first dimension of a mapped section may be a part; write whole "
                    "rows");
      return;
    }
  }
  if (!what.dimensions.empty() && reaches_behind(what.dimensions.front())) {
    report_.error(item, "this section goes beyond the end of '" + variable->getNameAsString() +
                            "', which has " + std::to_string(what.dimensions.front().extent) +
                            " elements");
    return;
  }
  made_.maps.push_back({variable, kind, what, false});
}

bool map_reader::reaches_behind(section_dimension const& of) const {
  Expr::EvalResult first, length;
  if (of.extent == 0) return false;
  bool const has_first = of.first == nullptr || of.first->EvaluateAsInt(first, context_);
  std::int64_t const begin =
      of.first == nullptr || !has_first ? 0 : first.Val.getInt().getExtValue();
  if (!has_first) return false;
  if (of.length == nullptr)
    return begin + (of.is_section ? 0 : 1) > static_cast<std::int64_t>(of.extent);
  return of.length->EvaluateAsInt(length, context_) &&
         begin + length.Val.getInt().getExtValue() > static_cast<std::int64_t>(of.extent);
}

bool map_reader::is_whole(section_dimension const& of) const {
  if (!of.is_section || of.extent == 0) return false;
  Expr::EvalResult value;
  if (of.first != nullptr && !(of.first->EvaluateAsInt(value, context_) && value.Val.getInt() == 0))
    return false;
  return of.length == nullptr || (of.length->EvaluateAsInt(value, context_) &&
                                  value.Val.getInt() == static_cast<std::int64_t>(of.extent));
}

}  // namespace gridloom::juggler::cc
