// The frame of a program from inside: what it honours, what it refuses, what it says of a run.

#include <boost/test/unit_test.hpp>
#include <sstream>
#include <tuple>

#include "gridloom/bench/harness.hpp"
#include "gridloom/bench/inputs.hpp"
#include "gridloom/bench/methods.hpp"
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

/// Three tasks where there is room for `room`; who is `late` is stopped while it is traced.
class traced final : public bench::work<row> {
 public:
  traced(bench::program& app, std::uint32_t room, bool late)
      : app_(app), room_(room), late_(late) {}
  void check() override {
    if (late_ && observed_) throw timeout_error("stopped");
  }
  bool observe() override {
    observed_ = true;
    trace_ref const trace = app_.arm_trace(1, room_);
    for (std::uint32_t task = 0; task < 3; ++task) {
      trace.record(0, {task, 0, 1000U + task, 1010U + task});
    }
    return true;
  }

 private:
  bench::program& app_;
  std::uint32_t room_;
  bool late_;
  bool observed_ = false;
};

/// A program that was asked for a trace measures idle arms and those of the given names.
int exit_code_of(bench::program& app, std::filesystem::path const& trace,
                 std::vector<std::string> const& names) {
  BOOST_TEST_REQUIRE(parse(
      app, {"--backend", "host", "--quiet", "--no-floors", "--repeat", "2", "--trace", trace}));
  bench::harness<row> all(app, {{"n", "1", "", &row::n}});
  auto arms = idle_arms();
  for (std::string const& name : names) {
    arms.push_back({name, {}, [&app, name] {
                      return std::make_unique<traced>(app, name == "narrow" ? 2 : 3,
                                                      name == "late");
                    }});
  }
  all.run(arms);
  return app.finish(all, {all.runs()});
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

BOOST_AUTO_TEST_CASE(more_threads_than_one_are_refused_where_the_host_was_asked_for) {
  for (auto const& [backend, threads, refused] :
       {std::tuple{"host", "2", true}, {"host", "1", false}, {"host", "0", false}}) {
    bench::program app("test", "Tests.", {.threads = true});
    BOOST_TEST(parse(app, {"--backend", backend, "--threads", threads}));
    if (!refused) {
      BOOST_TEST(app.shape(32).threads == 1);
      continue;
    }
    BOOST_TEST(message_of<usage_error>([&] { (void)app.machine(); }) ==
               "--threads: expected none or 1 with --backend host, got 2");
  }
}

BOOST_AUTO_TEST_CASE(a_trace_says_what_found_no_room_in_it) {
  scratch_folder const folder;
  bench::program app("test", "Tests.", {.trace = true});
  BOOST_TEST(exit_code_of(app, folder / "t.h5", {"wide", "narrow"}) == exit_done);
  using integers = std::vector<std::int64_t>;
  auto const arms = read_table(folder / "t.h5", "traced");
  BOOST_TEST(arms.texts("arm") == (std::vector<std::string>{"wide", "narrow"}));
  BOOST_TEST(arms.integers("events") == (integers{3, 2}));
  BOOST_TEST(arms.integers("dropped") == (integers{0, 1}));
  auto const tasks = read_table(folder / "t.h5", "trace");
  BOOST_TEST(tasks.integers("task") == (integers{0, 1, 2, 0, 1}));
  BOOST_TEST(tasks.integers("begin_ns") == (integers{0, 1, 2, 0, 1}));
  BOOST_TEST(tasks.integers("end_ns") == (integers{10, 11, 12, 10, 11}));
}

BOOST_AUTO_TEST_CASE(a_run_that_is_stopped_while_it_is_traced_fails_and_leaves_no_trace) {
  scratch_folder const folder;
  bench::program app("test", "Tests.", {.trace = true});
  BOOST_TEST(exit_code_of(app, folder / "t.h5", {"late", "wide"}) == exit_failed);
  BOOST_TEST(read_table(folder / "t.h5", "traced").texts("arm") ==
             (std::vector<std::string>{"wide"}));
  BOOST_TEST(read_table(folder / "t.h5", "trace").rows() == 3U);
}

BOOST_AUTO_TEST_CASE(without_a_trace_of_any_arm_no_file_is_written) {
  scratch_folder const folder;
  bench::program app("test", "Tests.", {.trace = true});
  BOOST_TEST(exit_code_of(app, folder / "t.h5", {}) == exit_done);
  BOOST_TEST(folder.names().empty());
}

namespace {
struct entry {
  std::string_view name, what;
  bool traced;
};
constexpr entry entries[] = {{"a", "the first", false}, {"b", "the second", true}};
using one_of_them = bench::method_work<entry, row>;
}  // namespace

BOOST_AUTO_TEST_CASE(methods_are_an_option_a_list_and_arms) {
  for (std::string const wanted : {"", "a,b", "b,a", "b"}) {
    bench::program app("test", "Tests.");
    bench::methods<entry> const ways(app, "way", "ways", entries);
    std::vector<std::string> words;
    if (!wanted.empty()) words = {"--way", wanted};
    BOOST_TEST(parse(app, words));
    std::string names;
    for (auto const& one : ways.arms<one_of_them>(row{7})) {
      names += (names.empty() ? "" : ",") + one.name;
      BOOST_TEST(one.row.n == 7);
      BOOST_TEST(one.make() != nullptr);
    }
    BOOST_TEST(names == (wanted.empty() ? "a,b" : wanted));
  }
}

BOOST_AUTO_TEST_CASE(a_trace_is_refused_where_no_method_has_one) {
  scratch_folder const folder;
  for (std::string const name : {"a", "b", "a,b"}) {
    bench::program app("test", "Tests.", {.trace = true});
    bench::methods<entry> const ways(app, "way", "ways", entries);
    BOOST_TEST(parse(app, {"--way", name, "--trace", (folder / "t.h5").string()}));
    if (name != "a") {
      BOOST_TEST(!ways.arms<one_of_them>(row{}).empty());
      continue;
    }
    BOOST_TEST(message_of<usage_error>([&] { (void)ways.arms<one_of_them>(row{}); }) ==
               "--trace: expected an arm that has a trace, got none");
  }
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
