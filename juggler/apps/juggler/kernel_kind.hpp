#pragma once
// Which tile kernels the tasks of an application use.

namespace gridloom::juggler {

/// `loops` are the kernels of the OpenMP sources in examples/apps, as juggler-cc translates them.
/// With them, a translated program and this one differ by the translation alone.
enum class kernel_kind { own, loops };

}  // namespace gridloom::juggler
