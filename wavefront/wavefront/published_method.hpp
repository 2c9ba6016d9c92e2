#pragma once

namespace gridloom::wavefront {

/// The paper's schedulers (III.A to III.C).
enum class published_method { scanning, single_queue, multi_queue };

}  // namespace gridloom::wavefront
