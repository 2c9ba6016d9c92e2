#pragma once
// Formats numbers for messages, with six digits.

#include <cstdio>
#include <string>

namespace gridloom::tiled_qr {

inline std::string shown(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", number);
  return text;
}

}  // namespace gridloom::tiled_qr
