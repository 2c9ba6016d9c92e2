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
  std::vector<std::string> files;  // in the order given, as many as the command takes
  std::string spec;                // --generate: in place of the input file

  sparse::read_options reading;

  bool json = false;
  std::string values = "keep";       // keep, none, float, double
  std::string symmetry = "general";  // of a Matrix Market output
  bool symmetrise = false;
  std::string source;      // provenance of an HDF5 output
  std::string order;       // permute: file with the order
  std::string order_by;    // permute: random, reverse or degree
  std::uint64_t seed = 1;  // of --by random, and of a generator
  bool shuffle = false;    // generate: renumber at random
  bool seed_given = false;
  std::string order_out;  // permute: where to write the order
};

/// A command by name: what it takes and what it does.
struct command {
  std::string name;
  std::string files;  // "INPUT OUTPUT" as the usage line shows it
  std::string what;
  int (*run)(arguments const&);
};

/// Reads what stands behind the command's name. Returns false when --help was asked for and
/// printed. Throws usage_error naming the option or what is missing.
[[nodiscard]] bool parse_arguments(command const& wanted, int argc, char const* const* argv,
                                   arguments& into);

}  // namespace gridloom::datasets
