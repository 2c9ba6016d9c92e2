// juggler-cc: the command. Translates one program and compiles what came of it.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "compiler/configuration.hpp"
#include "compiler/front_end.hpp"

namespace {

using namespace gridloom::juggler::cc;
namespace fs = std::filesystem;

constexpr int exit_failed = 1;
constexpr int exit_usage = 2;

constexpr char const* help =
    R"(juggler-cc: OpenMP tasks with dependences, run inside the GPU by Juggler

  juggler-cc [options] FILE.c|FILE.cpp [objects and libraries]

  -o FILE          the program (a.out)
  --emit FILE      write the generated source and compile nothing; '-' is standard output
  --explain        print regions, tasks, dependences, data sharing and copies, and compile nothing
  --dag N=16,...   run the inspection alone, with these values for the region's variables, and write
                   the task graph to FILE.dag.h5 and FILE.dag.dot, or to -o's name in place of FILE
  --region K       for --dag: the K-th region of the file (1)
  --backend NAME   host: compile with the C++ compiler, for host threads only
                   cuda: compile with nvcc, for both (where this build holds the CUDA backend)
  --policy NAME    lrr, grr, lf, lts or lts-slots (lts): which worker executes a freed task
  --version, --help

-I, -D, -U, -std and -isystem are for the translator and the compiler, -O, -g, -l, -L, -W, -f, -m, -pthread,
-pedantic and -pipe for the compiler alone.
Exit status: 0 done, 1 the compiler failed, 2 what was asked for, or the program, cannot be translated.
)";

struct usage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct request {
  translation_request translation;
  std::string output;
  std::string emit_to;
  std::string backend;
  std::vector<std::string> compiler_flags;
  std::vector<std::string> link_inputs;
};

std::string policy_type(std::string const& name) {
  static std::map<std::string, std::string> const types{{"lrr", "local_round_robin"},
                                                        {"grr", "global_round_robin"},
                                                        {"lf", "local_first"},
                                                        {"lts", "local_then_shorter"},
                                                        {"lts-slots", "local_then_shorter_slots"}};
  auto const found = types.find(name);
  if (found == types.end())
    throw usage("--policy: expected lrr, grr, lf, lts or lts-slots, got " + name);
  return found->second;
}

/// `N=16,M=4`.
std::map<std::string, std::string> parse_values(std::string const& text) {
  std::map<std::string, std::string> result;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t const end = std::min(text.find(',', at), text.size());
    std::string const one = text.substr(at, end - at);
    std::size_t const equals = one.find('=');
    char const* const number = one.c_str() + std::min(equals, one.size() - 1) + 1;
    char* behind = nullptr;
    bool const is_number =
        equals != std::string::npos && equals > 0 &&
        one.find_first_not_of("0123456789.eE+-", equals + 1) == std::string::npos &&
        std::isfinite(std::strtod(number, &behind)) && behind != number && *behind == '\0';
    if (one.empty() || !is_number) throw usage("--dag: expected NAME=NUMBER,..., got " + text);
    result[one.substr(0, equals)] = one.substr(equals + 1);
    at = end + 1;
  }
  return result;
}

bool is_source(std::string const& name) {
  static std::vector<std::string> const endings{".c", ".cc", ".cpp", ".cxx"};
  return std::find(endings.begin(), endings.end(), fs::path(name).extension()) != endings.end();
}

bool begins_with(std::string const& text, std::initializer_list<char const*> with) {
  return std::any_of(with.begin(), with.end(),
                     [&](char const* w) { return text.rfind(w, 0) == 0; });
}

