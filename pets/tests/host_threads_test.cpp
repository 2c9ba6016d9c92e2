// Several host threads give the results of one thread, in direct calls and as arms of the program.

#include "pets/rivals/host_threads.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>

#include "pets/pets.hpp"
#include "pets/support/generate.hpp"
#include "scheduling.hpp"

namespace gridloom::pets {

BOOST_AUTO_TEST_SUITE(host_threads_test)
namespace {

BOOST_AUTO_TEST_CASE(several_host_threads_find_the_numbers_of_one) {
  for (char const* specification : {"v=1,beta=0", "v=3000,alpha=0.1", "v=3000,alpha=20,jump=0",
                                    "v=2000,w=1,eta=0,ccr=1", "fft:width=64,steps=7"}) {
    task_graph const graph = generate(specification, 5, 3);
    priorities const right = priorities_of(graph);
    auto const order = order_of(graph, right);
    for (int const threads : {2, 3, 4, 9}) {
      BOOST_TEST_CONTEXT(specification << ", " << threads << " threads") {
        priorities const found = priorities_of(graph, threads);
        BOOST_TEST((found.level == right.level));
        BOOST_TEST((found.rank == right.rank));
        BOOST_TEST(found.num_levels == right.num_levels);
        BOOST_TEST((order_of(graph, found, threads) == order));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(implementations_of_several_host_threads_give_the_schedule_of_one) {
  device machine("host", 0);
  common_options common;
  common.quiet = true;
  common.repeat = 3;
  scene of(machine, common, {"g", 1, {}, generate("v=400", 4, 1)});
  std::vector<method const*> several;
  for (method const& one : all_methods()) {
    if (one.host_code && one.traits.host_threads != 1) several.push_back(&one);
  }
  std::vector<list_scheduler const*> by;
  for (list_scheduler const& one : list_schedulers()) {
    if (one.run == pets) by.push_back(&one);
  }
  auto const arms = arms_of(of, by, several);
  BOOST_TEST(arms.size() == 6U);
  for (auto const& arm : arms) {
    auto const work = arm.make();
    for (int turn = 0; turn < 3; ++turn) {
      work->prepare();
      BOOST_TEST(work->timed_run(machine) > 0);
      work->copy_out();
      BOOST_CHECK_NO_THROW(work->check());
      BOOST_CHECK_NO_THROW(work->verify());
    }
  }
}

BOOST_AUTO_TEST_CASE(every_thread_is_called_once_and_an_error_reaches_the_caller) {
  std::vector<std::atomic<int>> calls(5);
  by_host_threads(5, [&](int thread) { ++calls[static_cast<std::size_t>(thread)]; });
  for (auto const& of : calls) BOOST_TEST(of == 1);
  for (int const from : {0, 3}) {
    std::atomic<int> called{0};
    auto const one_fails = [&](int thread) {
      ++called;
      if (thread == from) throw std::runtime_error("of one");
    };
    BOOST_CHECK_EXCEPTION(by_host_threads(4, one_fails), std::runtime_error,
                          [](auto const& error) { return std::string("of one") == error.what(); });
    BOOST_TEST(called == 4);
  }
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::pets
