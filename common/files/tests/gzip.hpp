#pragma once
// Compressed text for tests of readers.

#include <zlib.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace gridloom::test {

/// One gzip member, compressed fast. Window bits of 9, the smallest, take the least time to set up.
inline std::string gzip(std::string_view text, int window_bits = 15) {
  z_stream stream{};
  // Adding 16 to the window bits selects gzip's header and checksum.
  int const memory_level = window_bits == 9 ? 1 : 8;
  if (deflateInit2(&stream, 1, Z_DEFLATED, window_bits + 16, memory_level, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::runtime_error("deflateInit2 failed");
  }
  std::string packed(deflateBound(&stream, text.size()), '\0');
  // zlib does not write to its input, but next_in is not const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  int const status = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::runtime_error("deflate failed");
  return packed;
}

}  // namespace gridloom::test
