#include "template_artifact/scale.hpp"

namespace gridloom::template_artifact {

double run_scale(device& machine, buffer<double> const& values, double factor, int blocks,
                 int threads) {
  scale_kernel const kernel{values.data(), static_cast<std::uint32_t>(values.size()), factor};
  return machine.time_ms([&] { machine.launch({blocks, threads}, kernel); });
}

}  // namespace gridloom::template_artifact
