#pragma once
// The command line of gridloom-matrix: a command, its files, its options.

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "gridloom/sparse/matrix_source.hpp"

namespace gridloom::datasets {

struct arguments {
  /// In the order given, as many as the command takes.
  std::vector<std::string> files;
  /// --generate: in place of the input file.
  std::string spec;

  sparse::market_options reading;

  bool json = false;
  /// keep, none, float or double.
  std::string values = "keep";
  /// The storage of a Matrix Market output.
  std::string symmetry = "general";
  bool symmetrise = false;
  /// The provenance of an HDF5 output.
  std::string source;
  /// permute: the file with the order.
  std::string order;
  /// permute: random, reverse or degree.
  std::string order_by;
  /// permute: where to write the order.
  std::string order_out;
  /// For --by random and for a generator.
  std::uint64_t seed = 1;
  bool seed_given = false;
  /// generate: renumber at random.
  bool shuffle = false;
};

/// A command: what it takes and what it does.
struct command {
  std::string name;
  /// "INPUT OUTPUT" as the usage line shows it.
  std::string files;
  std::string what;
  int (*run)(arguments const&);
};

/// Reads the arguments behind the command's name. Returns false when --help was asked for and
/// printed. Throws usage_error naming the option or what is missing.
[[nodiscard]] bool parse_arguments(command const& wanted, int argc, char const* const* argv,
                                   arguments& into);

}  // namespace gridloom::datasets
