#pragma once
// Refuses repeated values in lists of options, which would be measured twice under one name.

#include <algorithm>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "gridloom/error.hpp"

namespace gridloom::tiled_qr {

/// Throws usage_error if a number occurs twice; `written` formats the number as the user wrote it.
template <class Number, class Written = std::identity>
void require_distinct(std::string const& option, std::vector<Number> all,
                      Written const& written = {}) {
  std::sort(all.begin(), all.end());
  auto const twice = std::adjacent_find(all.begin(), all.end());
  if (twice == all.end()) return;
  std::ostringstream text;
  text << option << ": " << written(*twice) << " is given twice";
  throw usage_error(text.str());
}

}  // namespace gridloom::tiled_qr
