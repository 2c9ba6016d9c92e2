#pragma once
// A progress bar on a terminal. Nothing is printed if stderr is a file or a pipe.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gridloom {

/// Draws one line on stderr, at most ten times per second, and clears it at the end. Does not fail
/// if the terminal is closed. Used by one thread, and never inside a timed region.
class progress_bar {
 public:
  /// `total`: the number of steps, such as arms x repetitions.
  progress_bar(std::string label, std::uint64_t total, bool quiet = false);
  progress_bar(progress_bar const&) = delete;
  progress_bar& operator=(progress_bar const&) = delete;
  ~progress_bar() { finish(); }

  /// Adds `steps` completed steps. `arm` is the arm that runs now.
  void advance(std::string_view arm = {}, std::uint64_t steps = 1) noexcept;

  /// Clears the line. Further calls do nothing.
  void finish() noexcept;

  /// Whether stderr is a terminal and `quiet` was not set.
  [[nodiscard]] bool visible() const { return visible_; }

 private:
  using clock = std::chrono::steady_clock;

  void draw(std::string_view arm, clock::time_point now);

  std::string label_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  bool visible_;
  clock::time_point start_;
  clock::time_point drawn_;
};

/// The line, cut to the given number of columns: label, bar, done/total, elapsed and estimated
/// remaining time, arm. The estimate is "?" if nothing is done.
[[nodiscard]] std::string progress_line(std::string_view label, std::string_view arm,
                                        std::uint64_t done, std::uint64_t total, double elapsed_s,
                                        std::size_t columns);

}  // namespace gridloom
