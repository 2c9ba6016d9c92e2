#include "gridloom/bench/harness.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <set>

#include "gridloom/error.hpp"
#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(harness_test)

using namespace gridloom;
using gridloom::test::per_element;

namespace {

struct row {
  int given = 0;
  int calls = 0;
};

// The calls that one arm gets, in order.
struct diary {
  int made = 0;
  int runs = 0;
  int verified = 0;
  double shared_setup_ms = 0;
  std::string steps;
};

using fault = std::function<void(diary const&)>;

class plain_work : public bench::work<row> {
 public:
  plain_work(diary& book, fault in_run, fault in_verify)
      : book_(book), in_run_(std::move(in_run)), in_verify_(std::move(in_verify)) {
    ++book_.made;
  }
  double shared_setup_ms() const override { return book_.shared_setup_ms; }
  void prepare() override { book_.steps += 'p'; }
  void copy_in() override { book_.steps += 'i'; }
  void run() override {
    ++book_.runs;
    book_.steps += 'r';
    if (in_run_) in_run_(book_);
  }
  void copy_out() override { book_.steps += 'o'; }
  void check() override { book_.steps += 'c'; }
  void verify() override {
    ++book_.verified;
    book_.steps += 'v';
    if (in_verify_) in_verify_(book_);
  }
  void record(row& to) const override { to.calls = book_.runs; }

 private:
  diary& book_;
  fault in_run_;
  fault in_verify_;
};

// Makes its inputs on the machine and leaves its results there.
class resident_work : public plain_work {
 public:
  explicit resident_work(diary& book) : plain_work(book, {}, {}) {}
  bool has_copies() const override { return false; }
};

// Measures its own time.
class timed_work : public plain_work {
 public:
  timed_work(diary& book, double ms) : plain_work(book, {}, {}), ms_(ms) {}
  double timed_run(device& /*machine*/) override {
    run();
    return ms_;
  }

 private:
  double ms_;
};

struct scene {
  device machine{"host", 0};
  common_options common;
  std::map<std::string, diary> books;
  std::vector<bench::arm<row>> arms;

  scene() {
    common.repeat = 4;
    common.quiet = true;
  }
  bench::arm<row>& add(std::string const& name, fault in_run = {}, fault in_verify = {}) {
    diary& book = books[name];
    arms.push_back({name, {7, 0}, [&book, in_run, in_verify] {
                      return std::make_unique<plain_work>(book, in_run, in_verify);
                    }});
    return arms.back();
  }
  bench::harness<row> made() {
    return {"test",
            machine,
            common,
            {{"given", "1", "", &row::given}, {"calls", "1", "", &row::calls}}};
  }
  bench::harness<row> run() {
    auto all = made();
    all.run(arms);
    return all;
  }
};

void require_statuses(result_table const& runs, std::string const& arm,
                      std::vector<std::string> const& expected) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < runs.rows(); ++i) {
    if (runs.texts("arm")[i] == arm) found.push_back(runs.texts("status")[i]);
  }
  BOOST_TEST(found == expected, per_element());
}

std::vector<std::string> const four_good(4, "ok");

template <class Error>
fault throws(std::string const& message) {
  return [message](diary const&) { throw Error(message); };
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_arm_takes_every_place_equally_often) {
  scene of;
  for (char const* name : {"a", "b", "c", "d"}) of.add(name);
  of.common.repeat = 8;
  auto const all = of.run();
  auto const& runs = all.runs();
  BOOST_TEST(runs.rows() == 32U);
  std::map<std::pair<std::string, std::int64_t>, int> places;
  for (std::size_t i = 0; i < runs.rows(); ++i) {
    ++places[{runs.texts("arm")[i], runs.integers("order")[i]}];
  }
  BOOST_TEST(places.size() == 16U);
  for (auto const& [place, times] : places) BOOST_TEST(times == 2);
  BOOST_TEST(all.exit_code() == exit_done);
}

