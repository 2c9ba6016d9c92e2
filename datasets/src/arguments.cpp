#include "arguments.hpp"

#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <iostream>
#include <sstream>

#include "gridloom/bench/options.hpp"
#include "gridloom/error.hpp"

namespace po = boost::program_options;

namespace gridloom::datasets {
namespace {

bool takes_output(command const& wanted) { return wanted.files.ends_with("OUTPUT"); }

po::options_description reading_options(arguments& into) {
  po::options_description group{"Reading"};
  group.add_options()("generate", text_option(into.spec, "SPEC"),
                      "make the matrix instead of reading INPUT, such as poisson2d:nx=100");
  return group;
}

po::options_description writing_options(arguments& into) {
  po::options_description group{"Writing"};
  group.add_options()("source", text_option(into.source),
                      "text that names the origin of the matrix");
  return group;
}

po::options_description permuting_options(arguments& into) {
  po::options_description group{"Order"};
  group.add_options()("order", text_option(into.order, "FILE"),
                      "row numbers from 0, one per line: the row that comes first, second, ...")(
      "by", choice_option("by", into.order_by, {"random", "reverse", "degree"}),
      "compute an order instead of reading --order; degree: short rows first")(
      "seed", unsigned_option("seed", into.seed), "seed for --by random")(
      "order-out", text_option(into.order_out, "FILE"), "also write the order to this file");
  return group;
}

}  // namespace

bool parse_arguments(command const& wanted, int argc, char const* const* argv, arguments& into) {
  po::options_description shown;
  if (wanted.name != "generate") shown.add(reading_options(into));
  if (takes_output(wanted)) shown.add(writing_options(into));
  if (wanted.name == "permute") shown.add(permuting_options(into));
  po::options_description other{"Other"};
  if (wanted.name == "info") {
    other.add_options()("json", po::bool_switch(&into.json), "print one JSON object");
  }
  other.add_options()("help,h", "print this help, and exit");
  shown.add(other);
  po::options_description all;
  all.add(shown).add_options()("files", po::value(&into.files));
  po::positional_options_description positions;
  positions.add("files", -1);

  po::variables_map values;
  try {
    po::store(
        po::command_line_parser(argc, argv)
            .options(all)
            .positional(positions)
            .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
            .run(),
        values);
    if (values.count("help") > 0) {
      std::cout << wanted.what << "\n\nUsage: gridloom-matrix " << wanted.name << " "
                << wanted.files << " [options]\n"
                << shown;
      return false;
    }
    po::notify(values);
  } catch (po::error const& error) {
    throw usage_error(std::string{error.what()} + "; see gridloom-matrix " + wanted.name +
                      " --help");
  }
  for (char const* option : {"generate", "order", "order-out"}) {
    if (values.count(option) > 0 && !values[option].defaulted() &&
        values[option].as<std::string>().empty()) {
      throw usage_error(std::string{"--"} + option + ": expected a name, got an empty one");
    }
  }

  std::size_t expected = takes_output(wanted) ? 2 : 1;
  // With --generate there is no INPUT.
  if (!into.spec.empty()) --expected;
  if (into.files.size() != expected) {
    std::string const names = into.spec.empty() ? wanted.files
                              : expected == 0 ? "no file name, because --generate makes the matrix"
                                              : "OUTPUT only, because --generate makes the matrix";
    throw usage_error(wanted.name + ": expected " + names + ", got " +
                      std::to_string(into.files.size()) + " names");
  }
  return true;
}

}  // namespace gridloom::datasets
