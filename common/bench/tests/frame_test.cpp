// Tests of the frame of a program: its options, its refusals, and the metadata of a run.

#include <boost/test/unit_test.hpp>
#include <sstream>
#include <tuple>

#include "gridloom/bench/harness.hpp"
#include "gridloom/bench/inputs.hpp"
#include "gridloom/bench/methods.hpp"
#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "read_results.hpp"
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

/// Records three tasks in a trace with memory for `room`. If `late`, the observed run times out. The
/// graph is known if all tasks fit.
class traced final : public bench::work<row> {
 public:
  traced(bench::program& app, std::uint32_t room, bool late)
      : app_(app), room_(room), late_(late) {}
  void check() override {
    if (late_ && observed_) throw timeout_error("stopped");
  }
  bool observe() override {
    observed_ = true;
    bench::traced_graph const graph{{{0, 1, 2, 2}, {1, 2}}, {"kind"}};
    trace_ref const trace = app_.arm_trace(1, room_, room_ < 3 ? bench::traced_graph{} : graph);
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

/// Measures idle arms, and arms with the given names, with --trace. Returns the exit code.
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

BOOST_AUTO_TEST_CASE(unused_options_are_refused_and_not_in_the_help) {
  bench::program app("test", "Tests.");
  std::ostringstream help;
  app.line().print_help(help);
  scratch_folder const folder;
  for (std::string const option : {"trace", "threads"}) {
    BOOST_TEST(!contains(help.str(), "--" + option), option);
    bench::program one("test", "Tests.");
    std::string const value = option == "trace" ? (folder / "t.h5").string() : "2";
    BOOST_TEST(message_of<usage_error>([&] {
                 (void)parse(one, {"--" + option, value});
               }) == "--" + option + ": leave this option out: test does not use it");
  }
  bench::program other("test", "Tests.", {.trace = true, .threads = true});
  other.line().refuse("threads", "blocks have sizes of their own");
  BOOST_TEST(message_of<usage_error>([&] {
               (void)parse(other, {"--threads", "2"});
             }) == "--threads: leave this option out: blocks have sizes of their own");
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
               "--threads: expected no value or 1 with --backend host, where a worker is one "
               "thread; got 2");
  }
}

