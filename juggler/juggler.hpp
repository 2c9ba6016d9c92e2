#pragma once
// The only header that a program with tasks of its own includes; apps/example is such a program. It
// launches kernels, so a source that includes it is declared with gridloom_kernel_sources, and nvcc
// compiles it for the CUDA backend.

#include <memory>
#include <string_view>

#include "juggler/app_context.hpp"
#include "juggler/ours/make_runtime.hpp"

namespace gridloom::juggler {

/// Makes an executor for the tasks of a context, after build_csr(). `policy` is `lrr`, `grr`,
/// `grr-block`, `lf`, `lf-task`, `lts` or `lts-slots`. The machine must outlive the executor. The tasks' data must be in that
/// machine's memory. Throws usage_error if there is no such policy or a setting is out of range.
template <application App>
std::unique_ptr<executor> make_runtime(std::string_view policy, device& machine,
                                       app_context<typename App::task_data> const& context,
                                       App const& app, execution_settings const& settings = {}) {
  return policies::make(policy, machine, context.dag(), context.data(), settings, app);
}

}  // namespace gridloom::juggler
