// The selection's chain in one warp, and the data that other threads gather for it.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "batch_graphs.hpp"
#include "modelled_block.hpp"
#include "pets/ours/kernels/select_any.hpp"
#include "pets/support/device_graph.hpp"
#include "pets/support/generate.hpp"

namespace gridloom::pets::test {

BOOST_AUTO_TEST_SUITE(select_threads_test)
namespace {

// The order of a graph's tasks, in the arrays that the kernels read.
struct ordered {
  explicit ordered(task_graph const& graph) : by(priorities_of(graph)), order(order_of(graph, by)) {
    places.resize(graph.num_tasks);
    level_begins.resize(by.num_levels + 1, graph.num_tasks);
    for (std::uint32_t i = graph.num_tasks; i-- > 0;) {
      places[order[i]] = i;
      level_begins[by.level[order[i]]] = i;
    }
    for (std::uint32_t const task : graph.predecessors.tasks) parents.push_back(places[task]);
  }
  priorities by;
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> places;
  std::vector<std::uint32_t> level_begins;
  std::vector<std::uint32_t> parents;
};

// Returns whether times fit. If they do, checks the placements.
template <int Lanes, class Word>
bool fits(modelled_threads& threads, task_graph const& graph, ordered const& by,
          schedule const& right) {
  using kernel = select_kernel<Lanes, Word>;
  device machine("host", 0);
  device_graph const there(machine, graph);
  std::vector<placed_word> placed(graph.num_tasks, {~time_value{0}, ~std::uint64_t{0}});
  std::uint32_t too_large = 0;
  watchdog dog(machine, 1, 60);
  kernel const run{
      {there.ref(), by.by.num_levels, by.order.data(), by.level_begins.data(), by.parents.data()},
      placed.data(),
      &too_large,
      dog.arm()};
  auto const scratch = std::make_unique<typename kernel::scratch>();
  std::memset(static_cast<void*>(scratch.get()), 0xa5, sizeof(*scratch));
  threads.run([&](int thread) { run(modelled_block{threads, thread}, *scratch); });
  BOOST_REQUIRE(!dog.fired());
  if (too_large != 0) return false;
  bool same = true;
  for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
    placed_word const& at = placed[by.places[task]];
    same = same && at.finish == right.of[task].finish && at.processor == right.of[task].processor;
  }
  BOOST_TEST(same);
  return true;
}

// Runs the kernel for any number of processors, with insertion and with append.
template <bool Insertion>
void check_any(task_graph const& graph, std::string const& name) {
  using kernel = select_any_kernel<Insertion>;
  ordered const by(graph);
  schedule const right =
      select_processors(graph, by.order, Insertion ? policy::insertion : policy::append);
  with_threads({32, 64, 96, 128}, [&](modelled_threads& threads, char const* order) {
    BOOST_TEST_CONTEXT(name << ", " << graph.num_processors << " processors, " << threads.threads()
                            << " threads in " << order << " order") {
      device machine("host", 0);
      device_graph const there(machine, graph);
      std::vector<placed_word> placed(graph.num_tasks, {~time_value{0}, ~std::uint64_t{0}});
      std::vector<gap_tree> trees(graph.num_processors);
      std::vector<gap_node> nodes(graph.num_tasks);
      watchdog dog(machine, 1, 60);
      kernel const run{{there.ref(), by.by.num_levels, by.order.data(), by.level_begins.data(),
                        by.parents.data()},
                       placed.data(),
                       trees.data(),
                       nodes.data(),
                       dog.arm()};
      auto const scratch = std::make_unique<typename kernel::scratch>();
      std::memset(static_cast<void*>(scratch.get()), 0xa5, sizeof(*scratch));
      threads.run([&](int thread) { run(modelled_block{threads, thread}, *scratch); });
      BOOST_REQUIRE(!dog.fired());
      bool same = true;
      for (std::uint32_t task = 0; task < graph.num_tasks; ++task) {
        placed_word const& at = placed[by.places[task]];
        same =
            same && at.finish == right.of[task].finish && at.processor == right.of[task].processor;
      }
      BOOST_TEST(same);
    }
  });
}

// Size of the words that the times need.
enum class words { bits_32, bits_64, wider };

template <int Lanes>
void check(task_graph const& graph, std::string const& name, words need = words::bits_32) {
  ordered const by(graph);
  schedule const right = select_processors(graph, by.order, policy::append);
  with_threads({32, 64, 96, 128}, [&](modelled_threads& threads, char const* order) {
    BOOST_TEST_CONTEXT(name << ", " << graph.num_processors << " processors, " << Lanes
                            << " lanes, " << threads.threads() << " threads in " << order
                            << " order") {
      bool const narrow = fits<Lanes, std::uint32_t>(threads, graph, by, right);
      BOOST_TEST(narrow == (need == words::bits_32));
      if (narrow) return;
      bool const wide = fits<Lanes, std::uint64_t>(threads, graph, by, right);
      BOOST_TEST(wide == (need != words::wider));
    }
  });
}

// Tasks of equal cost on one processor, in a chain or in one level.
task_graph equal_tasks(std::uint32_t n, time_value cost, bool in_a_chain) {
  std::vector<std::uint32_t> const widths =
      in_a_chain ? std::vector<std::uint32_t>(n, 1) : std::vector<std::uint32_t>{n};
  task_graph graph = complete(widths, 1);
  std::fill(graph.costs.begin(), graph.costs.end(), cost);
  return graph;
}

BOOST_AUTO_TEST_CASE(generated_graphs) {
  for (std::uint32_t const processors : {20U, 32U}) {
    for (char const* specification : {"v=1,beta=0", "v=300,alpha=8,beta=9,ccr=3", "v=100,alpha=0.3",
                                      "v=200,w=1,eta=0", "random_nearest:width=8,steps=7"}) {
      task_graph const graph = generate(specification, processors, 3);
      check<32>(graph, specification);
      if (processors == 32) continue;
      check<32>(scaled(graph, time_value{1} << 30U), std::string(specification) + " of large times",
                words::bits_64);
    }
  }
}

BOOST_AUTO_TEST_CASE(levels_wider_than_chunks_of_all_sizes) {
  for (char const* v : {"31", "32", "33", "255", "256", "257", "520"}) {
    check<32>(generate(std::string("v=") + v + ",beta=0,alpha=100", 20, 3), v);
  }
}

BOOST_AUTO_TEST_CASE(any_number_of_processors_by_append_and_insertion) {
  for (std::uint32_t const processors : {1U, 20U, 32U, 33U, 70U}) {
    for (char const* specification :
         {"v=1,beta=0", "v=300,alpha=8,beta=9,ccr=3", "v=150,alpha=0.3,ccr=10", "v=200,w=1,eta=0",
          "v=700,alpha=30,ccr=4"}) {
      task_graph const graph = generate(specification, processors, 3);
      check_any<false>(graph, std::string(specification) + ", append");
      check_any<true>(graph, std::string(specification) + ", insertion");
    }
  }
}

// Parts of a modelled warp synchronise together, so the tasks of every level fill whole warps.
BOOST_AUTO_TEST_CASE(tasks_by_parts_of_warps) {
  std::vector<std::uint32_t> const widths{8, 520, 16};
  for (std::uint32_t const processors : {1U, 2U, 3U, 4U})
    check<4>(complete(widths, processors), "complete");
  for (std::uint32_t const processors : {5U, 8U})
    check<8>(complete(widths, processors), "complete");
  for (std::uint32_t const processors : {9U, 16U})
    check<16>(complete(widths, processors), "complete");
  for (std::uint32_t const processors : {1U, 8U, 17U})
    check<32>(complete(widths, processors), "complete");
}

// Words of 32 bits have 26 bits for a time with 32 lanes, and 29 with 4. These sums are just below
// or above the limits of words.
BOOST_AUTO_TEST_CASE(sums_that_do_not_fit_are_found) {
  check<32>(equal_tasks(8, time_value{1} << 22U, false), "8");
  check<32>(equal_tasks(8, time_value{1} << 23U, false), "8", words::bits_64);
  check<32>(equal_tasks(40, time_value{1} << 21U, false), "40", words::bits_64);
  check<4>(equal_tasks(8, time_value{1} << 25U, false), "8");
  check<4>(equal_tasks(8, time_value{1} << 26U, false), "8", words::bits_64);
  check<4>(equal_tasks(8, time_value{1} << 57U, false), "8", words::bits_64);
  check<4>(equal_tasks(8, time_value{1} << 58U, false), "8", words::wider);
}

// Times are relative to a base that advances with the processors' finish times.
BOOST_AUTO_TEST_CASE(many_small_steps_fit_32_bits) {
  check<32>(equal_tasks(100, time_value{1} << 20U, true), "chain");
  check<32>(equal_tasks(1200, time_value{1} << 16U, false), "level");
  std::vector<std::uint32_t> const widths(12, 17);
  task_graph each_on_its_own = complete(widths, 17);
  std::fill(each_on_its_own.costs.begin(), each_on_its_own.costs.end(), time_value{1} << 23U);
  check<32>(each_on_its_own, "a task a processor");
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::pets::test
