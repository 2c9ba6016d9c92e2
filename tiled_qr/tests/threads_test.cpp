// Tests functions that share their work among host threads.

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "check/share_among_threads.hpp"

BOOST_AUTO_TEST_SUITE(threads_test)

using gridloom::tiled_qr::share_among_threads;

BOOST_AUTO_TEST_CASE(each_call_is_made_once_with_any_number_of_threads) {
  for (int const threads : {1, 2, 8}) {
    for (std::int64_t const count : {0, 1, 5, 100}) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
      share_among_threads(count, threads,
                          [&](std::int64_t at) { ++calls[static_cast<std::size_t>(at)]; });
      for (auto const& made : calls) BOOST_TEST(made == 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_exception_of_any_thread_reaches_the_caller) {
  for (int const threads : {1, 4}) {
    BOOST_CHECK_THROW(share_among_threads(20, threads,
                                          [](std::int64_t at) {
                                            if (at == 13) throw std::out_of_range("13");
                                          }),
                      std::out_of_range);
  }
}

BOOST_AUTO_TEST_SUITE_END()
