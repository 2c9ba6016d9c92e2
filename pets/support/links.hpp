#pragma once
// Transfer times that depend on the pair of processors.

#include <cstdint>
#include <vector>

namespace gridloom::pets {

/// Bandwidths and latencies of all pairs of processors, for a graph whose edges carry data. If a
/// task_graph has links, a schedule uses the times of the pair, and only ranks use the graph's
/// weights. Those weights are computed with the mean latency and bandwidth of all pairs (Topcuoglu
/// et al., section 3).
struct pair_links {
  std::uint32_t num_processors = 0;
  /// Bytes per second, and time before the first byte. Each array has one row per sender and one
  /// column per receiver.
  std::vector<std::uint64_t> bandwidth;
  std::vector<std::uint64_t> latency;
  /// Bytes of each edge, in the order of predecessors.tasks.
  std::vector<std::uint64_t> bytes;

  /// Time of an edge of `predecessors` between two processors, rounded up; 0 on one processor.
  [[nodiscard]] std::uint64_t time(std::uint32_t from, std::uint32_t to, std::size_t edge) const {
    if (from == to) return 0;
    std::size_t const pair = std::size_t{from} * num_processors + to;
    return latency[pair] + scaled(bytes[edge], bandwidth[pair]);
  }
  /// Microseconds for `bytes` bytes at `bytes_per_second` bytes per second. Fits 64 bits for the
  /// values that on_platform accepts.
  [[nodiscard]] static std::uint64_t scaled(std::uint64_t bytes, std::uint64_t bytes_per_second) {
    std::uint64_t const rest = bytes % bytes_per_second * 1'000'000;
    return bytes / bytes_per_second * 1'000'000 + rest / bytes_per_second +
           (rest % bytes_per_second != 0 ? 1 : 0);
  }
};

}  // namespace gridloom::pets
