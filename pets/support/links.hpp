#pragma once
// Transfer times that depend on the pair of processors.

#include <cstdint>
#include <vector>

namespace gridloom::pets {

/// Bandwidths and latencies of a graph whose edges are data. Where a task_graph has them, its
/// weights are what ranks are made of, latency and data over the mean latency and bandwidth of all
/// pairs (Topcuoglu et al., section 3), and a schedule's times are those of the pair.
struct pair_links {
  std::uint32_t num_processors = 0;
  /// Bytes a second and units of time before them; num_processors rows of receivers.
  std::vector<std::uint64_t> bandwidth;
  std::vector<std::uint64_t> latency;
  /// Beside the predecessors' tasks.
  std::vector<std::uint64_t> bytes;

  /// Of the predecessors' edge, between two processors; 0 on one. Rounded up.
  [[nodiscard]] std::uint64_t time(std::uint32_t from, std::uint32_t to, std::size_t edge) const {
    if (from == to) return 0;
    std::size_t const pair = std::size_t{from} * num_processors + to;
    return latency[pair] + scaled(bytes[edge], bandwidth[pair]);
  }
  /// Microseconds of so many bytes at so many a second: below 2^64 for what on_platform takes.
  [[nodiscard]] static std::uint64_t scaled(std::uint64_t bytes, std::uint64_t a_second) {
    std::uint64_t const rest = bytes % a_second * 1'000'000;
    return bytes / a_second * 1'000'000 + rest / a_second + (rest % a_second != 0 ? 1 : 0);
  }
};

}  // namespace gridloom::pets