BOOST_AUTO_TEST_CASE(a_repetition_calls_the_steps_in_order_and_records_them) {
  scene of;
  of.common.repeat = 2;
  of.add("a");
  auto const all = of.run();
  // The four lines are the verified run, a warm-up run and two repetitions.
  BOOST_TEST(of.books["a"].steps ==
             "pirocv"
             "piroc"
             "piroc"
             "piroc");
  auto const& runs = all.runs();
  BOOST_TEST(runs.integers("given") == (std::vector<std::int64_t>{7, 7}), per_element());
  BOOST_TEST(runs.integers("calls") == (std::vector<std::int64_t>{3, 4}), per_element());
  BOOST_TEST(runs.texts("verified")[0] == "yes");
  BOOST_TEST(runs.texts("backend")[0] == "host");
  double const parts = runs.reals("copy_in_ms")[0] + runs.reals("copy_out_ms")[0];
  BOOST_TEST(runs.reals("end_to_end_ms")[0] >= parts);
}

BOOST_AUTO_TEST_CASE(work_without_copies_has_no_times_with_them) {
  scene of;
  of.add("a").make = [&of] { return std::make_unique<resident_work>(of.books["a"]); };
  auto const all = of.run();
  for (char const* const name : {"copy_in_ms", "copy_out_ms", "end_to_end_ms"})
    BOOST_TEST(std::isnan(all.runs().reals(name)[0]), name);
  BOOST_TEST(all.runs().reals("elapsed_ms")[0] >= 0);
}

BOOST_AUTO_TEST_CASE(
    runs_above_a_second_are_repeated_three_times_and_above_half_a_minute_not_at_all) {
  for (bool const verify : {true, false}) {
    scene of;
    of.common.verify = verify;
    of.add("a").make = [&of] { return std::make_unique<timed_work>(of.books["a"], 1500); };
    of.add("b").make = [&of] { return std::make_unique<timed_work>(of.books["b"], 40000); };
    auto const all = of.run();
    require_statuses(all.runs(), "a", {"ok", "ok", "ok"});
    require_statuses(all.runs(), "b", {"ok"});
    BOOST_TEST(of.books["a"].runs == 4);
    BOOST_TEST(of.books["b"].runs == 1);
    for (std::size_t i = 0; i < all.runs().rows(); ++i) {
      if (all.runs().texts("arm")[i] != "b") continue;
      BOOST_TEST(all.runs().reals("elapsed_ms")[i] == 40000.0);
      BOOST_TEST(all.runs().integers("repetition")[i] == 0);
      BOOST_TEST(all.runs().texts("verified")[i] == (verify ? "yes" : "off"));
    }
  }
}

BOOST_AUTO_TEST_CASE(set_up_has_one_sample_per_repetition_after_a_warm_up) {
  scene of;
  of.add("a");
  auto const all = of.run();
  int const made = of.books["a"].made;
  BOOST_TEST(made >= 2);
  BOOST_TEST(made <= 5);
  for (std::size_t i = 0; i < 4; ++i) {
    BOOST_TEST(std::isnan(all.runs().reals("setup_ms")[i]) == (static_cast<int>(i) >= made - 1));
  }
}

BOOST_AUTO_TEST_CASE(without_verification_nothing_is_verified) {
  scene of;
  of.common.verify = false;
  of.add("a");
  auto const all = of.run();
  BOOST_TEST(of.books["a"].verified == 0);
  BOOST_TEST(all.runs().texts("verified")[0] == "off");
}

BOOST_AUTO_TEST_CASE(an_arm_may_verify_each_repetition) {
  scene of;
  of.add("a", {}, [](diary const& book) {
      if (book.runs == 4) throw wrong_result("another result");
    }).verify_each = true;
  auto const all = of.run();
  require_statuses(all.runs(), "a", {"ok", "wrong"});
  BOOST_TEST(all.runs().texts("verified")[1] == "no");
}

