#pragma once
// The command line of gridloom-matrix: a command, its files, its options.

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace gridloom::datasets {

struct arguments {
  /// The files in the given order, as many as the command takes.
  std::vector<std::string> files;
  /// --generate: the specification that replaces the input file.
  std::string spec;

  bool json = false;
  /// The provenance of the output.
  std::string source;
  /// permute: the file with the order.
  std::string order;
  /// permute: the kind of order: random, reverse or degree.
  std::string order_by;
  /// permute: the file to which the order is written.
  std::string order_out;
  /// Seed for --by random.
  std::uint64_t seed = 1;
};

/// A command: its name, its files and its function.
struct command {
  std::string name;
  /// The files, such as "INPUT OUTPUT", as the usage line shows them.
  std::string files;
  std::string what;
  int (*run)(arguments const&);
};

/// Reads the arguments after the command's name. Returns false if --help was given and printed.
/// Throws usage_error that names the wrong option, or what is missing.
[[nodiscard]] bool parse_arguments(command const& wanted, int argc, char const* const* argv,
                                   arguments& into);

}  // namespace gridloom::datasets
