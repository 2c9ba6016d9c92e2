#pragma once
// The file in which fuzz targets pass text to a reader.

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

namespace gridloom::fuzz {

/// A reusable file in memory. Readers open it by its name under /proc.
class memory_file {
 public:
  memory_file() : file_{::memfd_create("fuzz", MFD_CLOEXEC)} {
    if (file_ < 0) throw std::system_error{errno, std::generic_category(), "memfd_create"};
  }
  memory_file(memory_file const&) = delete;
  memory_file& operator=(memory_file const&) = delete;
  ~memory_file() { ::close(file_); }

  void hold(std::string_view text) const {
    if (::ftruncate(file_, 0) != 0 ||
        ::pwrite(file_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
      throw std::system_error{errno, std::generic_category(), "memory file"};
    }
  }
  [[nodiscard]] std::string name() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace gridloom::fuzz