BOOST_AUTO_TEST_CASE(each_error_becomes_a_status_and_other_arms_continue) {
  scene of;
  of.add("none").make = []() -> std::unique_ptr<bench::work<row>> { throw run_error("no memory"); };
  of.add("timeout", throws<timeout_error>("late"));
  of.add("wrong", {}, throws<wrong_result>("expected 2"));
  of.add("failed", throws<run_error>("device lost"));
  of.add("memory", [](diary const&) { throw std::bad_alloc(); });
  of.add("fine");
  auto const all = of.run();
  auto const& runs = all.runs();
  require_statuses(runs, "none", {"failed"});
  require_statuses(runs, "timeout", {"timeout"});
  require_statuses(runs, "wrong", {"wrong"});
  require_statuses(runs, "failed", {"failed"});
  require_statuses(runs, "memory", {"failed"});
  require_statuses(runs, "fine", four_good);
  BOOST_TEST(runs.integers("given")[0] == 7);
  BOOST_TEST(std::isnan(runs.reals("elapsed_ms")[1]));
  BOOST_TEST(runs.texts("verified")[1] == "no");
  BOOST_TEST(all.exit_code() == exit_failed);
}

BOOST_AUTO_TEST_CASE(methods_that_cannot_run_here_are_bad_usage) {
  scene of;
  of.add("grid", throws<grid_error>("grid of 9 blocks"));
  of.add("unsupported", throws<unsupported>("needs a lattice"));
  of.add("fine");
  auto const all = of.run();
  require_statuses(all.runs(), "grid", {"grid"});
  require_statuses(all.runs(), "unsupported", {"unsupported"});
  BOOST_TEST(all.exit_code() == exit_usage);
}

BOOST_AUTO_TEST_CASE(bad_usage_and_arms_of_which_none_can_run_end_the_program) {
  scene of;
  of.add("grid", throws<grid_error>("grid of 9 blocks"));
  of.add("unsupported", throws<unsupported>("needs a lattice"));
  auto all = of.made();
  BOOST_TEST(test::message_of<grid_error>([&] { all.run(of.arms); }) ==
             "--workers: grid of 9 blocks");
  scene other;
  other.add("a", throws<usage_error>("--n: too many"));
  other.add("fine");
  auto more = other.made();
  BOOST_TEST(test::message_of<usage_error>([&] { more.run(other.arms); }) == "--n: too many");
}

BOOST_AUTO_TEST_CASE(an_untimed_arm_has_one_row_without_times_and_no_place) {
  scene of;
  of.add("counts").untimed = true;
  of.add("a");
  of.add("b");
  auto const all = of.run();
  auto const& runs = all.runs();
  require_statuses(runs, "counts", {"ok"});
  BOOST_TEST(std::isnan(runs.reals("elapsed_ms")[0]));
  std::set<std::int64_t> const places(runs.integers("order").begin(), runs.integers("order").end());
  BOOST_TEST(places == (std::set<std::int64_t>{0, 1}), per_element());
}

BOOST_AUTO_TEST_CASE(set_up_includes_the_time_of_what_arms_share) {
  scene of;
  of.add("a");
  of.books["a"].shared_setup_ms = 100;
  BOOST_TEST(of.run().runs().reals("setup_ms")[0] >= 100);
}

BOOST_AUTO_TEST_CASE(set_up_is_sampled_as_often_as_wanted) {
  scene of;
  of.common.setup_samples = 2;
  of.add("a");
  auto const all = of.run();
  BOOST_TEST(of.books["a"].made == 3);
  for (std::size_t i = 0; i < 4; ++i)
    BOOST_TEST(std::isnan(all.runs().reals("setup_ms")[i]) == (i >= 2));
}

BOOST_AUTO_TEST_CASE(a_step_of_a_search_is_set_up_once_and_ends_when_it_is_decided) {
  scene of;
  auto all = of.made();
  of.add("a").is_decided = [&] { return all.runs().rows() == 3; };
  all.run(of.arms);
  BOOST_TEST(of.books["a"].made == 1);
  require_statuses(all.runs(), "a", {"ok", "ok", "ok"});
  BOOST_TEST(std::isnan(all.runs().reals("setup_ms")[0]));
}

BOOST_AUTO_TEST_CASE(a_rival_that_is_wrong_is_measured_as_it_is) {
  scene of;
  of.add("rival", {}, throws<wrong_result>("another order")).as_it_is = true;
  auto const all = of.run();
  require_statuses(all.runs(), "rival", four_good);
  BOOST_TEST(all.runs().texts("verified")[3] == "no");
  BOOST_TEST(all.exit_code() == exit_done);
}

BOOST_AUTO_TEST_SUITE_END()
