#pragma once
// Who measured what, with which sources, on which machine: the attributes of /meta.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/backend/types.hpp"
#include "gridloom/bench/options.hpp"

namespace gridloom {

/// Version of the layout of results files. A file of another version is never appended to.
inline constexpr std::string_view results_schema_version = "2";

/// Named text attributes in the order they were set. Concurrency: like a standard container.
struct run_meta {
  struct attribute {
    std::string name;
    std::string value;
  };
  std::vector<attribute> attributes;

  /// Sets an attribute, replacing one of the same name. Text is UTF-8; NUL ends it.
  void set(std::string name, std::string value);
  /// The number with nine digits.
  void set(std::string name, double value);

  /// The value, or nothing when there is no such attribute.
  [[nodiscard]] std::optional<std::string> get(std::string_view name) const;
};

/// What the host knows: schema_version, program, version, argv (the program without its folder,
/// quoted as for a shell), commit, dirty ("0" or "1"), date (ISO 8601, UTC), host, cpu,
/// logical_cores, compilers, flags. The caller adds gpu, driver and cuda. What cannot be found out
/// reads "unknown"; never throws but std::bad_alloc.
[[nodiscard]] run_meta collect_meta(std::string program, int argc, char const* const* argv);

/// The same with what a run on a device adds: backend, gpu, driver, cuda, multiprocessors, seed,
/// repeat, warmup, verify, timeout_s.
[[nodiscard]] run_meta collect_meta(std::string program, int argc, char const* const* argv,
                                    device_properties const& machine, common_options const& common);

/// What NVML says of a GPU: clock_sm_mhz and clock_memory_mhz now, clock_sm_most_mhz and
/// clock_memory_most_mhz, power_limit_w, ecc (0 or 1). What it does not say, and all of it on the
/// host or without NVML, is left out.
void set_gpu_state(run_meta& meta, device_properties const& machine);

}  // namespace gridloom
