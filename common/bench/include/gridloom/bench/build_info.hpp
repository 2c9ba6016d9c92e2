#pragma once
// Where this binary came from. The definitions are generated at every build from
// common/bench/src/build_info.cpp.in by cmake/BuildInfo.cmake, so that results name the sources
// they were measured with and not the sources CMake once configured.

#include <string_view>

namespace gridloom {

/// Full hash of the checked-out commit; "unknown" outside a git checkout.
std::string_view build_commit();

/// True when tracked files differed from that commit. Untracked files do not count: results and
/// figures are written into the checkout all the time.
bool build_dirty();

/// Compilers with versions, such as "GNU 12.2.0, NVIDIA 13.0.48".
std::string_view build_compilers();

/// Compile flags of the build type.
std::string_view build_flags();

/// Version of the project, such as "0.1.0".
std::string_view version();

}  // namespace gridloom
