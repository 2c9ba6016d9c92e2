#include "compiler/front_end.hpp"

#include <fstream>
#include <iostream>
#include <sstream>

#include "compiler/c_source.hpp"
#include "compiler/macro_names.hpp"
#include "compiler/model.hpp"

namespace gridloom::juggler::cc {

using namespace clang;

namespace {

/// Directives of ours in a program's text:
///
///   #pragma juggler target map(...)   in front of `parallel`: the region, with its copies
///   #pragma juggler eligible          in front of a region: it is, whatever the check finds
///
/// The first becomes `#pragma omp target map(...)` of the same width, which Clang parses; other
/// compilers ignore both. What is wrong with one is said by file, line and column.
class own_pragmas {
 public:
  std::string text;
  own_directives found;
  bool failed = false;

  own_pragmas(std::string const& file, std::string const& program) {
    std::istringstream lines(program);
    std::string line;
    for (unsigned number = 1; std::getline(lines, line); ++number) {
      refuse_dependences(file, line, number);
      take(file, line, number);
      text += line + (lines.eof() ? "" : "\n");
    }
    // A directive in front of others is about the first line that is none.
    for (unsigned& at : found.eligible_lines) ++at;
  }

 private:
  /// What OpenMP 5 has for depend clauses, which the parser of 4.5 would call wrong.
  void refuse_dependences(std::string const& file, std::string const& line, unsigned number) {
    static std::map<std::string, std::string> const advice{
        {"iterator(", "an iterator; write the list items one by one, or a section that holds all"},
        {"mutexinoutset:", "'mutexinoutset'; write inout: the tasks follow each other then"},
        {"inoutset:", "'inoutset'; write inout: the tasks follow each other then"},
        {"depobj:", "'depobj'; name the storage in the task's depend clause"},
        {"depobj(", "'depobj'; name the storage in the task's depend clause"}};
    std::string const plain = line.substr(0, line.find("//"));
    std::size_t const sign = plain.find_first_not_of(" \t");
    bool const begins = sign != std::string::npos && plain[sign] == '#' &&
                        plain.find("pragma") != std::string::npos &&
                        plain.find("omp") != std::string::npos;
    bool const is_directive = begins || continues_;
    std::size_t const last = line.find_last_not_of('\r');
    continues_ = is_directive && last != std::string::npos && line[last] == '\\';
    if (!is_directive) return;
    for (std::size_t at = 0; at < plain.size();) {
      std::size_t end = at;
      while (end < plain.size() &&
             (std::isalnum(static_cast<unsigned char>(plain[end])) != 0 || plain[end] == '_'))
        ++end;
      std::size_t const sign_behind = std::min(plain.find_first_not_of(" \t", end), plain.size());
      auto const known = sign_behind == plain.size()
                             ? advice.end()
                             : advice.find(plain.substr(at, end - at) + plain[sign_behind]);
      if (known != advice.end())
        complain(file, line, number, at, "dependences are in, out or inout, not " + known->second);
      at = std::max(end, at + 1);
    }
  }
  void complain(std::string const& file, std::string const& line, unsigned number, std::size_t at,
                std::string const& what) {
    std::cerr << file << ':' << number << ':' << at + 1 << ": error: " << what << '\n'
              << line << '\n'
              << std::string(at, ' ') << "^\n";
    failed = true;
  }

  void take(std::string const& file, std::string& line, unsigned number) {
    std::size_t at = line.find_first_not_of(" \t");
    if (at == std::string::npos || line[at] != '#') return;
    at = line.find_first_not_of(" \t", at + 1);
    if (at == std::string::npos || line.compare(at, 6, "pragma") != 0) return;
    at = line.find_first_not_of(" \t", at + 6);
    if (at == std::string::npos || line.compare(at, 7, "juggler") != 0) return;
    std::size_t const begin = std::min(line.find_first_not_of(" \t", at + 7), line.size());
    std::size_t const end = std::min(line.find_first_of(" \t(\r", begin), line.size());
    std::string const word = line.substr(begin, end - begin);
    if (word == "target") {
      line.replace(at, 7, "omp    ");
      found.target_lines.push_back(number);
    } else if (word == "eligible") {
      found.eligible_lines.push_back(number);
      line.replace(0, line.size(), "");
    } else {
      complain(file, line, number, at,
               "unknown directive of juggler '" + word +
                   "'; 'target map(...)' and 'eligible' are known");
    }
  }

