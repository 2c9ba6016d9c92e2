// The checksum after the end of the project's HDF5 files.
//
// A damaged file can crash the library that opens it. So the bytes are compared with a checksum
// before HDF5 reads them. HDF5 ignores bytes after a file's end. The last 12 bytes are the word
// GRIDLOOM and the CRC-32 (as in zlib, little-endian) of all bytes before these 12. Scripts do the
// same (datasets/gridloom_datasets/hdf5.py).

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/files/hdf5_io.hpp"
#include "gridloom/files/input_file.hpp"

namespace gridloom {
namespace {

static_assert(std::endian::native == std::endian::little, "the checksum is stored as it is");

struct trailer {
  char magic[8] = {'G', 'R', 'I', 'D', 'L', 'O', 'O', 'M'};
  std::uint32_t crc = 0;
};
static_assert(sizeof(trailer) == 12);

std::uint32_t crc_of(std::uint32_t before, std::byte const* bytes, std::size_t count) {
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<unsigned char const*>(bytes), count));
}

}  // namespace

void add_checksum(std::vector<std::byte>& bytes) {
  trailer end;
  end.crc = crc_of(0, bytes.data(), bytes.size());
  bytes.resize(bytes.size() + sizeof end);
  std::memcpy(bytes.data() + bytes.size() - sizeof end, &end, sizeof end);
}

bool has_checksum(std::filesystem::path const& path) {
  input_file file{path};
  trailer end;
  if (file.size() < sizeof end) return false;
  std::uint64_t left = file.size() - sizeof end;
  if (file.read_at(left, &end, sizeof end) != sizeof end ||
      std::memcmp(end.magic, trailer{}.magic, sizeof end.magic) != 0) {
    return false;
  }
  std::uint32_t crc = 0;
  std::vector<std::byte> piece(std::min<std::uint64_t>(left, std::uint64_t{1} << 20U));
  while (left > 0) {
    std::size_t const read = file.read(piece.data(), std::min<std::uint64_t>(left, piece.size()));
    if (read == 0) break;
    crc = crc_of(crc, piece.data(), read);
    left -= read;
  }
  if (left == 0 && crc == end.crc) return true;
  throw usage_error(path.string() +
                    ": damaged, its bytes differ from its checksum; if you changed the file, run "
                    "scripts/renew_checksum " +
                    path.string());
}

}  // namespace gridloom
