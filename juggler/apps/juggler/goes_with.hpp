#pragma once
// Refuses options that would be ignored.

#include <initializer_list>
#include <string>

#include "gridloom/bench/options.hpp"
#include "gridloom/error.hpp"

namespace gridloom::juggler {

/// Throws usage_error "--option: goes with ..." for the first option that was given, unless `there`.
inline void require_with(command_line const& line, bool there, std::string const& what,
                         std::initializer_list<char const*> options) {
  for (char const* option : options) {
    if (line.given(option) && !there)
      throw usage_error("--" + std::string(option) + ": goes with " + what);
  }
}

}  // namespace gridloom::juggler