BOOST_AUTO_TEST_CASE(a_trace_counts_the_tasks_that_did_not_fit) {
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

BOOST_AUTO_TEST_CASE(arms_on_one_graph_share_its_copy_in_the_trace) {
  scratch_folder const folder;
  bench::program app("test", "Tests.", {.trace = true});
  BOOST_TEST(exit_code_of(app, folder / "t.h5", {"wide", "narrow", "again"}) == exit_done);
  using integers = std::vector<std::int64_t>;
  BOOST_TEST(read_table(folder / "t.h5", "traced").integers("graph") == (integers{0, -1, 0}));
  auto const edges = read_table(folder / "t.h5", "dependences");
  BOOST_TEST(edges.integers("graph") == (integers{0, 0}));
  BOOST_TEST(edges.integers("from") == (integers{0, 1}));
  BOOST_TEST(edges.integers("to") == (integers{1, 2}));
  BOOST_TEST(read_table(folder / "t.h5", "task_types").texts("name") ==
             (std::vector<std::string>{"kind"}));
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
struct problem {
  int n;
};
struct settings {
  int tile = 1;
  std::string order{};
};
struct counters {
  int found = 0;
};
using method_row = bench::row_of<problem, settings, counters>;
struct counts final : bench::work<method_row> {
  counts(problem& of, method_row const& what) : sum(of.n + what.tile) {}
  void record(method_row& to) const override { to.found = sum; }
  int sum;
};
constexpr bench::method<method_row> entries[] = {
    {.name = "a", .what = "the first", .by = bench::origin::rival, .make = bench::makes<counts>},
    {.name = "b",
     .what = "the second",
     .takes = "tile order",
     .traced = true,
     .stops = false,
     .goes_with = "first",
     .make = bench::makes<counts>},
    {.name = "c",
     .what = "no host",
     .takes = "tile",
     .on_host = false,
     .make = bench::makes<counts>}};

/// A program with the methods above, after parsing its command line.
struct method_program {
  explicit method_program(std::vector<std::string> words) {
    app.options()("tile", int_list_option("tile", tiles, 1), "")(
        "order", choice_list_option("order", orders, {"up", "down"}), "");
    words.insert(words.begin(), {"--backend", "host", "--quiet", "--no-floors", "--repeat", "1"});
    BOOST_TEST(parse(app, words));
  }
  std::vector<bench::arm<method_row>> arms() {
    bench::sweep<settings> over;
    over.over("tile", tiles, &settings::tile, "t");
    over.over("order", orders, &settings::order,
              [](std::string const& name) { return " " + name; });
    return ways.arms(
        of, [](auto const&) { return settings{.tile = 9}; }, over);
  }
  problem of{7};
  std::vector<std::int64_t> tiles{2, 4};
  std::vector<std::string> orders{"up"};
  bench::program app{"test", "Tests.", {.trace = true}};
  bench::methods<method_row> ways{app, "way", "ways", entries};
};
}  // namespace

BOOST_AUTO_TEST_CASE(methods_make_an_option_a_list_and_arms) {
  for (auto const& [wanted, expected] :
       {std::pair<std::string, std::string>{"", "a,b t2 up,b t4 up"},
        {"b,a", "b t2 up,b t4 up,a"},
        {"a", "a"}}) {
    method_program of(wanted.empty() ? std::vector<std::string>{}
                                     : std::vector<std::string>{"--way", wanted});
    std::string names;
    for (auto const& one : of.arms()) {
      names += (names.empty() ? "" : ",") + one.name;
      BOOST_TEST(one.row.tile == (one.name.ends_with("t2 up") ? 2 : one.name == "a" ? 9 : 4));
      BOOST_TEST(one.row.method == one.name.substr(0, 1));
    }
    BOOST_TEST(names == expected);
  }
  BOOST_TEST(method_program({"--way", "c,a", "--skip-missing"}).arms().size() == 1U);
  BOOST_TEST(method_program({}).ways.list() ==
             "a: rival: the first\nb: the second\nc: no host (CUDA only)\n");
}

BOOST_AUTO_TEST_CASE(columns_come_from_the_problem_the_settings_and_the_counters) {
  method_program of({"--way", "b", "--tile", "3", "--label", "third"});
  bench::harness<method_row> all(of.app,
                                 {{"n", "1", "", &problem::n},
                                  {"tile", "1", "", &method_row::tile},
                                  {"method", "", "", &method_row::method},
                                  {"found", "1", "", &method_row::found},
                                  {"twice", "1", "", [](problem const& p) { return 2 * p.n; }}});
  all.run(of.arms());
  using integers = std::vector<std::int64_t>;
  for (auto const& [name, value] : {std::pair{"n", 7}, {"tile", 3}, {"found", 10}, {"twice", 14}})
    BOOST_TEST(all.runs().integers(name) == integers{value}, name);
  BOOST_TEST(all.runs().texts("method")[0] == "b");
  BOOST_TEST(all.runs().texts("experiment")[0] == "third");
}

BOOST_AUTO_TEST_CASE(an_option_goes_with_the_methods_that_take_it) {
  scratch_folder const folder;
  std::string const trace = (folder / "t.h5").string();
  std::vector<std::pair<std::vector<std::string>, std::string>> const refused{
      {{"--way", "a", "--order", "up"}, "--order: goes with --way b"},
      {{"--way", "a", "--tile", "2"}, "--tile: cannot go with --way a"},
      {{"--way", "c", "--skip-missing"}, "--way: the machine supports none of the chosen ones"},
      {{"--way", "c"}, "--way c: expected a CUDA device, got the host"},
      {{"--way", "a,b", "--timeout-s", "9"},
       "--timeout-s: nothing can stop b while it runs; run it without --timeout-s"},
      {{"--way", "a", "--trace", trace},
       "--trace: expected a method that records a trace, got none"}};
  for (auto const& [words, message] : refused) {
    method_program of(words);
    BOOST_TEST(message_of<usage_error>([&] { (void)of.arms(); }) == message);
  }
  BOOST_TEST(method_program({"--way", "a,b", "--order", "down", "--trace", trace}).arms().size() ==
             3U);
  // Without --way, the methods that the limit cannot end are left out.
  BOOST_TEST(method_program({"--timeout-s", "9"}).arms().size() == 1U);
  method_program of({"--way", "a,b"});
  of.ways.require_goes_with("app", {"second", "first"});
  BOOST_TEST(message_of<usage_error>([&] { of.ways.require_goes_with("app", {"second"}); }) ==
             "--way b: goes with --app first");
}

BOOST_AUTO_TEST_CASE(rules_say_which_options_go_together) {
  for (auto [words, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--mean", "1"}, "--mean: goes with --drawn or --seed"},
           {{"--mean", "1", "--drawn", "2", "--seed", "3"}, "--drawn: cannot go with --seed"},
           {{"--mean", "1", "--drawn", "2"}, ""},
           {{"--seed", "3", "--kind", "a,b"}, "--seed: goes with --kind c or --drawn 0 or --mean"},
           {{"--seed", "3", "--kind", "a,c"}, ""},
           {{"--kind", "b", "--warmup", "0"}, "--warmup: cannot go with --kind b"},
           {{"--repeat", "2"}, "--repeat: once"}}) {
    bench::program app("test", "Tests.");
    int mean = 0;
    int drawn = 4;
    std::vector<std::string> kinds{"a"};
    app.options()("mean", int_option("mean", mean, 0), "")("drawn", int_option("drawn", drawn, 0),
                                                           "")(
        "kind", choice_list_option("kind", kinds, {"a", "b", "c"}), "");
    app.line().add_rules({{.option = "mean", .needs = {"drawn", "seed"}},
                          {.option = "drawn", .excludes = {"seed"}},
                          {.option = "seed", .needs = {"kind c", "drawn 0", "mean"}},
                          {.option = "warmup", .excludes = {"kind b"}},
                          {.option = "repeat", .not_on_host = "once"}});
    words.insert(words.end(), {"--backend", "host"});
    auto const machine = [&] {
      BOOST_TEST(parse(app, words));
      (void)app.machine();
    };
    if (message.empty()) {
      machine();
    } else {
      BOOST_TEST(message_of<usage_error>(machine) == message);
    }
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
  BOOST_TEST(contains(message_of<usage_error>([&] { matrix.check(app); }), "--output"));
}

BOOST_AUTO_TEST_CASE(a_matrix_comes_from_one_place) {
  bench::program app("test", "Tests.");
  bench::matrix_input matrix;
  BOOST_TEST(message_of<usage_error>([&] { matrix.check(app); }) ==
             "--matrix, --generate: expected exactly one of these options");
  matrix.spec = "poisson2d:nx=3,ny=2";
  matrix.check(app);
  BOOST_TEST(matrix.name() == matrix.spec);
  BOOST_TEST(matrix.option() == "--generate");
}

BOOST_AUTO_TEST_SUITE_END()
