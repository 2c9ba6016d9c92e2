// gridloom-graph: generates task graphs.

#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
#include <boost/program_options/variables_map.hpp>
#include <iostream>

#include "gridloom/bench/build_info.hpp"
#include "gridloom/bench/options.hpp"
#include "gridloom/bench/program.hpp"
#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "gridloom/printable.hpp"
#include "gridloom/taskgraph/generate.hpp"

namespace po = boost::program_options;

namespace gridloom {
namespace {

int body(int argc, char** argv) {
  std::string specification, output;
  po::options_description shown{"Options"}, all;
  shown.add_options()("output", text_option(output, "FILE.h5"), "file to write, or to replace")(
      "list", "print the generators and their keys, and exit")(
      "help,h", "print this help, and exit")("version", "print the version, and exit");
  all.add(shown).add_options()("spec", text_option(specification));
  po::positional_options_description positions;
  positions.add("spec", 1);
  po::variables_map values;
  try {
    int const style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(
        po::command_line_parser(argc, argv).options(all).positional(positions).style(style).run(),
        values);
    po::notify(values);
  } catch (po::error const& error) {
    throw usage_error(std::string(error.what()) + "; see gridloom-graph --help");
  }
  if (values.count("help") > 0) {
    std::cout << "Generates a task graph.\n\nUsage: gridloom-graph SPEC --output FILE.h5\n\n"
              << shown
              << "\nSPEC  NAME or NAME:KEY=VALUE,... of --list\n\nExample:\n"
                 "  gridloom-graph fft:width=1000,steps=100 --output fft.h5\n\n"
                 "Exit code: 0 done, 1 failed, 2 bad usage or input.\n";
    return exit_done;
  }
  if (values.count("version") > 0) {
    std::cout << "gridloom-graph " << version() << " (" << build_commit()
              << (build_dirty() ? ", changed)\n" : ")\n");
    return exit_done;
  }
  if (values.count("list") > 0) {
    std::cout << list_graph_generators();
    return exit_done;
  }
  if (output.empty()) throw usage_error("--output: expected the file to write");
  require_writable(output, "--output");
  csr_graph const graph = generate_graph(specification);
  write_dag(output, graph, {}, specification);
  std::cout << printable(output) << ": " << graph.tasks() << " tasks, " << graph.edges()
            << " edges\n";
  return exit_done;
}

}  // namespace
}  // namespace gridloom

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, gridloom::body); }
