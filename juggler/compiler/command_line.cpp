#include "compiler/command_line.hpp"

#include <algorithm>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "gridloom/bench/build_info.hpp"
#include "gridloom/bench/options.hpp"
#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "gridloom/number.hpp"
#include "gridloom/parse.hpp"

namespace gridloom::juggler::cc {

namespace fs = std::filesystem;
namespace po = boost::program_options;

namespace {

constexpr int most_regions = 9999;

std::map<std::string, std::string> const policies{{"lrr", "local_round_robin"},
                                                  {"grr", "global_round_robin"},
                                                  {"grr-block", "global_round_robin_by_block"},
                                                  {"lf", "local_first"},
                                                  {"lf-task", "local_first_of_task"},
                                                  {"lts", "local_then_shorter"},
                                                  {"lts-slots", "local_then_shorter_slots"}};

struct own_values {
  std::string dag;
  int region = 1;
  std::string policy = "lts";
};

po::options_description own_options(request& into, own_values& own) {
  translation_request& translation = into.translation;
  std::vector<std::string> names;
  for (auto const& [name, type] : policies) names.push_back(name);
  po::options_description result{"Options"};
  result.add_options()("output,o", text_option(into.output, "FILE"),
                       "file name of the program; default: a.out")(
      "emit", text_option(into.emit_to, "FILE"),
      "write the generated source to FILE and compile nothing; '-' is standard output")(
      "explain", po::bool_switch(&translation.explains),
      "print regions, tasks, dependences, data sharing and copies, and compile nothing")(
      "dag", text_option(own.dag, "N=16,..."),
      "only make the task graph, with these values for the region's variables, and write it to "
      "FILE.dag.h5 and FILE.dag.dot; -o replaces FILE in these names")(
      "region", int_option("region", own.region, 1, most_regions),
      "with --dag: the number of the region in the file")(
      "backend", choice_option("backend", into.backend, {"host", "cuda"}),
      "host: compile with the C++ compiler, for host threads; cuda: compile with nvcc, for host "
      "threads and GPUs")(
      "policy", choice_option("policy", own.policy, names),
      ("which worker executes a task that became ready: " + joined(names)).c_str())(
      "help,h", po::bool_switch(), "print this help, and exit")("version", po::bool_switch(),
                                                                "print the version, and exit");
  return result;
}

void print_help(po::options_description const& own) {
  std::cout
      << "Translates OpenMP tasks with dependences, so that Juggler runs them inside the GPU.\n\n"
         "Usage: juggler-cc [options] FILE.c|FILE.cpp [objects and libraries]\n\n"
      << own
      << "\nOptions of a compiler are passed on: -I, -D, -U, -std and -isystem to the translator\n"
         "and the compiler; -O, -g, -l, -L, -W, -f, -m, -pthread, -pedantic and -pipe to the\n"
         "compiler.\n\n"
         "Exit codes: 0 done; 1 failed (compiler, full disk); 2 bad usage, or a program that\n"
         "cannot be translated.\n";
}

/// Parses `N=16,M=4`.
std::map<std::string, std::string> parse_values(std::string const& text) {
  std::map<std::string, std::string> result;
  for (std::string_view const one : split_at_commas(text)) {
    std::size_t const equals = std::min(one.find('='), one.size());
    std::string const name{one.substr(0, equals)};
    std::string_view const number = one.substr(std::min(equals + 1, one.size()));
    double value = 0;
    if (name.empty() || !read_number(number, value) || !std::isfinite(value))
      throw usage_error("--dag: expected NAME=NUMBER,..., got " + text);
    if (!result.emplace(name, number).second)
      throw usage_error("--dag: " + name + " is given twice");
  }
  return result;
}

bool awaits_value(po::options_description const& own, std::string const& word) {
  auto const* known = word.starts_with("--") ? own.find_nothrow(word.substr(2), false) : nullptr;
  return word == "-o" || (known != nullptr && known->semantic()->min_tokens() > 0);
}

void take_file(std::string const& word, request& into) {
  std::string const ending = fs::path(word).extension();
  if (ending == ".cu") throw usage_error(word + ": expected C or C++ with OpenMP, not CUDA");
  if (ending != ".c" && ending != ".cc" && ending != ".cpp" && ending != ".cxx") {
    into.link_inputs.push_back(word);
    return;
  }
  std::string& file = into.translation.file;
  if (!file.empty())
    throw usage_error("expected one source, got " + file + " and " + word +
                      "; compile others to objects");
  file = word;
}

/// Stores the files and the options of a compiler in `into`. Returns juggler-cc's own options.
std::vector<std::string> take_compiler_words(std::vector<std::string> const& words,
                                             po::options_description const& own, request& into) {
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string const& word = words[i];
    translation_request& translation = into.translation;
    if (word == "-I" || word == "-D" || word == "-U" || word == "-isystem") {
      if (++i == words.size()) throw usage_error(word + ": expected a value");
      for (auto* flags : {&translation.flags, &into.compiler_flags})
        flags->insert(flags->end(), {word, words[i]});
    } else if (begins_with(word, {"-I", "-D", "-U", "-std="})) {
      translation.flags.push_back(word);
      // The generated source is always C++20.
      if (!word.starts_with("-std=")) into.compiler_flags.push_back(word);
    } else if (begins_with(word, {"-l", "-L"})) {
      into.link_inputs.push_back(word);
    } else if (begins_with(word, {"-fopenmp", "-foffload"})) {
      // -fopenmp is always on, and juggler-cc replaces the offload options.
      continue;
    } else if (begins_with(word, {"-O", "-g", "-W", "-f", "-m", "-pthread", "-pedantic"}) ||
               word == "-pipe") {
      into.compiler_flags.push_back(word);
      translation.compiling.push_back(word);
    } else if (word.size() > 1 && word[0] == '-') {
      rest.push_back(word);
      if (awaits_value(own, word) && i + 1 < words.size()) rest.push_back(words[++i]);
    } else {
      take_file(word, into);
    }
  }
  return rest;
}

/// Refuses options without effect.
void refuse_idle_options(po::variables_map const& given, request const& wish) {
  auto const has = [&](char const* option) {
    return given.count(option) != 0 && !given[option].defaulted() && !given[option].empty();
  };
  auto const refuse = [&](char const* option, char const* beside) {
    if (has(option))
      throw usage_error("--" + std::string(option) + ": has no effect with " + beside);
  };
  bool const explains = wish.translation.explains;
  if (explains) {
    for (char const* option : {"emit", "dag", "policy"}) refuse(option, "--explain");
  }
  if (has("emit")) refuse("dag", "--emit");
  if (explains || has("emit")) {
    for (char const* option : {"output", "backend"})
      refuse(option, explains ? "--explain" : "--emit");
  }
  if (has("dag")) refuse("policy", "--dag");
  if (has("region") && !has("dag")) throw usage_error("--region: goes with --dag");
}

void check_files(po::variables_map const& given, request const& wish) {
  translation_request const& translation = wish.translation;
  if (translation.file.empty())
    throw usage_error("expected a source, FILE.c or FILE.cpp; see juggler-cc --help");
  if (!fs::is_regular_file(translation.file))
    throw usage_error(translation.file + ": no such file");
  std::vector<std::pair<std::string, fs::path>> files{{"the source", translation.file}};
  for (std::string const& input : wish.link_inputs) {
    if (input[0] != '-') files.emplace_back(input, input);
  }
  auto const add = [&](char const* option, std::string const& file) {
    require_writable(file, option);
    files.emplace_back(option, file);
  };
  if (given.count("emit") != 0) {
    if (wish.emit_to != "-") add("--emit", wish.emit_to);
  } else if (translation.makes_dag) {
    add("--dag", wish.dag_file(".h5"));
    add("--dag", wish.dag_file(".dot"));
  } else if (!translation.explains) {
    add("-o", wish.output);
  }
  require_different_files(files);
}

}  // namespace

