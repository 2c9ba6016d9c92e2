// Facts of a GPU from NVML. This library belongs to the driver, so it is opened at run time and not
// linked. If it is missing, the attributes are omitted.

#include <dlfcn.h>

#include <string>

#include "gridloom/bench/run_meta.hpp"

namespace gridloom {
namespace {

// Constants of nvml.h. A status of 0 is success.
using handle = void*;
constexpr unsigned clock_sm = 1;
constexpr unsigned clock_memory = 2;

class nvml {
 public:
  nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL)) {
    there_ = library_ != nullptr && call<int (*)()>("nvmlInit_v2") == 0;
  }
  nvml(nvml const&) = delete;
  nvml& operator=(nvml const&) = delete;
  ~nvml() {
    if (there_) (void)call<int (*)()>("nvmlShutdown");
    if (library_ != nullptr) (void)dlclose(library_);
  }
  [[nodiscard]] bool there() const { return there_; }

  /// Calls the library's function of this name. Returns an error status if it has none.
  template <class Function, class... Arguments>
  int call(char const* name, Arguments... arguments) const {
    auto const function = reinterpret_cast<Function>(dlsym(library_, name));
    return function == nullptr ? -1 : function(arguments...);
  }

 private:
  void* library_;
  bool there_;
};

}  // namespace

void set_gpu_state(run_meta& meta, device_properties const& machine) {
  if (machine.bus_id.empty()) return;
  nvml const library;
  handle gpu = nullptr;
  if (!library.there() ||
      library.call<int (*)(char const*, handle*)>("nvmlDeviceGetHandleByPciBusId_v2",
                                                  machine.bus_id.c_str(), &gpu) != 0) {
    return;
  }
  unsigned value = 0;
  auto const set = [&](char const* name, int status, unsigned divisor = 1) {
    if (status == 0) meta.set(name, std::to_string(value / divisor));
  };
  using clock_query = int (*)(handle, unsigned, unsigned*);
  set("clock_sm_mhz", library.call<clock_query>("nvmlDeviceGetClockInfo", gpu, clock_sm, &value));
  set("clock_sm_most_mhz",
      library.call<clock_query>("nvmlDeviceGetMaxClockInfo", gpu, clock_sm, &value));
  set("clock_memory_mhz",
      library.call<clock_query>("nvmlDeviceGetClockInfo", gpu, clock_memory, &value));
  set("clock_memory_most_mhz",
      library.call<clock_query>("nvmlDeviceGetMaxClockInfo", gpu, clock_memory, &value));
  set("power_limit_w",
      library.call<int (*)(handle, unsigned*)>("nvmlDeviceGetPowerManagementLimit", gpu, &value),
      1000);
  unsigned pending = 0;
  set("ecc", library.call<int (*)(handle, unsigned*, unsigned*)>("nvmlDeviceGetEccMode", gpu,
                                                                 &value, &pending));
}

}  // namespace gridloom
