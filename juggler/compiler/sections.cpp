// Parses list items of depend and map clauses.
#include <algorithm>

#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

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

}  // namespace gridloom::juggler::cc