request parse(std::vector<std::string> const& words) {
  request result;
  result.translation.policy_type = policy_type("lts");
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string const& word = words[i];
    auto const value = [&] {
      if (i + 1 >= words.size()) throw usage(word + ": expected a value");
      return words[++i];
    };
    if (word == "-o") {
      result.output = value();
    } else if (word == "--emit") {
      result.emit_to = value();
    } else if (word == "--explain") {
      result.translation.explains = true;
    } else if (word == "--dag") {
      result.translation.makes_dag = true;
      result.translation.dag_values = parse_values(value());
    } else if (word == "--region") {
      std::string const number = value();
      if (number.empty() || number.size() > 4 ||
          number.find_first_not_of("0123456789") != std::string::npos || number[0] == '0')
        throw usage("--region: expected a number of at least 1, got " + number);
      result.translation.dag_region = static_cast<unsigned>(std::stoul(number));
    } else if (word == "--backend") {
      result.backend = value();
      if (result.backend != "host" && result.backend != "cuda")
        throw usage("--backend: expected host or cuda, got " + result.backend);
    } else if (word == "--policy") {
      result.translation.policy_type = policy_type(value());
    } else if (word == "-I" || word == "-D" || word == "-U" || word == "-isystem") {
      std::string const of = value();
      for (auto* flags : {&result.translation.flags, &result.compiler_flags})
        flags->insert(flags->end(), {word, of});
    } else if (begins_with(word, {"-I", "-D", "-U", "-std="})) {
      result.translation.flags.push_back(word);
      // The generated source is C++20.
      if (word.rfind("-std=", 0) != 0) result.compiler_flags.push_back(word);
    } else if (begins_with(word, {"-l", "-L"})) {
      result.link_inputs.push_back(word);
    } else if (begins_with(word, {"-fopenmp", "-foffload"})) {
      continue;  // regions are ours, and for all else -fopenmp is on
    } else if (begins_with(word, {"-O", "-g", "-W", "-f", "-m", "-pthread", "-pedantic"}) ||
               word == "-pipe") {
      result.compiler_flags.push_back(word);
      result.translation.compiling.push_back(word);
    } else if (word.size() > 1 && word[0] == '-') {
      throw usage("unknown option " + word + "; see juggler-cc --help");
    } else if (is_source(word)) {
      if (!result.translation.file.empty())
        throw usage("expected one source, got " + result.translation.file + " and " + word +
                    "; compile others to objects");
      result.translation.file = word;
    } else if (fs::path(word).extension() == ".cu") {
      throw usage(word + ": expected C or C++ with OpenMP, not CUDA");
    } else {
      result.link_inputs.push_back(word);
    }
  }
  if (result.translation.file.empty())
    throw usage("expected a source, FILE.c or FILE.cpp; see juggler-cc --help");
  if (!fs::is_regular_file(result.translation.file))
    throw usage(result.translation.file + ": no such file");
  return result;
}

void write(std::string const& file, std::string const& text) {
  if (file == "-") {
    std::cout << text;
    return;
  }
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) throw usage("cannot write " + file);
}

