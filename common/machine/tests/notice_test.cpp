// Tests notices from a kernel to the host (notice.hpp).

#include "gridloom/notice.hpp"

#include <cstdint>
#include <limits>

#include "gridloom/error.hpp"
#include "test_machines.hpp"
#include "test_support.hpp"

using namespace gridloom;
using namespace gridloom::test;

namespace {

struct tell_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;
  static constexpr int max_threads = 32;

  notice told;
  std::int32_t news;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    if (block.index() == 0 && block.thread_rank() == 0) told.tell(news);
  }
};

void launch(device& machine, notice const& told, std::int32_t news) {
  machine.launch({1, machine.is_host() ? 1 : 32}, tell_kernel{told, news});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(notices)

BOOST_AUTO_TEST_CASE(the_host_receives_number_and_news) {
  on_each_machine([&](test_machine const&, device& machine) {
    notice_board board(machine);
    for (std::int32_t const news : {0, 7, -1, std::numeric_limits<std::int32_t>::min()}) {
      notice const told = board.next();
      BOOST_TEST(told.number == board.last());
      launch(machine, told, news);
      heard const now = board.wait(told.number);
      BOOST_TEST(now.number == told.number);
      BOOST_TEST(now.news == news);
    }
  });
}

BOOST_AUTO_TEST_CASE(a_waiter_for_one_number_may_see_a_later_one) {
  on_each_machine([&](test_machine const&, device& machine) {
    notice_board board(machine);
    notice const first = board.next();
    notice const second = board.next();
    launch(machine, first, 1);
    launch(machine, second, 2);
    BOOST_TEST(board.wait(second.number).news == 2);
    heard const now = board.wait(first.number);
    BOOST_TEST(now.number == second.number);
    BOOST_TEST(now.news == 2);
  });
}

BOOST_AUTO_TEST_CASE(numbers_wrap_after_the_largest) {
  on_each_machine([&](test_machine const&, device& machine) {
    notice_board board(machine, std::numeric_limits<std::uint32_t>::max() - 1);
    for (std::int32_t news = 1; news <= 3; ++news) {
      notice const told = board.next();
      // The previous notice does not count as the awaited one.
      BOOST_CHECK_THROW(board.wait(told.number), run_error);
      launch(machine, told, news);
      BOOST_TEST(board.wait(told.number).news == news);
    }
    BOOST_TEST(board.last() == 1U);
  });
}

BOOST_AUTO_TEST_CASE(a_notice_that_never_comes_is_an_error) {
  on_each_machine([&](test_machine const&, device& machine) {
    notice_board board(machine);
    // This kernel sends nothing, so the awaited notice never comes.
    launch(machine, {}, 5);
    BOOST_CHECK_THROW(board.wait(board.next().number), run_error);
  });
}

BOOST_AUTO_TEST_SUITE_END()
