// The frame of a program from inside: what it honours, what it refuses, what it says of a run.

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "gridloom/bench/harness.hpp"
#include "gridloom/bench/inputs.hpp"
#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(frame_test)

using namespace gridloom;
using namespace gridloom::test;

namespace {

struct row {
  int n = 1;
};
struct idle final : bench::work<row> {};

bool parse(bench::program& app, std::vector<std::string> const& words) {
  static std::vector<std::string> kept;
  kept = words;
  kept.insert(kept.begin(), "test");
  static std::vector<char const*> argv;
  argv.clear();
  for (std::string const& word : kept) argv.push_back(word.c_str());
  return app.parse(static_cast<int>(argv.size()), argv.data());
}

std::vector<bench::arm<row>> idle_arms() {
  return {{"idle", {}, [] { return std::make_unique<idle>(); }}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_program_has_no_use_for_is_refused_and_not_in_the_help) {
  bench::program app("test", "Tests.", {.workers = false});
  std::ostringstream help;
  app.line().print_help(help);
  scratch_folder const folder;
  for (std::string const option : {"trace", "threads", "workers"}) {
    BOOST_TEST(help.str().find("--" + option) == std::string::npos, option);
    bench::program one("test", "Tests.", {.workers = false});
    std::string const value = option == "trace" ? (folder / "t.h5").string() : "2";
    BOOST_TEST(message_of<usage_error>([&] {
                 (void)parse(one, {"--" + option, value});
               }) == "--" + option + ": expected none, test has no use for it");
  }
  bench::program other("test", "Tests.", {.trace = true, .threads = true});
  other.line().refuse("threads", "blocks have sizes of their own");
  BOOST_TEST(message_of<usage_error>([&] {
               (void)parse(other, {"--threads", "2"});
             }) == "--threads: expected none, blocks have sizes of their own");
}

BOOST_AUTO_TEST_CASE(results_say_inputs_and_floors) {
  scratch_folder const folder;
  write_text(folder / "in.h5", "abc");
  bench::program app("test", "Tests.");
  bench::graph_input graph;
  graph.add_to(app, "a graph");
  BOOST_TEST(parse(app, {"--backend", "host", "--quiet", "--repeat", "2", "--graph",
                         (folder / "in.h5").string(), "--output", (folder / "out.h5").string()}));
  graph.check(app);
  bench::harness<row> all(app, {{"n", "1", "", &row::n}});
  all.run(idle_arms());
  BOOST_TEST(app.finish(all, {all.runs()}) == exit_done);
  run_meta const meta = read_meta(folder / "out.h5");
  BOOST_TEST(meta.get("sha256_graph").value_or("") ==
             "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(meta.get("floor_read_gbs").has_value());
  BOOST_TEST(read_table(folder / "out.h5", "runs").rows() == 2U);
}

BOOST_AUTO_TEST_CASE(floors_can_be_left_out) {
  bench::program app("test", "Tests.");
  BOOST_TEST(parse(app, {"--backend", "host", "--no-floors"}));
  bench::harness<row> const all(app, {{"n", "1", "", &row::n}});
  BOOST_TEST(!app.meta().get("floor_read_gbs").has_value());
}

BOOST_AUTO_TEST_CASE(two_options_never_name_one_file) {
  scratch_folder const folder;
  std::string const file = (folder / "x.h5").string();
  write_text(file, "abc");
  bench::program app("test", "Tests.");
  bench::matrix_input matrix;
  matrix.add_to(app);
  BOOST_TEST(parse(app, {"--matrix", file, "--output", file}));
  BOOST_TEST(message_of<usage_error>([&] { matrix.check(app); }).find("--output") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_matrix_comes_from_one_place) {
  bench::program app("test", "Tests.");
  bench::matrix_input matrix;
  BOOST_TEST(message_of<usage_error>([&] { matrix.check(app); }) ==
             "--matrix, --generate: expected one of them");
  matrix.spec = "poisson2d:nx=3,ny=2";
  matrix.check(app);
  BOOST_TEST(matrix.name() == matrix.spec);
  BOOST_TEST(matrix.option() == "--generate");
}

BOOST_AUTO_TEST_SUITE_END()
