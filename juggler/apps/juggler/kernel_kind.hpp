#pragma once
// Whose tile kernels an application's tasks have.

namespace gridloom::juggler {

/// `loops` are those of the OpenMP sources in examples/apps, as juggler-cc translates them: what is left
/// between such a program and this one is the translation, not the kernel.
enum class kernel_kind { own, loops };

}  // namespace gridloom::juggler
