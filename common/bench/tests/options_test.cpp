#include "gridloom/bench/options.hpp"

#include <boost/test/unit_test.hpp>
#include <iterator>
#include <sstream>

#include "gridloom/bench/program.hpp"
#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(options_test)

using namespace gridloom;
using namespace gridloom::test;
namespace po = boost::program_options;

namespace {

struct parsed {
  common_options common;
  std::int64_t size = 64;
  std::vector<std::int64_t> sizes{1, 2};
  std::vector<std::string> methods{"scan"};
  double tolerance = 1e-8;
  bool run = false;
  std::string printed;
};

parsed parse_words(std::vector<char const*> words) {
  parsed result;
  command_line line{"wavefront", "Compares queues."};
  po::options_description group{"Wavefront"};
  auto add = group.add_options();
  add("size", int_option("size", result.size, 1, 4096), "edge of the grid");
  add("sizes", int_list_option("sizes", result.sizes, 1), "edges of the grids");
  add("methods", choice_list_option("methods", result.methods, {"scan", "single", "multi"}), "");
  add("tolerance", real_option("tolerance", result.tolerance, 0), "");
  line.add_group(group);
  line.add_example("--size 32 --repeat 3", "A quick look.");
  line.set_list("scan\nsingle");
  words.insert(words.begin(), "wavefront");
  std::ostringstream out;
  result.run = line.parse(static_cast<int>(words.size()), words.data(), out);
  result.common = line.common();
  result.printed = out.str();
  return result;
}

std::string refusal(std::vector<char const*> const& words) {
  return message_of<usage_error>([&] { (void)parse_words(words); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_arguments_give_the_documented_defaults) {
  parsed const result = parse_words({});
  BOOST_TEST(result.run);
  BOOST_TEST(result.common.backend == "auto");
  BOOST_TEST(result.common.repeat == 20);
  BOOST_TEST(result.common.warmup == 1);
  BOOST_TEST(result.common.seed == 1U);
  BOOST_TEST(result.common.verify);
  BOOST_TEST(!result.common.append);
  BOOST_TEST(!result.common.quiet);
  BOOST_TEST(result.common.timeout_s == 60.0);
  BOOST_TEST(result.size == 64);
  BOOST_TEST(result.methods.size() == 1U);
  BOOST_TEST(result.tolerance == 1e-8);
}

BOOST_AUTO_TEST_CASE(values_arrive) {
  std::istringstream line(
      "--backend host --device=1 --workers 8 --threads 128 --repeat 3 --warmup 0 "
      "--seed 18446744073709551615 --timeout-s 0.5 --size 7 --sizes 8,16 --methods multi,scan");
  std::vector<std::string> const words{std::istream_iterator<std::string>(line), {}};
  std::vector<char const*> pointers;
  for (std::string const& word : words) pointers.push_back(word.c_str());
  parsed const result = parse_words(pointers);
  BOOST_TEST(result.common.backend == "host");
  BOOST_TEST(result.common.device == 1);
  BOOST_TEST(result.common.workers == 8);
  BOOST_TEST(result.common.threads == 128);
  BOOST_TEST(result.common.repeat == 3);
  BOOST_TEST(result.common.warmup == 0);
  BOOST_TEST(result.common.seed == 18446744073709551615U);
  BOOST_TEST(result.common.timeout_s == 0.5);
  BOOST_TEST(result.size == 7);
  BOOST_TEST((result.sizes == std::vector<std::int64_t>{8, 16}));
  BOOST_TEST((result.methods == std::vector<std::string>{"multi", "scan"}));
}

BOOST_AUTO_TEST_CASE(flags_arrive) {
  BOOST_TEST(!parse_words({"--no-verify"}).common.verify);
  BOOST_TEST(parse_words({"--quiet"}).common.quiet);
}

BOOST_AUTO_TEST_CASE(bad_arguments_are_refused_by_option) {
  std::vector<std::pair<std::vector<char const*>, std::string>> const cases{
      {{"--repeat", "x"}, "--repeat: expected a whole number from 1 to 1000000, got \"x\""},
      {{"--repeat", "0"}, "--repeat: expected a whole number"},
      {{"--repeat", "3.5"}, "--repeat: expected a whole number"},
      {{"--size", "5000"}, "--size: expected a whole number from 1 to 4096, got \"5000\""},
      {{"--backend", "gpu"}, "--backend: expected one of auto, host, cuda, got \"gpu\""},
      {{"--timeout-s", "nan"}, "--timeout-s: expected a number"},
      {{"--timeout-s", "0"}, "--timeout-s: expected a number"},
      {{"--sizes", "1,,2"}, "--sizes: expected whole numbers >= 1 separated by commas"},
      {{"--methods", "scan,fast"}, "--methods: expected some of scan, single, multi separated by"},
      // Negative numbers are not wrapped.
      {{"--workers", "-1"}, "--workers: expected a whole number from 0 to 1048576, got \"-1\""},
      {{"--workers=-1"}, "--workers: expected"},
      {{"--seed", "-1"}, "--seed: expected a whole number from 0 to 2^64 - 1, got \"-1\""},
      {{"--seed", "18446744073709551616"}, "--seed: expected"},
      // Unknown, abbreviated, repeated and incomplete options, and a leftover argument.
      {{"--bogus", "3"}, "--bogus: unknown option, see --help"},
      {{"--rep", "3"}, "--rep: unknown option"},
      {{"-x"}, "-x: unknown option"},
      {{"--repeat", "3", "--repeat", "4"}, "--repeat: given more than once, expected once"},
      {{"--repeat"}, "--repeat: expected a value"},
      {{"--repeat="}, "--repeat: expected a value"},
      {{"--output", "--quiet"}, "--output: expected a value, got the option --quiet"},
      {{"--size", "--"}, "--size: expected a value, got --"},
      {{"--sizes", "--"}, "--sizes: expected a value, got --"},
      {{"--output", "--"}, "--output: expected a value, got --"},
      {{"--size", "--=1"}, "--size: expected a whole number from 1 to 4096, got \"--=1\""},
      {{"--quiet=1"}, "--quiet: expected no value"},
      {{"--repeat", "3", "extra"}, "unexpected argument \"extra\""}};
  for (auto const& [words, message] : cases) {
    BOOST_TEST(refusal(words).starts_with(message), message);
  }
}

BOOST_AUTO_TEST_CASE(files_are_checked_before_the_run) {
  scratch_folder const folder;
  std::string const file = (folder / "out.h5").string();
  BOOST_TEST(refusal({"--append"}).find("--append: expected --output") == 0U);
  BOOST_TEST(refusal({"--output", "/nonexistent/x.h5"}).find("--output: ") == 0U);
  BOOST_TEST(refusal({"--trace", "/nonexistent/x.h5"}).find("--trace: ") == 0U);
  BOOST_TEST(refusal({"--output", file.c_str(), "--trace", file.c_str()}).find("--trace: ") == 0U);
  parsed const result = parse_words({"--output", file.c_str(), "--append"});
  BOOST_TEST(result.common.output == file);
  BOOST_TEST(result.common.append);
  BOOST_TEST(folder.names().empty());
}

BOOST_AUTO_TEST_CASE(help_keeps_to_80_columns_and_lists_choices_and_defaults) {
  std::istringstream lines(parse_words({"--help"}).printed);
  // The help text without its line breaks.
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    BOOST_TEST(line.size() <= 80U, line);
    std::size_t const first = line.find_first_not_of(' ');
    if (first != std::string::npos) text += line.substr(first) + ' ';
  }
  BOOST_TEST(contains(text, "one of scan, single, multi (default scan)"));
  BOOST_TEST(contains(text, "one of auto, host, cuda"));
  BOOST_TEST(contains(text, "edges of the grids (default 1, 2)"));
}

BOOST_AUTO_TEST_CASE(help_version_and_list_print_and_end_despite_bad_values) {
  parsed const help = parse_words({"--help", "--repeat", "x"});
  BOOST_TEST(!help.run);
  for (char const* part : {"Compares queues.", "Usage: wavefront", "Wavefront:", "--size N",
                           "edge of the grid (default 64)", "--repeat N", "Common options:",
                           "--no-verify", "wavefront --size 32 --repeat 3", "Exit codes: 0 done"}) {
    BOOST_TEST(contains(help.printed, part), part);
  }
  BOOST_TEST(parse_words({"-h"}).printed == help.printed);
  BOOST_TEST(parse_words({"--version"}).printed.find("wavefront ") == 0U);
  BOOST_TEST(parse_words({"--list"}).printed == "scan\nsingle\n");
}

BOOST_AUTO_TEST_CASE(lists_keep_their_order_and_choices_come_once) {
  std::vector<std::string> const choices{"a", "b"};
  BOOST_TEST((parse_int_list("--x", "3,-1,3", -5, 5) == std::vector<std::int64_t>{3, -1, 3}));
  BOOST_TEST((parse_choice_list("--x", "b,a", choices) == std::vector<std::string>{"b", "a"}));
  BOOST_TEST(message_of<usage_error>([&] { (void)parse_choice_list("--x", "a,a", choices); }) ==
             "--x: expected each choice once, got \"a,a\"");
  BOOST_TEST(message_of<usage_error>([&] { (void)parse_choice_list("--x", "", choices); }) ==
             "--x: expected some of a, b separated by commas, got \"\"");
  BOOST_TEST(message_of<usage_error>([] { (void)parse_int("--x", " 3", 0); }) ==
             "--x: expected a whole number >= 0, got \" 3\"");
}

BOOST_AUTO_TEST_CASE(exceptions_become_exit_codes) {
  char name[] = "program";
  char* argv[] = {name, nullptr};
  auto const code = [&](int (*body)(int, char**)) { return run_program(1, argv, body); };
  BOOST_TEST(code([](int, char**) { return 0; }) == 0);
  BOOST_TEST(code([](int, char**) { return 1; }) == 1);
  BOOST_TEST(code([](int, char**) -> int { throw usage_error("usage"); }) == 2);
  BOOST_TEST(code([](int, char**) -> int { throw run_error("run"); }) == 1);
  BOOST_TEST(code([](int, char**) -> int { throw std::logic_error("two\nlines"); }) == 1);
  BOOST_TEST(code([](int, char**) -> int { throw 7; }) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
