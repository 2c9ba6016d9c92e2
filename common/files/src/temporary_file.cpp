#include "temporary_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <utility>

namespace gridloom {
namespace {

std::unique_ptr<temporary_name> create_beside(std::filesystem::path const& target) {
  static std::atomic<unsigned> count{0};
  for (int attempt = 0;; ++attempt) {
    unsigned const number = count.fetch_add(1, std::memory_order_relaxed);
    auto made = std::make_unique<temporary_name>(
        target.string() + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(number),
        [](char const* name) {
          return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        });
    if (made->error() != EEXIST || attempt == 100) return made;
  }
}

}  // namespace

temporary_file::temporary_file(std::filesystem::path const& target)
    : target_{target}, name_{create_beside(target)}, fd_{name_->descriptor()} {}

temporary_file::~temporary_file() {
  if (fd_ >= 0) ::close(fd_);
  if (error() == 0 && is_ != at::target) ::unlink(name().c_str());
}

int temporary_file::append(std::span<std::byte const> bytes) {
  while (!bytes.empty()) {
    std::size_t const step = std::min<std::size_t>(bytes.size(), std::size_t{1} << 30U);
    ssize_t const written = ::write(fd_, bytes.data(), step);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : EIO;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

int temporary_file::finish() {
  if (::fsync(fd_) != 0 && errno != EINVAL) return errno;
  return ::close(std::exchange(fd_, -1)) != 0 ? errno : 0;
}

int temporary_file::replace_target() {
  if (::rename(name().c_str(), target_.c_str()) != 0) return errno;
  is_ = at::target;
  return 0;
}

int temporary_file::exchange_with_target() {
  struct stat old {};
  if (::lstat(target_.c_str(), &old) != 0) return replace_target();
  // Only a regular file may be replaced, but RENAME_EXCHANGE would also accept a folder.
  if (!S_ISREG(old.st_mode)) return S_ISDIR(old.st_mode) ? EISDIR : EINVAL;
  if (::renameat2(AT_FDCWD, name().c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) {
    is_ = at::exchanged;
    return 0;
  }
  return errno == EINVAL || errno == ENOSYS ? replace_target() : errno;
}

void temporary_file::undo() {
  if (is_ == at::exchanged) {
    (void)::renameat2(AT_FDCWD, name().c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE);
  } else if (is_ == at::target) {
    (void)::unlink(target_.c_str());
  }
}

}  // namespace gridloom
