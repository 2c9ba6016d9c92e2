// gridloom-matrix: shows, converts, permutes and generates sparse matrices.

#include <array>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"
#include "gridloom/bench/build_info.hpp"
#include "gridloom/bench/program.hpp"
#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/sparse/generate.hpp"

namespace gridloom::datasets {
namespace {

std::array<command, 4> const commands{{
    {"info", "INPUT", "Prints size, entries, bandwidths and components of a matrix.", run_info},
    {"convert", "INPUT OUTPUT", "Converts a matrix to CSR.", run_convert},
    {"permute", "INPUT OUTPUT", "Renumbers rows and columns by the same order.", run_permute},
    {"generate", "SPEC OUTPUT", "Generates a matrix from a specification.", run_generate},
}};

void print_help() {
  std::cout << "Inspects, converts, permutes and generates sparse matrices.\n\nUsage:\n";
  for (command const& each : commands) {
    std::cout << "  gridloom-matrix " << each.name << " " << each.files << " [options]\n      "
              << each.what << "\n";
  }
  std::cout << "  gridloom-matrix COMMAND --help | --list | --help | --version\n"
               "\nINPUT  .h5 (CSR), .mtx, .mtx.gz; for METIS graphs and edge lists see\n"
               "       scripts/datasets import --help\n"
               "OUTPUT .h5 (CSR)\n"
               "SPEC   a generator of --list, such as poisson2d:nx=1000,points=5,shuffle=1\n"
               "\nExamples:\n"
               "  gridloom-matrix info matrix.mtx.gz\n"
               "  gridloom-matrix convert matrix.mtx.gz matrix.h5\n"
               "  gridloom-matrix generate trefethen:n=2000 trefethen.h5\n"
               "\nExit code: 0 done, 1 failed, 2 bad usage or input.\n";
}

std::string names_of_commands() {
  std::vector<std::string> names;
  for (command const& each : commands) names.push_back(each.name);
  return joined(names);
}

void print_generators() {
  for (sparse::generator_help const& each : sparse::list_generators()) {
    std::cout << each.name << (each.keys.empty() ? "" : ":") << each.keys << "\n    " << each.what
              << "\n";
  }
  std::cout << "Every generator also takes seed=1 and shuffle=0.\n";
}

int body(int argc, char** argv) {
  if (argc < 2) {
    print_help();
    throw usage_error("expected a command: " + names_of_commands());
  }
  std::string_view const name = argv[1];
  if (name == "--help" || name == "-h") {
    print_help();
    return exit_done;
  }
  if (name == "--version") {
    std::cout << "gridloom-matrix " << version() << " (" << build_commit()
              << (build_dirty() ? ", changed)\n" : ")\n");
    return exit_done;
  }
  if (name == "--list") {
    print_generators();
    return exit_done;
  }
  for (command const& each : commands) {
    if (each.name != name) continue;
    arguments given;
    if (!parse_arguments(each, argc - 1, argv + 1, given)) return exit_done;
    return each.run(given);
  }
  throw usage_error("expected a command: " + names_of_commands() + "; got " + in_quotes(name));
}

}  // namespace
}  // namespace gridloom::datasets

int main(int argc, char** argv) {
  return gridloom::run_program(argc, argv, gridloom::datasets::body);
}
