#include "gridloom/notice.hpp"

#include <chrono>

#include "gridloom/error.hpp"

namespace gridloom {

namespace {

/// After waiting this long, the host queries the device for errors. Most kernels end much earlier.
constexpr std::chrono::milliseconds most_looking{20};
/// Number of times that the host reads the word before it reads the clock.
constexpr int looks = 256;

}  // namespace

notice_board::notice_board(device& machine, std::uint32_t last)
    : machine_(&machine), word_(machine.allocate_staging<std::uint64_t>(1)), last_(last) {
  *word_.data() = std::uint64_t{last} << 32;
}

heard notice_board::look() const {
  auto const whole =
      std::atomic_ref<std::uint64_t>(*word_.data()).load(std::memory_order_acquire);  // NO.R1
  return {static_cast<std::uint32_t>(whole >> 32),
          static_cast<std::int32_t>(static_cast<std::uint32_t>(whole))};
}

heard notice_board::wait(std::uint32_t number, int lanes) const {
  auto const end = std::chrono::steady_clock::now() + most_looking;
  do {
    for (int k = 0; k < looks; ++k)
      if (heard const now = look(); is_reached(now, number)) return now;
  } while (std::chrono::steady_clock::now() < end);
  machine_->join_lanes(lanes);
  machine_->synchronize();
  if (heard const now = look(); is_reached(now, number)) return now;
  throw run_error("a kernel ended without its notice");
}

}  // namespace gridloom
