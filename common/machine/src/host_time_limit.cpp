#include "gridloom/host_time_limit.hpp"

#include <limits>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"

namespace gridloom {
namespace {

thread_local host_time_limit* innermost = nullptr;

constexpr std::uint64_t never_ns = std::numeric_limits<std::uint64_t>::max();

}  // namespace

host_time_limit::host_time_limit(double seconds)
    : seconds_(seconds), end_ns_(never_ns), outer_(innermost) {
  double const ns = seconds * 1e9;
  auto const most = static_cast<double>(std::numeric_limits<std::int64_t>::max());
  if (ns < most) end_ns_ = now_ns() + static_cast<std::uint64_t>(ns);
  innermost = this;
}

host_time_limit::host_time_limit(host_time_limit const* other)
    : seconds_(other == nullptr ? 0 : other->seconds_),
      end_ns_(other == nullptr ? never_ns : other->end_ns_),
      outer_(innermost) {
  innermost = this;
}

host_time_limit::~host_time_limit() { innermost = outer_; }

host_time_limit const* host_time_limit::in_force() { return innermost; }

void host_time_limit::check(char const* what) {
  if (innermost == nullptr || now_ns() < innermost->end_ns_) return;
  throw timeout_error(timeout_text(innermost->seconds_) + ": " + what + " on the host");
}

}  // namespace gridloom