  bool continues_ = false;
};

class consumer : public ASTConsumer {
 public:
  consumer(translation_request const& request, own_directives const& own, translation& result,
           Preprocessor& preprocessor)
      : request_(request), own_(own), result_(result), preprocessor_(preprocessor) {}

  void HandleTranslationUnit(ASTContext& context) override {
    reporter const report(context);
    if (report.failed()) return;
    program found = find_regions(context, report, own_);
    found.macros = find_macros(preprocessor_);
    if (!report.failed() && found.regions.empty()) {
      std::cerr << request_.file
                << ": error: no region for Juggler here; looked for '#pragma omp target parallel' "
                   "with 'single' in it and 'task' in that, and for '#pragma juggler target "
                   "map(...)' in front of 'parallel'\n";
      return;
    }
    for (region& r : found.regions) r.read_through = check_eligibility(context, r, report);
    check_c_source(context, report);
    if (report.failed()) return;
    if (request_.makes_dag && request_.dag_region > found.regions.size()) {
      std::cerr << request_.file << ": error: --region: expected 1 to " << found.regions.size()
                << ", got " << request_.dag_region << '\n';
      return;
    }
    result_.text = emit(found, report,
                        {request_.file, request_.made_file, request_.policy_type,
                         request_.makes_dag ? request_.dag_region : 0, request_.dag_values});
    if (request_.explains) result_.text = explain(found);
    result_.done = !report.failed();
  }

 private:
  translation_request const& request_;
  own_directives const& own_;
  translation& result_;
  Preprocessor& preprocessor_;
};

class action : public ASTFrontendAction {
 public:
  action(translation_request const& request, own_directives const& own, translation& result)
      : request_(request), own_(own), result_(result) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler,
                                                 llvm::StringRef) override {
    return std::make_unique<consumer>(request_, own_, result_, compiler.getPreprocessor());
  }

 private:
  translation_request const& request_;
  own_directives const& own_;
  translation& result_;
};

class actions : public tooling::FrontendActionFactory {
 public:
  actions(translation_request const& request, own_directives const& own, translation& result)
      : request_(request), own_(own), result_(result) {}
  std::unique_ptr<FrontendAction> create() override {
    return std::make_unique<action>(request_, own_, result_);
  }

 private:
  translation_request const& request_;
  own_directives const& own_;
  translation& result_;
};

}  // namespace

translation translate(translation_request const& request) {
  translation result;
  std::ifstream in(request.file);
  std::ostringstream all;
  all << in.rdbuf();
  if (!in) {
    std::cerr << "juggler-cc: cannot read " << request.file << '\n';
    return result;
  }
  own_pragmas const own(request.file, all.str());
  if (own.failed) return result;
  std::vector<std::string> flags{
      "-fopenmp",          "-fopenmp-version=45",  "-Werror=extra-tokens",
      "-Wno-unused-value", "-fparse-all-comments", "-resource-dir=" JUGGLER_CC_RESOURCES};
  // As GCC 12 has it.
  if (request.file.substr(request.file.rfind('.')) != ".c") flags.push_back("-std=gnu++17");
  for (std::string const& flag : request.flags) {
    if (flag.rfind("-fopenmp", 0) != 0) flags.push_back(flag);
  }
  // C takes these with a warning, and C++ not at all.
  for (char const* warning :
       {"implicit-function-declaration", "implicit-int", "int-conversion", "pointer-sign",
        "incompatible-pointer-types", "incompatible-pointer-types-discards-qualifiers",
        "incompatible-function-pointer-types", "pointer-integer-compare"})
    flags.push_back("-Werror=" + std::string(warning));
  tooling::FixedCompilationDatabase const database(".", flags);
  tooling::ClangTool tool(database, {request.file});
  tool.setPrintErrorMessage(false);
  tool.mapVirtualFile(request.file, own.text);
  actions factory(request, own.found, result);
  if (tool.run(&factory) != 0) result.done = false;
  return result;
}

}  // namespace gridloom::juggler::cc
