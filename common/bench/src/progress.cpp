#include "gridloom/bench/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace gridloom {
namespace {

constexpr auto redraw_interval = std::chrono::milliseconds{100};
constexpr std::string_view clear_line = "\r\x1b[K";

bool stderr_draws() {
  if (::isatty(STDERR_FILENO) == 0) return false;
  char const* const terminal = std::getenv("TERM");
  return terminal == nullptr || std::string_view{terminal} != "dumb";
}

std::size_t terminal_columns() {
  winsize size{};
  bool const known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

void write_stderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

// Formats 75 seconds as "1:15" and 3675 as "1:01:15".
std::string time_text(double seconds) {
  constexpr double longest_s = 359999;
  auto const whole = static_cast<long>(std::clamp(seconds, 0.0, longest_s));
  char text[32];
  if (whole >= 3600) {
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
  }
  return text;
}

}  // namespace

std::string progress_line(std::string_view label, std::string_view arm, std::uint64_t done,
                          std::uint64_t total, double elapsed_s, std::size_t columns) {
  constexpr std::size_t bar_columns = 20;
  double const share =
      total == 0 ? 1.0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  auto const filled = static_cast<std::size_t>(share * bar_columns);
  std::string const remaining =
      share > 0.0 ? time_text(elapsed_s * (1.0 - share) / share) : std::string{"?"};
  std::string line = std::string{label} + " [" + std::string(filled, '#') +
                     std::string(bar_columns - filled, '.') + "] " + std::to_string(done) + "/" +
                     std::to_string(total) + "  " + time_text(elapsed_s) + " elapsed, " +
                     remaining + " left";
  if (!arm.empty()) line += "  " + std::string{arm};
  if (line.size() > columns) line.resize(columns);
  return line;
}

progress_bar::progress_bar(std::string label, std::uint64_t total, bool quiet)
    : label_{std::move(label)},
      total_{total},
      visible_{!quiet && stderr_draws()},
      start_{clock::now()},
      drawn_{start_ - redraw_interval} {}

void progress_bar::advance(std::string_view arm, std::uint64_t steps) noexcept {
  done_ += steps;
  if (!visible_) return;
  clock::time_point const now = clock::now();
  if (now - drawn_ < redraw_interval) return;
  try {
    draw(arm, now);
  } catch (...) {
    // The work goes on if the progress bar fails.
    visible_ = false;
  }
}

void progress_bar::draw(std::string_view arm, clock::time_point now) {
  double const elapsed_s = std::chrono::duration<double>(now - start_).count();
  // The last column stays empty, because some terminals wrap a full line.
  std::size_t const columns = terminal_columns() - 1;
  write_stderr(std::string{clear_line} +
               progress_line(label_, arm, done_, total_, elapsed_s, columns));
  drawn_ = now;
}

void progress_bar::finish() noexcept {
  if (!visible_) return;
  visible_ = false;
  write_stderr(clear_line);
}

}  // namespace gridloom
