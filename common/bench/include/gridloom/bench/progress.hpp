#pragma once
// The progress of long work on a terminal, and nothing at all where stderr is a file or a pipe, so
// that logs and scripts stay clean.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gridloom {

/// Used by one thread. Draws one line on stderr, at most ten times a second, and clears it in the
/// end. Neither throws nor fails when the terminal goes away. Never advance inside a timed region.
class progress_bar {
 public:
  /// `total` counts the steps of the whole work, such as arms x repetitions.
  progress_bar(std::string label, std::uint64_t total, bool quiet = false);
  progress_bar(progress_bar const&) = delete;
  progress_bar& operator=(progress_bar const&) = delete;
  ~progress_bar() { finish(); }

  /// `steps` more are done; `arm` is what runs now.
  void advance(std::string_view arm = {}, std::uint64_t steps = 1) noexcept;

  /// Clears the line; further calls do nothing.
  void finish() noexcept;

  /// Whether stderr is a terminal and drawing was not switched off.
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

/// The line as it is drawn: label, bar, done/total, arm, elapsed and estimated remaining time, cut
/// to the given number of columns. Nothing done leaves the estimate open.
[[nodiscard]] std::string progress_line(std::string_view label, std::string_view arm,
                                        std::uint64_t done, std::uint64_t total, double elapsed_s,
                                        std::size_t columns);

}  // namespace gridloom
