#pragma once
// Lists of options: two arms of one name could not be told apart.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gridloom/error.hpp"

namespace gridloom::wavefront {

/// Throws usage_error for a number that is there twice.
inline void require_distinct(std::vector<std::int64_t> list, std::string const& option) {
  std::sort(list.begin(), list.end());
  if (auto const twice = std::adjacent_find(list.begin(), list.end()); twice != list.end())
    throw usage_error(option + ": " + std::to_string(*twice) + " is there twice");
}

}  // namespace gridloom::wavefront
