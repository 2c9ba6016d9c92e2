#pragma once
// The sources and compilers of this binary. cmake/BuildInfo.cmake generates the definitions from
// common/bench/src/build_info.cpp.in at every build. So results name the sources that were
// measured, not those of the last run of CMake.

#include <string_view>

namespace gridloom {

/// Full hash of the checked-out commit; "unknown" outside a git checkout.
std::string_view build_commit();

/// Whether tracked files differed from that commit. Untracked files do not count, because results
/// and figures are often written into the checkout.
bool build_dirty();

/// Compilers with versions, such as "GNU 12.2.0, NVIDIA 13.0.48".
std::string_view build_compilers();

/// Compile flags of the build type.
std::string_view build_flags();

/// Version of the project, such as "0.1.0".
std::string_view version();

}  // namespace gridloom
