#pragma once
// Bounds by wall time what one host thread does, as --timeout-s asks for. Loops that may be
// long ask now and then; without a limit in force they go on for as long as they like.

#include <cstdint>

#include "gridloom/clock.hpp"

namespace gridloom {

/// In force for the calling thread as long as it lives; the innermost one counts.
class host_time_limit {
 public:
  explicit host_time_limit(double seconds);
  /// That of another thread, which waits for this one: what `in_force` gave there.
  explicit host_time_limit(host_time_limit const* of_another);
  ~host_time_limit();
  host_time_limit(host_time_limit const&) = delete;
  host_time_limit& operator=(host_time_limit const&) = delete;

  /// The limit of the calling thread; nullptr: none.
  [[nodiscard]] static host_time_limit const* in_force();

  /// Throws timeout_error "timeout after N s (--timeout-s): WHAT on the host" when the time is up.
  static void check(char const* what);

 private:
  double seconds_;
  std::uint64_t end_ns_;
  host_time_limit* outer_;
};

/// Asks at every call that is a multiple of so many: what costs a microsecond may ask often.
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
