// juggler-cc: the command. Translates one program and compiles the result.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "compiler/command_line.hpp"
#include "compiler/configuration.hpp"
#include "compiler/workplace.hpp"
#include "gridloom/bench/program.hpp"
#include "gridloom/error.hpp"
#include "gridloom/files/atomic_file.hpp"

namespace gridloom::juggler::cc {

namespace {

namespace fs = std::filesystem;

void write(fs::path const& file, std::string const& text) {
  replace_file(file, std::as_bytes(std::span(text)));
}

bool begins_with(std::string const& text, std::initializer_list<char const*> with) {
  return std::any_of(with.begin(), with.end(), [&](char const* w) { return text.starts_with(w); });
}

/// Makes the file `program` in the workplace and returns an exit code.
int compile(request const& wish, std::string const& text, workplace const& here) {
  configuration const with = read_configuration();
  bool const cuda = wish.backend == "cuda" || (wish.backend.empty() && with.has_cuda);
  if (cuda && !with.has_cuda) throw usage_error("--backend cuda: this build has no CUDA backend");
  if (!cuda && with.has_cuda)
    throw usage_error(
        "--backend host: this build's library holds the CUDA backend, which nvcc compiles; "
        "run the program with JUGGLER_BACKEND=host");
  std::string const source = here.folder() / (cuda ? "program.cu" : "program.cpp");
  write(source, text);
  auto const fail = [&](std::string const& note) {
    here.require_room();
    if (wish.is_c()) std::cerr << wish.translation.file << ": note: " << note << '\n';
    return exit_failed;
  };
  std::vector<std::string> words{cuda ? with.nvcc : with.compiler, "-std=c++20",
                                 "-DGRIDLOOM_HAS_CUDA=" + std::string(cuda ? "1" : "0")};
  auto const for_host = [&](std::string const& flag) {
    if (cuda) words.push_back("-Xcompiler");
    words.push_back(flag);
  };
  if (cuda) {
    words.push_back("-arch=sm_" + with.architecture);
    // Functions and variables that only tasks used are now unused.
    words.push_back("--diag-suppress=177");
  }
  for_host("-fopenmp");
  // Because of #line, generated code seems to be in another file than the program.
  for_host("-Wno-subobject-linkage");
  // C programs do arithmetic with enumerations; the generated C++ gives names and variables types
  // of their own.
  if (wish.is_c()) {
    for (char const* kind :
         {"enum-compare", "deprecated-enum-enum-conversion", "deprecated-enum-float-conversion"})
      for_host("-Wno-" + std::string(kind));
  }
  bool optimises = false;
  for (std::string const& flag : wish.compiler_flags) {
    optimises = optimises || flag.rfind("-O", 0) == 0;
    // These flags would make the host compiler warn about nearly all code that nvcc makes.
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
  std::string const object = here.folder() / "program.o";
  std::vector<std::string> compilation = words;
  compilation.insert(compilation.end(), {"-c", source, "-o", object});
  if (here.run(compilation) != 0)
    return fail(
        "the generated source is C++ and includes headers of its own; move code that C++ refuses, "
        "and names that these headers have, into another C file and link it, or rename them");
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
  words.insert(words.end(), {"-o", here.folder() / "program"});
  if (here.run(words) == 0) return exit_done;
  return fail(
      "if a function of another C file is missing: here it is seen as C++, so write extern \"C\" "
      "around its declaration, between '#ifdef __cplusplus' and '#endif'");
}

/// Runs the compiled inspection and puts the graph's two files in place, both or none.
int make_graph(request const& wish, workplace const& here) {
  fs::path const folder = here.folder();
  int const failed = here.run({folder / "program", folder / "dag.h5", folder / "dag.dot"});
  if (failed != 0) return failed;
  files_together files;
  here.put("dag.h5", wish.dag_file(".h5"));
  here.put("dag.dot", wish.dag_file(".dot"));
  files.put_in_place();
  std::cout << ": " << wish.dag_file(".h5") << ", " << wish.dag_file(".dot") << '\n';
  return exit_done;
}

int run(int argc, char** argv) {
  request wish;
  if (!parse(argc, argv, wish)) return exit_done;
  translation const made = translate(wish.translation);
  if (!made.done) return exit_usage;
  if (wish.translation.explains || wish.emit_to == "-") {
    std::cout << made.text;
    return exit_done;
  }
  if (!wish.emit_to.empty()) {
    write(wish.emit_to, made.text);
    return exit_done;
  }
  workplace const here;
  int const failed = compile(wish, made.text, here);
  if (failed != 0) return failed;
  if (wish.translation.makes_dag) return make_graph(wish, here);
  here.put("program", wish.output);
  return exit_done;
}

}  // namespace
}  // namespace gridloom::juggler::cc

int main(int argc, char** argv) {
  return gridloom::run_program(argc, argv, gridloom::juggler::cc::run);
}
