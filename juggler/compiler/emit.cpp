// Writes the whole program. It is the user's text, with each region's definitions before its
// function, and a call in place of the region. C becomes C++.
#include <algorithm>

#include "compiler/c_source.hpp"
#include "compiler/host_code.hpp"
#include "compiler/macro_names.hpp"

#include "clang/Format/Format.h"

namespace gridloom::juggler::cc {

using namespace clang;
using llvm::dyn_cast;

namespace {

/// Whether a function is inside the braces of extern "C", where templates are not allowed.
bool is_in_c_block(FunctionDecl const* function) {
  auto const* linkage = dyn_cast<LinkageSpecDecl>(function->getLexicalDeclContext());
  return linkage != nullptr && linkage->hasBraces();
}

/// The beginning of a function, including attributes and extern "C".
text_range place_in_front(source_text const& source, FunctionDecl const* function) {
  auto const* linkage = dyn_cast<LinkageSpecDecl>(function->getLexicalDeclContext());
  text_range at =
      source.range(linkage != nullptr && !linkage->hasBraces() ? linkage->getSourceRange()
                                                               : function->getSourceRange());
  for (;;) {
    std::string const before = source.text({at.file, 0, at.begin});
    std::size_t const last = before.find_last_not_of(" \t\r\n");
    if (last == std::string::npos || last == 0 || before.compare(last - 1, 2, "]]") != 0) return at;
    std::size_t const begin = before.rfind("[[", last);
    if (begin == std::string::npos) return at;
    at.begin = static_cast<unsigned>(begin);
  }
}

/// Formats generated code. If the formatter fails, the code stays as it is.
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
    "// runtime executes on a device (JUGGLER_BACKEND: auto, host or cuda).\n";
constexpr char const* includes =
    "#include \"juggler/offload.hpp\"\n"
    "#include \"juggler/ours/local_then_shorter.hpp\"\n"
    "#include \"gridloom/taskgraph/worker_places.hpp\"\n"
    "namespace jcc = gridloom::juggler;\n";

std::string quoted(std::string const& name) {
  std::string result = "\"";
  for (char const c : name) result += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return result + "\"";
}

/// Marks the start of generated code. Its line number replaces this mark at the end.
constexpr char const* line_of_ours = "#line ours\n";

/// A #line directive, so that compiler messages about the user's text name the user's file.
std::string line_of(source_text const& source, emit_settings const& settings, text_range at) {
  return "#line " + std::to_string(source.line_at(at)) + " " + quoted(settings.file) + "\n";
}

std::string numbered(std::string const& program, std::string const& file) {
  std::string const wanted = line_of_ours;
  std::string result;
  std::size_t number = 1;
  for (std::size_t at = 0; at < program.size(); ++number) {
    std::size_t const end = std::min(program.find('\n', at), program.size() - 1) + 1;
    result += program.compare(at, end - at, wanted) == 0
                  ? "#line " + std::to_string(number + 1) + " " + quoted(file) + "\n"
                  : program.substr(at, end - at);
    at = end;
  }
  return result;
}

}  // namespace

std::string emit(program const& of, reporter const& report, emit_settings const& settings) {
  ASTContext& context = *of.context;
  source_text const source(context);
  SourceManager const& sources = context.getSourceManager();
  text_edits edits;
  for (region const& r : of.regions) {
    host_code host(context, r, report, settings);
    text_range const whole = source.range(static_cast<Stmt const*>(r.directive));
    text_range const within = place_in_front(source, r.within);
    text_range const behind{whole.file, whole.end, whole.end};
    std::string made = guarded(of, r, report, formatted(host.definitions()));
    if (is_in_c_block(r.within)) made = "extern \"C++\" {\n" + made + "}  // extern \"C++\"\n";
    edits.insert_before(within, "\n" + std::string(line_of_ours) +
                                    with_macros_of(of, r, within, report, made) +
                                    line_of(source, settings, within));
    edits.replace(whole, host.call() + "\n" + line_of(source, settings, behind));
  }
  bool const is_c = !context.getLangOpts().CPlusPlus;
  write_conversions(context, nullptr, report, edits);
  FileID const main = sources.getMainFileID();
  text_range const all{main, 0, static_cast<unsigned>(sources.getBufferData(main).size())};
  std::string const head = includes + (is_c ? functions_of_c(context) : "");
  std::string const program = preamble + without_macros(macros_of_command_line(of), head) +
                              (is_c ? c_words : "") + "\n" + line_of(source, settings, all) +
                              edits.render(source, all);
  if (settings.dag_region == 0) return numbered(program, settings.made_file);
  host_code const host(context, of.regions[settings.dag_region - 1], report, settings);
  return numbered("#define main jcc_program\n" + program + "\n#undef main\n" + line_of_ours +
                      host.graph_program(),
                  settings.made_file);
}

}  // namespace gridloom::juggler::cc
