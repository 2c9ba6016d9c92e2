#include "compiler/macro_names.hpp"

#include <cctype>

namespace gridloom::juggler::cc {

using namespace clang;

namespace {

/// Identifiers of generated code, from the library or the language, that do not begin with jcc_.
std::set<std::string> const& own_words() {
  static std::set<std::string> const words = words_of(
      "add_task alloc app_context app_data auto begin bool break case catch char class "
      "collective_scratch const constexpr dag double end_program enum exception execute "
      "first float follow for from global_round_robin gridloom GRIDLOOM_FN if inspect int "
      "int64_t iterations jcc JccBlock JccShared left local_first local_round_robin "
      "local_then_shorter local_then_shorter_slots long map map_type max_threads maximum_of "
      "maybe_unused minimum_of next num_threads offload_run on_device operator "
      "process_in_dep process_inout_dep process_out_dep reads_through reduce return scratch "
      "short signed sizeof static static_cast std string struct sum_of switch sync "
      "task_data taskwait template thread_group thread_rank to tofrom trips try "
      "type_names type_wait typename uint32_t undeferred unsigned using vector "
      "void worker_places ");
  return words;
}

/// Adds all words in the definitions of macros among `words`, directly or through other macros.
std::set<std::string> with_meanings(program const& of, std::set<std::string> words) {
  for (bool more = true; more;) {
    more = false;
    for (auto const& [name, macro] : of.macros) {
      if (words.count(name) == 0) continue;
      for (std::string const& word : macro.words) more = words.insert(word).second || more;
    }
  }
  return words;
}

/// Identifiers in the user's code of a region, and in the macros that this code uses.
std::set<std::string> words_of_user(program const& of, region const& around) {
  source_text const source(*of.context);
  std::set<std::string> result =
      words_of(source.text(source.range(static_cast<Stmt const*>(around.directive))));
  auto const add = [&](std::string const& text) { result.merge(words_of(text)); };
  for (auto const* list : {&around.inspected, &around.device_functions}) {
    for (FunctionDecl const* f : *list) add(source.text(source.range(f->getSourceRange())));
  }
  return with_meanings(of, std::move(result));
}

MacroInfo const* meaning_at(user_macro const& macro, SourceLocation at,
                            SourceManager const& sources) {
  auto const found = macro.history->findDirectiveAtLoc(at, sources);
  return found ? found.getMacroInfo() : nullptr;
}

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

std::set<std::string> words_of(std::string const& text) {
  std::set<std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    if (text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.compare(at, 2, "/*") == 0) {
      std::size_t const end = text.find("*/", at + 2);
      at = end == std::string::npos ? text.size() : end + 2;
    } else if (text[at] == '"' || text[at] == '\'') {
      char const quote = text[at++];
      while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
      ++at;
    } else if (is_of_word(text[at])) {
      std::size_t const begin = at;
      while (at < text.size() && is_of_word(text[at])) ++at;
      if (std::isdigit(static_cast<unsigned char>(text[begin])) == 0)
        result.insert(text.substr(begin, at - begin));
    } else {
      ++at;
    }
  }
  return result;
}

std::string without_macros(std::set<std::string> const& names, std::string const& text) {
  std::string before;
  std::string behind;
  for (std::string const& name : names) {
    before += "#pragma push_macro(\"" + name + "\")\n#undef " + name + "\n";
    behind += "#pragma pop_macro(\"" + name + "\")\n";
  }
  return before + text + behind;
}

std::string guarded(program const& of, region const& around, reporter const& report,
                    std::string const& code) {
  std::set<std::string> const used = words_of_user(of, around);
  std::set<std::string> hidden;
  for (std::string const& word : words_of(code)) {
    auto const macro = of.macros.find(word);
    if (macro == of.macros.end()) continue;
    if (used.count(word) == 0) {
      hidden.insert(word);
    } else if (own_words().count(word) != 0) {
      report.error(macro->second.at, "macro '" + word +
                                         "' is used by a region, and the generated source has a "
                                         "word of that name; rename the macro");
    }
  }
  return without_macros(hidden, code);
}

std::string with_macros_of(program const& of, region const& around, text_range place,
                           reporter const& report, std::string const& made) {
  SourceManager const& sources = of.context->getSourceManager();
  source_text const source(*of.context);
  auto const at_offset = [&](FileID file, unsigned offset) {
    return sources.getLocForStartOfFile(file).getLocWithOffset(static_cast<int>(offset));
  };
  text_range const whole = source.range(static_cast<Stmt const*>(around.directive));
  SourceLocation const begin = at_offset(whole.file, whole.begin);
  SourceLocation const end = at_offset(whole.file, whole.end);
  SourceLocation const in_front = at_offset(place.file, place.begin);
  auto const is_same = [](user_macro const& macro, MacroInfo const* a, MacroInfo const* b) {
    return a == b ||
           (a != nullptr && b != nullptr && a->isIdenticalTo(*b, *macro.preprocessor, true));
  };
  auto const refuse = [&](std::string const& name, MacroInfo const* one) {
    report.error(one->getDefinitionLoc(), "macro '" + name +
                                              "' means different things in the code of a region; "
                                              "use two names");
  };
  std::string before;
  std::string behind;
  std::set<std::string> const used = words_of_user(of, around);
  for (auto const& [name, macro] : of.macros) {
    if (used.count(name) == 0) continue;
    MacroInfo const* const here = meaning_at(macro, end, sources);
    MacroInfo const* const first = meaning_at(macro, begin, sources);
    if (first != nullptr && !is_same(macro, here, first)) refuse(name, first);
    for (auto const* list : {&around.inspected, &around.device_functions}) {
      for (FunctionDecl const* f : *list) {
        auto const in_function =
            with_meanings(of, words_of(source.text(source.range(f->getSourceRange()))));
        MacroInfo const* const there =
            meaning_at(macro, sources.getExpansionLoc(f->getEndLoc()), sources);
        if (in_function.count(name) != 0 && !is_same(macro, here, there))
          refuse(name, there != nullptr ? there : here);
      }
    }
    if (is_same(macro, here, meaning_at(macro, in_front, sources))) continue;
    before += "#pragma push_macro(\"" + name + "\")\n#undef " + name + "\n";
    if (here != nullptr)
      before += "#define " +
                source.text(source.range(
                    SourceRange(here->getDefinitionLoc(), here->getDefinitionEndLoc()))) +
                "\n";
    behind += "#pragma pop_macro(\"" + name + "\")\n";
  }
  return before + made + behind;
}

std::set<std::string> macros_of_command_line(program const& of) {
  std::set<std::string> result;
  SourceManager const& sources = of.context->getSourceManager();
  for (auto const& [name, macro] : of.macros) {
    if (sources.isWrittenInCommandLineFile(macro.at)) result.insert(name);
  }
  return result;
}

std::map<std::string, user_macro> find_macros(Preprocessor& preprocessor) {
  SourceManager const& sources = preprocessor.getSourceManager();
  std::map<std::string, user_macro> result;
  for (auto const& one : preprocessor.macros()) {
    IdentifierInfo const* const name = one.first;
    MacroDirective const* directive = preprocessor.getLocalMacroDirectiveHistory(name);
    for (; directive != nullptr; directive = directive->getPrevious()) {
      MacroInfo const* const info = directive->getMacroInfo();
      if (info == nullptr || info->isBuiltinMacro()) continue;
      SourceLocation const at = info->getDefinitionLoc();
      if (at.isInvalid() || sources.isInSystemHeader(at) || sources.isWrittenInBuiltinFile(at))
        continue;
      user_macro& macro = result[name->getName().str()];
      macro.at = at;
      macro.history = preprocessor.getLocalMacroDirectiveHistory(name);
      macro.preprocessor = &preprocessor;
      for (Token const& token : info->tokens()) {
        if (token.getIdentifierInfo() != nullptr)
          macro.words.insert(token.getIdentifierInfo()->getName().str());
      }
    }
  }
  return result;
}

}  // namespace gridloom::juggler::cc