bool begins_with(std::string const& text, std::initializer_list<char const*> with) {
  return std::any_of(with.begin(), with.end(), [&](char const* w) { return text.starts_with(w); });
}

bool request::is_c() const { return fs::path(translation.file).extension() == ".c"; }

std::string request::dag_file(char const* ending) const { return output + ".dag" + ending; }

bool parse(int argc, char const* const* argv, request& into) {
  own_values own;
  po::options_description const options = own_options(into, own);
  std::vector<std::string> const rest = take_compiler_words({argv + 1, argv + argc}, options, into);
  po::variables_map given;
  try {
    po::store(
        po::command_line_parser(rest)
            .options(options)
            .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
            .run(),
        given);
    if (given["help"].as<bool>()) {
      print_help(options);
      return false;
    }
    if (given["version"].as<bool>()) {
      std::cout << "juggler-cc " << version() << ", on Clang 14\n";
      return false;
    }
    po::notify(given);
  } catch (po::error const& error) {
    throw usage_error(std::string{error.what()} + "; see juggler-cc --help");
  }
  refuse_idle_options(given, into);
  translation_request& translation = into.translation;
  translation.policy_type = policies.at(own.policy);
  translation.makes_dag = given.count("dag") != 0;
  if (translation.makes_dag) translation.dag_values = parse_values(own.dag);
  translation.dag_region = static_cast<unsigned>(own.region);
  if (given.count("output") == 0)
    into.output = translation.makes_dag ? fs::path(translation.file).stem().string() : "a.out";
  check_files(given, into);
  bool const is_kept = given.count("emit") != 0 && into.emit_to != "-";
  translation.made_file = is_kept ? into.emit_to : translation.file + " (generated source)";
  return true;
}

}  // namespace gridloom::juggler::cc