int compile(request const& wish, std::string const& program, std::string const& output) {
  configuration const with = read_configuration();
  bool const cuda = wish.backend == "cuda" || (wish.backend.empty() && with.has_cuda);
  if (cuda && !with.has_cuda) throw usage("--backend cuda: this build has no CUDA backend");
  if (!cuda && with.has_cuda)
    throw usage(
        "--backend host: this build's library holds the CUDA backend, which nvcc compiles; "
        "run the program with JUGGLER_BACKEND=host");
  temporary_folder const folder;
  std::string const source = folder.path() + (cuda ? "/program.cu" : "/program.cpp");
  write(source, program);
  std::vector<std::string> words{cuda ? with.nvcc : with.compiler, "-std=c++20",
                                 "-DGRIDLOOM_HAS_CUDA=" + std::string(cuda ? "1" : "0")};
  auto const for_host = [&](std::string const& flag) {
    if (cuda) words.push_back("-Xcompiler");
    words.push_back(flag);
  };
  if (cuda) {
    words.push_back("-arch=sm_" + with.architecture);
    // Functions and variables that only tasks used are left over.
    words.push_back("--diag-suppress=177");
  }
  for_host("-fopenmp");
  // By its lines generated code is of another file than the program.
  for_host("-Wno-subobject-linkage");
  // In C names of an enumeration are numbers, and here they are of a type beside that of its variables.
  if (fs::path(wish.translation.file).extension() == ".c") {
    for (char const* kind :
         {"enum-compare", "deprecated-enum-enum-conversion", "deprecated-enum-float-conversion"})
      for_host("-Wno-" + std::string(kind));
  }
  bool optimises = false;
  for (std::string const& flag : wish.compiler_flags) {
    optimises = optimises || flag.rfind("-O", 0) == 0;
    // What nvcc makes for the host compiler is full of what these warn of.
    if (cuda && begins_with(flag, {"-pedantic", "-Wpedantic"})) continue;
    if (begins_with(flag, {"-W", "-f", "-m", "-p"})) {
      for_host(flag);
    } else {
      words.push_back(flag);
    }
  }
  if (!optimises) words.push_back("-O2");
  // The program's own folder, where its headers are.
  std::string const beside = fs::absolute(wish.translation.file).parent_path().string();
  words.insert(words.end(), {"-I", beside});
  for (std::string const& folder_of : with.includes) words.insert(words.end(), {"-I", folder_of});
  std::string const object = folder.path() + "/program.o";
  std::vector<std::string> compilation = words;
  compilation.insert(compilation.end(), {"-c", source, "-o", object});
  if (run_command(compilation) != 0) {
    if (fs::path(wish.translation.file).extension() == ".c")
      std::cerr
          << wish.translation.file
          << ": note: the generated source is C++, with headers of its own; what C++ refuses, "
             "and names that these have, may go into another file, compiled as C and linked "
             "as an object, or be renamed\n";
    return exit_failed;
  }
  words.push_back(object);
  words.insert(words.end(), wish.link_inputs.begin(), wish.link_inputs.end());
  for (std::string const& library : with.libraries) {
    std::string const in = fs::path(library).parent_path().string();
    if (fs::path(library).extension() == ".so") {
      if (cuda) {
        words.insert(words.end(), {"-Xlinker", "-rpath=" + in});
      } else {
        words.push_back("-Wl,-rpath," + in);
      }
    }
    words.push_back(library);
  }
  words.insert(words.end(), {"-o", output});
  if (run_command(words) == 0) return 0;
  if (fs::path(wish.translation.file).extension() == ".c")
    std::cerr
        << wish.translation.file
        << ": note: if a function of another C file is missing: here it is seen as C++, so write "
           "extern \"C\" around its declaration, between '#ifdef __cplusplus' and '#endif'\n";
  return exit_failed;
}

int run(std::vector<std::string> const& words) {
  request wish = parse(words);
  bool const is_kept = !wish.emit_to.empty() && wish.emit_to != "-";
  wish.translation.made_file =
      is_kept ? wish.emit_to : wish.translation.file + " (generated source)";
  translation const made = translate(wish.translation);
  if (!made.done) return exit_usage;
  if (wish.translation.explains) {
    std::cout << made.text;
    return 0;
  }
  if (!wish.emit_to.empty()) {
    write(wish.emit_to, made.text);
    return 0;
  }
  if (!wish.translation.makes_dag)
    return compile(wish, made.text, wish.output.empty() ? "a.out" : wish.output);
  temporary_folder const folder;
  std::string const program = folder.path() + "/inspection";
  if (int const failed = compile(wish, made.text, program); failed != 0) return failed;
  std::string const stem =
      wish.output.empty() ? fs::path(wish.translation.file).stem().string() : wish.output;
  return run_command({program, stem + ".dag.h5", stem + ".dag.dot"});
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<std::string> const words(argv + 1, argv + argc);
  for (std::string const& word : words) {
    if (word == "--help" || word == "-h") {
      std::cout << help;
      return 0;
    }
    if (word == "--version") {
      std::cout << "juggler-cc 0.1.0, on Clang 14\n";
      return 0;
    }
  }
  return run(words);
} catch (usage const& error) {
  std::cerr << "juggler-cc: " << error.what() << '\n';
  return exit_usage;
} catch (std::exception const& error) {
  std::cerr << "juggler-cc: " << error.what() << '\n';
  return exit_failed;
}
