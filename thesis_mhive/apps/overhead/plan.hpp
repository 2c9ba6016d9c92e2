#pragma once
// What the overhead program is asked for, and the arms that makes.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "arm.hpp"

namespace gridloom::mhive::overhead {

inline std::vector<std::string> const all_schedulers{
    "time_sliced",         "megakernel", "megakernel_1024", "megakernel_1536", "device_controller",
    "resident_controller", "graph"};
inline std::vector<std::string> const all_forms{"queue", "enqueue", "individual", "grouped",
                                                "phases"};

/// What a user asks for beside the common options.
struct request {
  std::string experiment = "custom";
  std::vector<std::string> schedulers = all_schedulers;
  std::vector<std::string> forms = all_forms;
  std::vector<std::int64_t> worker_sizes{32};
  std::vector<std::int64_t> widths{1024};
  std::vector<std::int64_t> work{0};
  std::int64_t layers = 100;
};

/// Throws usage_error, naming the option: a worker size that there is not, a value given twice.
void require_lists(request const& wanted);

/// The arms of an experiment.
[[nodiscard]] std::vector<arm> plan(request const& wanted, bool on_host, int multiprocessors);

/// Throws usage_error, naming --width and --layers, when the arms do not fit the machine's memory
/// together: all are made ready before the first is timed.
void require_memory(device_properties const& machine, std::span<arm const> arms);

}  // namespace gridloom::mhive::overhead
