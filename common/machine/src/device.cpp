#include "gridloom/device.hpp"

namespace gridloom {

device::device(std::string const& backend, int ordinal) {
  if (backend != "auto" && backend != "host" && backend != "cuda") {
    throw usage_error("--backend: expected auto, host or cuda, got \"" + backend + "\"");
  }
#if GRIDLOOM_HAS_CUDA
  int const devices = cuda_backend::device_count();
  if (backend == "cuda" && devices == 0)
    throw usage_error("--backend cuda: found no CUDA device; use --backend host");
  if (backend != "host" && devices > 0) {
    if (ordinal < 0 || ordinal >= devices) {
      throw usage_error("--device: expected 0 to " + std::to_string(devices - 1) + ", got " +
                        std::to_string(ordinal));
    }
    cuda_ = std::make_unique<cuda_backend>(ordinal);
    properties_ = cuda_->properties();
    if (properties_.compute_capability < 80) {
      throw usage_error("--device: " + properties_.name +
                        " is older than compute capability 8.0; use a newer one" +
                        " or --backend host");
    }
    return;
  }
#else
  if (backend == "cuda")
    throw usage_error(
        "--backend cuda: this build has no CUDA backend; build with the CUDA toolkit, or use "
        "--backend host");
#endif
  if (ordinal != 0)
    throw usage_error("--device: the host backend has device 0 only, got " +
                      std::to_string(ordinal));
  host_ = std::make_unique<host_backend>();
  properties_ = host_->properties();
}

void device::require_shape(launch_shape shape, bool persistent) const {
  if (shape.blocks < 1)
    throw usage_error("a launch needs at least one block, got " + std::to_string(shape.blocks));
  if (is_host() && !persistent && shape.blocks > host_backend::max_workers) {
    throw usage_error("--workers: the host backend starts at most " +
                      std::to_string(host_backend::max_workers) + " threads, got " +
                      std::to_string(shape.blocks));
  }
  if (!is_host() && (shape.threads < 1 || shape.threads > properties_.max_threads)) {
    throw usage_error("block size: " + properties_.name + " supports 1 to " +
                      std::to_string(properties_.max_threads) + " threads per block, got " +
                      std::to_string(shape.threads));
  }
}

void device::require_resident(launch_shape shape, int resident) const {
  if (shape.blocks <= resident) return;
  throw grid_error("grid of " + std::to_string(shape.blocks) + " blocks of " +
                   std::to_string(shape.threads) + " threads: " + properties_.name + " holds " +
                   std::to_string(resident) +
                   " of them at once, but blocks of this kernel wait for each other; use fewer "
                   "workers or threads");
}

}  // namespace gridloom
