// The whole program: the user's text, with each region's definitions in front of its function and a
// call in its place. C becomes C++ where the two differ and the difference can be bridged.
#include "compiler/host_code.hpp"

#include <algorithm>

#include "clang/Format/Format.h"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

/// C converts pointers to void and integers to enumerations by itself; C++ wants it written.
class c_conversions : public RecursiveASTVisitor<c_conversions> {
 public:
  c_conversions(ASTContext& context, reporter const& report, text_edits& edits)
      : context_(context), source_(context), report_(report), edits_(edits) {}

  bool VisitImplicitCastExpr(ImplicitCastExpr* cast) {
    QualType const to = cast->getType();
    bool const from_void = cast->getCastKind() == CK_BitCast && to->isPointerType() &&
                           cast->getSubExpr()->getType()->isVoidPointerType();
    bool const to_enum = cast->getCastKind() == CK_IntegralCast && to->isEnumeralType();
    SourceManager const& sources = context_.getSourceManager();
    if ((!from_void && !to_enum) ||
        !sources.isInMainFile(sources.getExpansionLoc(cast->getBeginLoc())))
      return true;
    text_range const at = source_.range(cast->getSourceRange());
    edits_.insert_before(at, "(" + declaration(context_, to.getUnqualifiedType(), "") + ")(");
    edits_.insert_behind(at, ")");
    return true;
  }
  bool VisitFunctionDecl(FunctionDecl* function) {
    SourceManager const& sources = context_.getSourceManager();
    if (!sources.isInMainFile(sources.getExpansionLoc(function->getLocation()))) return true;
    for (ParmVarDecl const* p : function->parameters()) {
      if (p->getType()->isVariablyModifiedType())
        report_.error(p->getLocation(), "parameter '" + p->getNameAsString() +
                                            "' has a length that is not a constant, which C++ "
                                            "does not have; use a pointer to the elements");
    }
    return true;
  }

 private:
  ASTContext& context_;
  source_text source_;
  reporter const& report_;
  text_edits& edits_;
};

/// The lines of macros between two places of a file, for code that moves in front of them. Saying the
/// same again where they stand is legal.
std::string macros_of(source_text const& source, text_range const& range) {
  std::string result;
  std::string const text = source.text(range);
  bool continues = false;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const end = std::min(text.find('\n', at), text.size());
    std::string const line = text.substr(at, end - at);
    std::size_t word = line.find_first_not_of(" \t");
    if (word != std::string::npos && line[word] == '#') {
      word = line.find_first_not_of(" \t", word + 1);
      continues = word != std::string::npos &&
                  (line.compare(word, 6, "define") == 0 || line.compare(word, 5, "undef") == 0);
    } else if (!continues) {
      at = end + 1;
      continue;
    }
    if (continues) result += line + "\n";
    continues = continues && !line.empty() && line.back() == '\\';
    at = end + 1;
  }
  return result;
}

/// From the region's function to the end of the last one of which its code is made.
text_range range_of_code(source_text const& source, region const& of) {
  text_range result = source.range(of.within->getSourceRange());
  for (auto const* list : {&of.inspected, &of.device_functions}) {
    for (FunctionDecl const* f : *list) {
      text_range const own = source.range(f->getSourceRange());
      if (own.file == result.file) result.end = std::max(result.end, own.end);
    }
  }
  return result;
}

/// Generated code as the formatter writes it. What it does not understand stays as it is.
std::string formatted(std::string const& code) {
  format::FormatStyle style = format::getGoogleStyle(format::FormatStyle::LK_Cpp);
  style.ColumnLimit = 100;
  style.AttributeMacros = {"GRIDLOOM_FN"};
  style.ReflowComments = false;
  auto changed = tooling::applyAllReplacements(
      code, format::reformat(style, code, {tooling::Range(0, static_cast<unsigned>(code.size()))}));
  if (changed) return *changed;
  llvm::consumeError(changed.takeError());
  return code;
}

constexpr char const* preamble =
    "// Made by juggler-cc. Each OpenMP region with tasks became a graph of tasks, which "
    "Juggler's\n"
    "// runtime executes on a device (JUGGLER_BACKEND: auto, host or cuda).\n"
    "#include \"juggler/offload.hpp\"\n"
    "namespace jcc = gridloom::juggler;\n";
constexpr char const* c_words =
    "#define restrict __restrict__\n"
    "#define _Bool bool\n";

}  // namespace

std::string emit(program const& of, reporter const& report, emit_settings const& settings) {
  ASTContext& context = *of.context;
  source_text const source(context);
  SourceManager const& sources = context.getSourceManager();
  bool const is_c = !context.getLangOpts().CPlusPlus;
  text_edits edits;
  for (region const& r : of.regions) {
    host_code host(context, r, report, settings);
    text_range const whole = source.range(static_cast<Stmt const*>(r.directive));
    edits.insert_before(
        source.range(r.within->getSourceRange()),
        macros_of(source, range_of_code(source, r)) + formatted(host.definitions()) + "\n");
    edits.replace(whole, host.call());
  }
  if (is_c) c_conversions(context, report, edits).TraverseDecl(context.getTranslationUnitDecl());
  FileID const main = sources.getMainFileID();
  text_range const all{main, 0, static_cast<unsigned>(sources.getBufferData(main).size())};
  std::string const program =
      preamble + std::string(is_c ? c_words : "") + "\n" + edits.render(source, all);
  if (settings.dag_region == 0) return program;
  host_code const host(context, of.regions[settings.dag_region - 1], report, settings);
  return "#define main jcc_program\n" + program + "\n#undef main\n" + host.graph_program();
}

}  // namespace gridloom::juggler::cc
