// Tests searches whose nodes are found during the search: the published sizes of trees, and that
// all methods find what the serial search finds.

#include <boost/test/unit_test.hpp>
#include <string_view>

#include "arms.hpp"
#include "gridloom/error.hpp"
#include "test_machines.hpp"
#include "test_support.hpp"

namespace gridloom::mhive::dynamic {

std::ostream& operator<<(std::ostream& to, totals const& found) {
  return to << found.nodes << " nodes, sum " << found.sum << ", depth " << found.deepest;
}

namespace test {
namespace {

using namespace gridloom::test;

// Two runs, because each run starts with the memory that the previous one left.
void check(problem& of, bench::method<row> const& method, std::int64_t batch, int runs = 2) {
  BOOST_TEST_CONTEXT(of.named.name << ", " << method.name << ", batch " << batch) {
    row result{{batch}, {}, method.name, &of};
    auto const work = method.make(of, result);
    for (int repetition = 0; repetition < runs; ++repetition) {
      work->prepare();
      if (method.host_code) {
        work->run();
      } else {
        (void)work->timed_run(of.machine);
      }
      BOOST_CHECK_NO_THROW(work->verify());
      work->record(result);
      BOOST_TEST(result.found == *of.expected);
      BOOST_TEST((result.tasks > 0) == method.takes_option("batch"));
    }
  }
}
bool runs_on(bench::method<row> const& method, device const& machine) {
  return machine.is_host() ? method.on_host : method.on_cuda;
}
totals found_serially(named_search const& of) {
  return std::visit([](auto const& search) { return search_serially(search); }, of.search);
}
named_search const& search_of(std::string_view name) {
  return bench::named(all_searches(), name, "");
}

BOOST_AUTO_TEST_SUITE(dynamic)

BOOST_AUTO_TEST_CASE(hashes_are_those_of_the_standard) {
  // "abcd", and 20 zero bytes.
  std::uint32_t const abcd[] = {0x81fe8bfeU, 0x87576c3eU, 0xcb22426fU, 0x8e578473U, 0x82917acfU};
  std::uint32_t const zeros[] = {0x6768033eU, 0x21646824U, 0x7bd031a0U, 0xa2d9876dU, 0x79818f8fU};
  digest const hashes[] = {sha1({0x61626364U}), sha1({0, 0, 0, 0, 0})};
  BOOST_TEST(hashes[0].words == abcd, per_element());
  BOOST_TEST(hashes[1].words == zeros, per_element());
}

BOOST_AUTO_TEST_CASE(trees_have_their_published_sizes) {
  if (under_thread_sanitizer) return;
  for (named_search const& tree : all_searches()) {
    if (!tree.published || (tree.name == "T1L" && !full_stress())) continue;
    BOOST_TEST(found_serially(tree) == *tree.published);
  }
}

BOOST_AUTO_TEST_CASE(a_serial_search_counts_a_tree_that_is_known) {
  // A root alone, twice, and a root with 5 leaves.
  BOOST_TEST(search_serially(uts_tree::geometric(4, 0, 1)) == (totals{1, 1, 0}));
  BOOST_TEST(search_serially(uts_tree::binomial_of(0, 0.1, 8, 1)) == (totals{1, 1, 0}));
  BOOST_TEST(search_serially(uts_tree::binomial_of(5, 0, 8, 1)) == (totals{6, 5, 1}));
}

BOOST_AUTO_TEST_CASE(all_methods_find_what_the_serial_search_finds) {
  on_each_machine([](test_machine const& on, device& machine) {
    named_search const searches[] = {{"root", "", uts_tree::geometric(4, 0, 19)},
                                     {"geometric", "", uts_tree::geometric(4, 5, 3)},
                                     {"binomial", "", uts_tree::binomial_of(300, 0.12, 8, 5)},
                                     {"square root", "", quadrature{0, 1e-9}},
                                     {"peaks", "", quadrature{3, 1e-7}}};
    for (named_search const& search : searches) {
      problem of{machine, search, on.shape.blocks, 60, 1U << 12U};
      for (auto const& method : all_methods()) {
        if (!runs_on(method, machine)) continue;
        for (std::int64_t const batch : {1, 5, 1000}) {
          check(of, method, batch);
          if (!method.takes_option("batch")) break;
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(whole_trees_are_searched_by_schedulers) {
  if (under_thread_sanitizer) return;
  test_machine const& on = test_machines().back();
  for (char const* const name : {"T1", "T3"}) {
    problem of{*on.machine, search_of(name), 2, 60};
    for (auto const& method : all_methods()) {
      if (method.name == "megakernel") check(of, method, 64, 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(few_tasks_wait_although_levels_are_large) {
  on_each_machine([](test_machine const& on, device& machine) {
    problem of{machine, search_of("small"), on.shape.blocks, 60, 256};
    for (auto const& method : all_methods()) {
      if (!runs_on(method, machine)) continue;
      if (method.takes_option("batch")) {
        check(of, method, 1);
      } else if (method.takes_option("capacity")) {
        row const what{{}, {}, method.name, &of};
        auto const work = method.make(of, what);
        work->prepare();
        std::string const text = error_text<usage_error>([&] { (void)work->timed_run(machine); });
        BOOST_TEST(text.find("--capacity: level 4 has no room for") == 0U, text);
      }
    }
  });
}

// With more workers the others make room.
BOOST_AUTO_TEST_CASE(a_queue_that_stays_full_is_refused) {
  on_each_machine([](test_machine const& on, device& machine) {
    if (!machine.is_host() || on.shape.blocks > 1) return;
    // The root has more children with children than a task has room for.
    named_search const wide{"wide", "", uts_tree::binomial_of(20000, 0.1, 8, 42)};
    problem of{machine, wide, 1, 60, 16};
    for (auto const& method : all_methods()) {
      if (!method.takes_option("batch")) continue;
      row const what{{64}, {}, method.name, &of};
      auto const work = method.make(of, what);
      work->prepare();
      std::string const text = error_text<usage_error>([&] { (void)work->timed_run(machine); });
      BOOST_TEST(text.find("--capacity: queue of explore: full") == 0U,
                 method.name << ": " << text);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace test
}  // namespace gridloom::mhive::dynamic
