#pragma once
// The attributes of /meta: program, sources, machine and parameters of a run.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gridloom/backend/types.hpp"
#include "gridloom/bench/options.hpp"

namespace gridloom {

/// Version of the layout of results files. Files of other versions cannot be appended to.
inline constexpr std::string_view results_schema_version = "2";

/// Named text attributes in the order in which they were set.
struct run_meta {
  struct attribute {
    std::string name;
    std::string value;
  };
  std::vector<attribute> attributes;

  /// Sets or replaces an attribute. Text is UTF-8 and ends at its first NUL.
  void set(std::string name, std::string value);
  /// Sets a number with nine digits.
  void set(std::string name, double value);

  /// The value, or nothing if there is no such attribute.
  [[nodiscard]] std::optional<std::string> get(std::string_view name) const;
};

/// The facts of the host: schema_version, program, version, commit, dirty ("0" or "1"), date (ISO
/// 8601, UTC), host, cpu, logical_cores, compilers, flags. `argv` is quoted for a shell and has the
/// program without its folder. Unknown facts are "unknown".
[[nodiscard]] run_meta collect_meta(std::string program, int argc, char const* const* argv);

/// The facts of the host and of a run: backend, gpu, driver, cuda, multiprocessors, seed, repeat,
/// warmup, verify, timeout_s.
[[nodiscard]] run_meta collect_meta(std::string program, int argc, char const* const* argv,
                                    device_properties const& machine, common_options const& common);

/// Sets the facts of a GPU that NVML knows: clock_sm_mhz, clock_memory_mhz, clock_sm_most_mhz,
/// clock_memory_most_mhz, power_limit_w, ecc (0 or 1). Facts that are unknown, as all are on the
/// host or without NVML, are omitted.
void set_gpu_state(run_meta& meta, device_properties const& machine);

}  // namespace gridloom
