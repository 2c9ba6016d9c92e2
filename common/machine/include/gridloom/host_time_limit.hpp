#pragma once
// A time limit for the work of one host thread, for --timeout-s. Long loops check it from time to
// time. If no limit is set, the check does nothing.

#include <cstdint>

#include "gridloom/clock.hpp"

namespace gridloom {

/// Limits the calling thread during the object's lifetime. The innermost limit counts.
class host_time_limit {
 public:
  explicit host_time_limit(double seconds);
  /// Adopts the limit of another thread, which waits for this one. `other` is the result of
  /// `in_force` in that thread.
  explicit host_time_limit(host_time_limit const* other);
  ~host_time_limit();
  host_time_limit(host_time_limit const&) = delete;
  host_time_limit& operator=(host_time_limit const&) = delete;

  /// The limit of the calling thread, or nullptr if there is none.
  [[nodiscard]] static host_time_limit const* in_force();

  /// Throws timeout_error "timeout after N s (--timeout-s): WHAT on the host" if the time is up.
  static void check(char const* what);

 private:
  double seconds_;
  std::uint64_t end_ns_;
  host_time_limit* outer_;
};

/// Checks the limit at every `every`-th call, for loops with short turns.
class time_checks {
 public:
  explicit time_checks(char const* what, std::uint32_t every = 256) : what_(what), every_(every) {}
  void operator()() {
    if (++turns_ % every_ == 0) host_time_limit::check(what_);
  }

 private:
  char const* what_;
  std::uint32_t every_;
  std::uint32_t turns_ = 0;
};

}  // namespace gridloom
