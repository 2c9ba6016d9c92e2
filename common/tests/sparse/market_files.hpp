#pragma once
// Text to files and back, for the tests of the readers.

#include <zlib.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "../test_support.hpp"

namespace gridloom::test {

inline void write_text(std::filesystem::path const& path, std::string_view text) {
  std::ofstream{path, std::ios::binary}.write(text.data(),
                                              static_cast<std::streamsize>(text.size()));
}

inline std::string read_text(std::filesystem::path const& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// One gzip member.
inline std::string gzip(std::string_view text) {
  std::string out(text.size() + text.size() / 100 + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string copy{text};
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace gridloom::test
