// A device's results for many graphs at once equal the host's results for each graph, at all sizes.

#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>

#include "batch_graphs.hpp"
#include "gridloom/error.hpp"
#include "pets/ours/device_batch.hpp"
#include "pets/support/generate.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::pets;
using namespace gridloom::pets::test;
using namespace gridloom::test;

namespace {

void check(graphs const& of, std::string const& name, bool wide = false) {
  batch_results const right = by_reference(of);
  graph_batch const batch = joined(of);
  on_each_machine([&](test_machine const& on, device& machine) {
    // 0 means the best number of workers.
    for (int const workers : {1, 3, 0}) {
      BOOST_TEST_CONTEXT(name << ", " << batch.all.num_processors << " processors, " << workers
                              << " workers of " << on.shape.threads) {
        for (batch_output const output :
             {batch_output::order, batch_output::makespans, batch_output::schedules}) {
          device_batch found(machine, batch, output, workers, on.shape.threads);
          BOOST_TEST(found.is_wide() == wide);
          for (int turn = 0; turn < 2; ++turn) {
            found.clear();
            found.copy_in();
            found.run();
            found.copy_out();
            batch_results const got = found.results();
            BOOST_TEST((got.levels == right.levels));
            BOOST_TEST((got.ranks == right.ranks));
            BOOST_TEST((got.order == right.order));
            if (output == batch_output::order) continue;
            BOOST_TEST((got.processors == right.processors));
            BOOST_TEST((got.finishes == right.finishes));
            BOOST_TEST((got.makespans == right.makespans));
          }
        }
      }
    }
  });
}

graphs random_graphs(std::string const& specification, std::uint32_t processors, int count) {
  graphs result;
  for (int i = 0; i < count; ++i) {
    result.push_back(generate(specification, processors, static_cast<std::uint64_t>(i + 5)));
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pets_device_batch)

BOOST_AUTO_TEST_CASE(many_random_graphs) {
  for (char const* specification :
       {"v=100", "v=100,alpha=0.2,beta=2", "v=60,alpha=4,beta=9,ccr=5", "v=128,jump=1"}) {
    check(random_graphs(specification, 8, 40), specification);
  }
}

BOOST_AUTO_TEST_CASE(equal_ranks_go_by_cost_and_number) {
  check(random_graphs("v=100,w=1,eta=0,ccr=0", 3, 10), "all alike");
  check(random_graphs("v=120,w=2,eta=0.5,ccr=1,alpha=6", 2, 10), "nearly alike");
  check({make_task_graph({{0, 0, 0, 0}, {}}, {}, {0, 0, 0}, 1, "g")}, "nothing");
}

BOOST_AUTO_TEST_CASE(any_number_of_processors) {
  for (std::uint32_t const processors : {1U, 2U, 3U, 13U, 31U, 32U, 33U, 64U, 100U, 128U}) {
    check(random_graphs("v=70", processors, 5), "processors");
    check({generate("v=300,alpha=2", processors, 3)}, "processors, larger");
  }
}

BOOST_AUTO_TEST_CASE(structured_graphs) {
  graphs of;
  for (char const* specification : {"sweep:width=10,steps=19", "fft:width=16,steps=5",
                                    "random_nearest:width=12,steps=7", "fft:width=1,steps=1"}) {
    of.push_back(generate(specification, 5, 2));
    of.push_back(reversed(of.back()));
  }
  check(of, "structured");
}

BOOST_AUTO_TEST_CASE(tiny_and_large_graphs_in_one_batch) {
  graphs of;
  for (std::string const v : {"1", "2", "1000", "1", "31", "32", "33", "1024", "128", "129", "3"}) {
    of.push_back(generate("v=" + v + ",beta=" + (v.size() < 2 ? "0" : "3"), 4, of.size()));
  }
  check(of, "mixed");
}

BOOST_AUTO_TEST_CASE(graphs_beyond_shared_memory_mixed_with_small_ones) {
  graphs of;
  for (std::string const v : {"1025", "2", "3000", "40"}) {
    of.push_back(generate("v=" + v + ",beta=3,jump=0", 4, of.size()));
  }
  of.push_back(reversed(ladder(2000, 2, 4)));
  // This graph has one level and few different keys.
  of.push_back(generate("v=1500,beta=0,alpha=100,w=2,eta=0", 4, 1));
  check(of, "large", true);
  check({generate("v=1100", 128, 2), ladder(1, 0, 128)}, "large, many processors", true);
}

BOOST_AUTO_TEST_CASE(one_level_and_a_chain) {
  for (std::uint32_t const n : {63U, 64U, 65U, 128U, 1000U, 1024U}) {
    check({ladder(n, 0, 3), ladder(n, 1, 3), reversed(ladder(n, 1, 3))}, std::to_string(n));
  }
  check({generate("v=1000,beta=0,alpha=100,w=2,eta=0", 2, 1)}, "one level of few different tasks");
}

BOOST_AUTO_TEST_CASE(more_edges_than_shared_memory_keeps) {
  check({ladder(128, 128, 4), ladder(100, 5, 4), ladder(128, 4, 4)}, "all edges that there can be");
  check({reversed(ladder(400, 30, 4))}, "larger");
}

BOOST_AUTO_TEST_CASE(a_number_of_graphs_that_no_number_of_warps_divides) {
  for (int const count : {1, 7, 33, 1001}) check(random_graphs("v=9", 2, count), "count");
}

BOOST_AUTO_TEST_CASE(large_times_take_words_of_64_bits) {
  task_graph const graph = generate("v=100", 5, 2);
  graph_batch const one = joined({graph});
  time_value const factor = most_narrow_total / one.most_total;
  check({scaled(graph, factor), graph}, "as large as fits");
  check({graph, scaled(graph, factor + 1)}, "larger", true);
  check({scaled(generate("v=90,alpha=3", 40, 2), time_value{1} << 38U)}, "much larger", true);
  check({scaled(ladder(500, 3, 4), time_value{1} << 40U)}, "long", true);
  time_value const fits = most_narrow_total / 2;
  auto const alone = [](time_value cost) {
    return make_task_graph({{0, 0, 0}, {}}, {}, {cost, cost}, 1, "alone");
  };
  static_assert(most_narrow_total % 2 == 0);
  check({alone(fits)}, "two");
  check({alone(fits + 1)}, "two larger", true);
  check({alone(most_total / 2)}, "two as large as there are", true);
}

BOOST_AUTO_TEST_CASE(graphs_come_out_as_they_went_in) {
  graphs const of{generate("v=50", 3, 1), ladder(1, 0, 3), generate("sweep:width=4,steps=7", 3, 2)};
  graph_batch const batch = joined(of);
  BOOST_TEST(batch.most_tasks == 50U);
  for (std::uint32_t i = 0; i < 3; ++i) {
    task_graph const got = graph_of(batch, i);
    BOOST_TEST(got.num_tasks == of[i].num_tasks);
    BOOST_TEST(got.num_processors == 3U);
    BOOST_TEST(got.costs == of[i].costs);
    for (auto const& [a, b] : {std::pair{&got.successors, &of[i].successors},
                               {&got.predecessors, &of[i].predecessors}}) {
      BOOST_TEST(a->offsets == b->offsets);
      BOOST_TEST(a->tasks == b->tasks);
      BOOST_TEST(a->weights == b->weights);
    }
  }
}

BOOST_AUTO_TEST_CASE(graphs_and_processors_beyond_the_bounds_are_refused) {
  device machine("host", 0);
  auto const refused = [&](graphs const& of) {
    return error_text<usage_error>([&] { device_batch(machine, joined(of), batch_output::order); });
  };
  BOOST_TEST(refused({ladder(3, 1, 129)}) ==
             "batch: expected graphs of at most 128 processors, got 129");
  BOOST_TEST(refused({ladder(3, 1, 2), ladder(3, 1, 3)}) ==
             "batch: expected graphs for 2 processors, got 3");
  BOOST_TEST(refused({}) == "batch: expected at least one graph, got 0");
}

BOOST_AUTO_TEST_SUITE_END()
