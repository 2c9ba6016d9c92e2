#include "template_artifact/scale.hpp"

namespace gridloom::template_artifact {

scaler::scaler(device& machine, std::size_t n, launch_shape shape, double timeout_s)
    : machine_(machine),
      shape_(shape),
      values_(machine.allocate<double>(n)),
      next_(machine.allocate<std::uint32_t>(1)),
      dog_(machine, shape.blocks, timeout_s) {}

void scaler::scale(double factor) {
  machine_.launch(shape_,
                  scale_kernel{values_.data(), static_cast<std::uint32_t>(values_.size()), factor});
}

void scaler::scale_by_claims(double factor, trace_ref trace) {
  machine_.fill_bytes(next_, 0);
  machine_.launch(shape_, claim_kernel{values_.data(), static_cast<std::uint32_t>(values_.size()),
                                       factor, next_.data(), dog_.arm(), trace});
}

}  // namespace gridloom::template_artifact
