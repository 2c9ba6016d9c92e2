#pragma once
// The kernel of the template: multiplies a vector by a number. Replace it by what the artifact is
// about; the first paragraph says what, why this method, and the source's section.

#include <cstdint>

#include "gridloom/device.hpp"

namespace gridloom::template_artifact {

/// values[i] *= factor for i below n.
struct scale_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;

  double* values;
  std::uint32_t n;
  double factor;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const me = block.thread();
    for (auto i = static_cast<std::uint32_t>(me.index()); i < n;
         i += static_cast<std::uint32_t>(me.count())) {
      values[i] *= factor;
    }
  }
};

/// Scales on the device and returns the time in ms. The grid is `blocks` × `threads`; any fits.
double run_scale(device& machine, buffer<double> const& values, double factor, int blocks,
                 int threads);

}  // namespace gridloom::template_artifact
