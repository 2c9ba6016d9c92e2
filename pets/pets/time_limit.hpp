#pragma once
// Bounds by wall time what one host thread schedules, as --timeout-s asks for. Loops that may be
// long ask once in some tasks; without a limit in force they go on for as long as they like.

#include <cstdint>

#include "gridloom/clock.hpp"

namespace gridloom::pets {

/// In force for the calling thread as long as it lives; the innermost one counts.
class time_limit {
 public:
  explicit time_limit(double seconds);
  ~time_limit();
  time_limit(time_limit const&) = delete;
  time_limit& operator=(time_limit const&) = delete;

  /// Throws timeout_error "timeout after N s (--timeout-s): WHAT on the host" when the time is up.
  static void check(char const* what);

 private:
  double seconds_;
  std::uint64_t end_ns_;
  time_limit* outer_;
};

/// Asks at every call that is a multiple of so many: what costs a microsecond may ask often.
class time_checks {
 public:
  explicit time_checks(char const* what, std::uint32_t every = 256) : what_(what), every_(every) {}
  void operator()() {
    if (++turns_ % every_ == 0) time_limit::check(what_);
  }

 private:
  char const* what_;
  std::uint32_t every_;
  std::uint32_t turns_ = 0;
};

}  // namespace gridloom::pets
