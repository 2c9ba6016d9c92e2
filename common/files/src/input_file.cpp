#include "gridloom/files/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#include "gridloom/error.hpp"

namespace gridloom {
namespace {

[[noreturn]] void refuse_reading(std::filesystem::path const& path, int error) {
  throw usage_error(path.string() + ": cannot read: " + std::generic_category().message(error));
}

char const* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "another kind";
}

// Calls `step(room, bytes, done)`, which reads like read(2), until all bytes are read.
template <typename Step>
std::size_t read_all(std::filesystem::path const& path, void* room, std::size_t bytes,
                     Step const& step) {
  constexpr std::size_t longest = std::size_t{1} << 30U;
  std::size_t done = 0;
  while (done < bytes) {
    ssize_t const got =
        step(static_cast<char*>(room) + done, std::min(bytes - done, longest), done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_reading(path, errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace

// Without O_NONBLOCK, opening a pipe would wait for a writer.
input_file::input_file(std::filesystem::path const& path)
    : path_{path}, fd_{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)} {
  struct stat status {};
  if (fd_ >= 0 && ::fstat(fd_, &status) == 0 && S_ISREG(status.st_mode)) {
    size_ = static_cast<std::uint64_t>(status.st_size);
    return;
  }
  int const error = errno;
  // A socket, or a device without a driver, exists but cannot be opened.
  bool const is_there = fd_ >= 0 || ::stat(path.c_str(), &status) == 0;
  if (fd_ >= 0) ::close(fd_);
  if (!is_there || S_ISREG(status.st_mode)) refuse_reading(path, error);
  throw usage_error(path.string() + ": expected a regular file, got " + kind_of(status.st_mode));
}

input_file::~input_file() { ::close(fd_); }

std::size_t input_file::read(void* room, std::size_t bytes) {
  return read_all(path_, room, bytes, [this](char* to, std::size_t count, std::size_t) {
    return ::read(fd_, to, count);
  });
}

std::size_t input_file::read_at(std::uint64_t place, void* room, std::size_t bytes) {
  return read_all(path_, room, bytes, [&](char* to, std::size_t count, std::size_t done) {
    return ::pread(fd_, to, count, static_cast<off_t>(place + done));
  });
}

std::vector<std::byte> read_file(std::filesystem::path const& path) {
  input_file file{path};
  std::vector<std::byte> bytes(static_cast<std::size_t>(file.size()));
  bytes.resize(file.read(bytes.data(), bytes.size()));
  return bytes;
}

void require_readable(std::filesystem::path const& path) { input_file const file{path}; }

}  // namespace gridloom
