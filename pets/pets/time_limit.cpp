#include "pets/time_limit.hpp"

#include <cstdio>
#include <limits>
#include <string>

#include "gridloom/error.hpp"

namespace gridloom::pets {
namespace {

thread_local time_limit* innermost = nullptr;

}  // namespace

time_limit::time_limit(double seconds) : seconds_(seconds), outer_(innermost) {
  double const ns = seconds * 1e9;
  std::uint64_t const now = now_ns();
  auto const most = static_cast<double>(std::numeric_limits<std::int64_t>::max());
  end_ns_ =
      ns < most ? now + static_cast<std::uint64_t>(ns) : std::numeric_limits<std::uint64_t>::max();
  innermost = this;
}

time_limit::~time_limit() { innermost = outer_; }

void time_limit::check(char const* what) {
  if (innermost == nullptr || now_ns() < innermost->end_ns_) return;
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%g", innermost->seconds_);
  throw timeout_error(std::string("timeout after ") + seconds + " s (--timeout-s): " + what +
                      " on the host");
}

}  // namespace gridloom::pets
