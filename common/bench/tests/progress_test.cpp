#include "gridloom/bench/progress.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>

#include "test_support.hpp"

BOOST_AUTO_TEST_SUITE(progress_test)

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

// Shows three steps with this descriptor as stderr.
void show_three_steps(int stderr_fd, bool quiet) {
  stderr_replaced const replaced{stderr_fd};
  progress_line line{"queue", 3, quiet};
  line.advance("ring");
  line.advance("ring");
  line.advance("stack");
}

struct terminal {
  terminal() {
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
  show_three_steps(pipe_ends[1], false);
  BOOST_TEST(available(pipe_ends[0]).empty());
}

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(there_are_terminals))
BOOST_AUTO_TEST_CASE(a_terminal_sees_one_line_and_then_a_cleared_one) {
  terminal const screen;
  show_three_steps(screen.inner, false);
  std::string const seen = available(screen.outer);
  BOOST_TEST(contains(seen, "queue 1/3, 0 s left: ring"));
  BOOST_TEST(seen.ends_with("\r\x1b[K"));
}

BOOST_TEST_DECORATOR(*boost::unit_test::precondition(there_are_terminals))
BOOST_AUTO_TEST_CASE(quiet_shows_nothing) {
  terminal const screen;
  show_three_steps(screen.inner, true);
  BOOST_TEST(available(screen.outer).empty());
}

BOOST_AUTO_TEST_SUITE_END()
