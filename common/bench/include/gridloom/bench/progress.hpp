#pragma once
// A line of progress on a terminal. Nothing is printed if stderr is a file or a pipe.

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace gridloom {

/// Draws one line on stderr, at most ten times per second, and clears it at the end. Used by one
/// thread, and never inside a timed region.
class progress_line {
 public:
  /// `total`: the number of steps, such as arms x repetitions.
  progress_line(std::string label, std::uint64_t total, bool quiet)
      : label_{std::move(label)}, total_{total}, visible_{!quiet && ::isatty(STDERR_FILENO) == 1} {}
  progress_line(progress_line const&) = delete;
  progress_line& operator=(progress_line const&) = delete;
  ~progress_line() { finish(); }

  /// Adds `steps` completed steps. `arm` is the arm that runs now.
  void advance(std::string_view arm = {}, std::uint64_t steps = 1) {
    done_ += steps;
    auto const now = clock::now();
    if (!visible_ || now - drawn_ < std::chrono::milliseconds{100}) return;
    drawn_ = now;
    std::string line = label_ + " " + std::to_string(done_) + "/" + std::to_string(total_);
    if (done_ > 0) {
      auto const left = (now - start_) * (total_ - done_) / done_;
      line += ", " + std::to_string(left / std::chrono::seconds{1}) + " s left";
    }
    if (!arm.empty()) line += ": " + std::string{arm};
    // A line that wraps could not be cleared, so it is cut to the usual width of a terminal.
    std::fprintf(stderr, "%s%.79s", clear, line.c_str());
  }
  /// Clears the line. Further calls show nothing.
  void finish() {
    if (visible_) std::fputs(clear, stderr);
    visible_ = false;
  }

 private:
  using clock = std::chrono::steady_clock;
  static constexpr char const* clear = "\r\x1b[K";

  std::string label_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  bool visible_;
  clock::time_point start_ = clock::now();
  clock::time_point drawn_{};
};

}  // namespace gridloom
