#include "gridloom/bench/progress.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>

#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(progress_test)

using gridloom::progress_bar;
using gridloom::progress_line;
using gridloom::test::contains;

namespace {

// Redirects stderr during its lifetime.
class stderr_replaced {
 public:
  explicit stderr_replaced(int fd) : saved_{::dup(STDERR_FILENO)} { ::dup2(fd, STDERR_FILENO); }
  stderr_replaced(stderr_replaced const&) = delete;
  stderr_replaced& operator=(stderr_replaced const&) = delete;
  ~stderr_replaced() {
    ::dup2(saved_, STDERR_FILENO);
    ::close(saved_);
  }

 private:
  int saved_;
};

std::string available(int fd) {
  ::fcntl(fd, F_SETFL, O_NONBLOCK);
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t got; (got = ::read(fd, part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  return text;
}

// Draws a bar of three steps with this descriptor as stderr.
void draw_three_steps(int stderr_fd, bool quiet) {
  stderr_replaced const replaced{stderr_fd};
  progress_bar bar{"queue", 3, quiet};
  bar.advance("ring");
  bar.advance("ring");
  bar.advance("stack");
  bar.finish();
}

struct terminal {
  terminal() {
    ::setenv("TERM", "xterm", 1);
    if (outer >= 0 && ::grantpt(outer) == 0 && ::unlockpt(outer) == 0) {
      std::array<char, 128> name{};
      if (::ptsname_r(outer, name.data(), name.size()) == 0) {
        inner = ::open(name.data(), O_RDWR | O_NOCTTY);
      }
    }
  }
  terminal(terminal const&) = delete;
  terminal& operator=(terminal const&) = delete;
  ~terminal() {
    for (int const end : {inner, outer}) {
      if (end >= 0) ::close(end);
    }
  }
  int outer = ::posix_openpt(O_RDWR | O_NOCTTY);
  int inner = -1;
};

// Containers may have no pseudo-terminals.
boost::test_tools::assertion_result there_are_terminals(boost::unit_test::test_unit_id) {
  boost::test_tools::assertion_result answer{terminal{}.inner >= 0};
  answer.message() << "no pseudo-terminal can be opened";
  return answer;
}

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_is_written_when_stderr_is_no_terminal) {
  std::array<int, 2> pipe_ends{};
  BOOST_REQUIRE(::pipe(pipe_ends.data()) == 0);
  draw_three_steps(pipe_ends[1], false);
  BOOST_TEST(available(pipe_ends[0]).empty());
}

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(there_are_terminals))
BOOST_AUTO_TEST_CASE(a_terminal_sees_the_bar_and_then_a_cleared_line) {
  terminal const screen;
  draw_three_steps(screen.inner, false);
  std::string const seen = available(screen.outer);
  BOOST_TEST(contains(seen, "queue ["));
  BOOST_TEST(contains(seen, "1/3"));
  BOOST_TEST(contains(seen, "ring"));
  BOOST_TEST(seen.ends_with("\r\x1b[K"));
}

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(there_are_terminals))
BOOST_AUTO_TEST_CASE(quiet_and_dumb_terminals_see_nothing) {
  terminal const screen;
  draw_three_steps(screen.inner, true);
  BOOST_TEST(available(screen.outer).empty());
  ::setenv("TERM", "dumb", 1);
  draw_three_steps(screen.inner, false);
  BOOST_TEST(available(screen.outer).empty());
}

BOOST_AUTO_TEST_CASE(the_line_shows_share_elapsed_and_remaining_time) {
  // A quarter took 25 seconds, so three quarters will take 75.
  BOOST_TEST(progress_line("queue", "ring", 1, 4, 25.0, 200) ==
             "queue [#####...............] 1/4  0:25 elapsed, 1:15 left  ring");
  BOOST_TEST(progress_line("queue", "", 0, 4, 1.0, 200) ==
             "queue [....................] 0/4  0:01 elapsed, ? left");
  BOOST_TEST(progress_line("q", "", 2, 2, 3675.0, 200) ==
             "q [####################] 2/2  1:01:15 elapsed, 0:00 left");
}

BOOST_AUTO_TEST_CASE(the_line_is_cut_to_the_columns_and_survives_odd_totals) {
  BOOST_TEST(progress_line("queue", "ring", 1, 4, 25.0, 9) == "queue [##");
  BOOST_TEST(contains(progress_line("q", "", 5, 2, 1.0, 200), "5/2"));
  BOOST_TEST(contains(progress_line("q", "", 0, 0, 1.0, 200), "0/0"));
}

BOOST_AUTO_TEST_SUITE_END()
