#include "gridloom/file/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/file/same_file.hpp"
#include "temporary_names.hpp"

namespace gridloom {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

class descriptor {
 public:
  explicit descriptor(int fd) : fd_{fd} {}
  descriptor(descriptor const&) = delete;
  descriptor& operator=(descriptor const&) = delete;
  ~descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }
  // The result of close(2): network file systems report a full disk only here.
  [[nodiscard]] int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

class temporary_file {
 public:
  // Errors are left in error(); the process id and a count make the name new.
  explicit temporary_file(std::filesystem::path const& target)
      : registered_{create(target)}, fd_{registered_->descriptor()} {}
  temporary_file(temporary_file const&) = delete;
  temporary_file& operator=(temporary_file const&) = delete;
  ~temporary_file() {
    if (error() == 0 && !renamed_) ::unlink(name().c_str());
  }

  [[nodiscard]] int error() const { return registered_->error(); }
  [[nodiscard]] std::string const& name() const { return registered_->name(); }

  // Each step returns 0 or the error number.
  [[nodiscard]] int append(std::span<std::byte const> bytes) {
    while (!bytes.empty()) {
      std::size_t const step = std::min<std::size_t>(bytes.size(), std::size_t{1} << 30U);
      ssize_t const written = ::write(fd_.get(), bytes.data(), step);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return written < 0 ? errno : EIO;
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return 0;
  }

  // Some network file systems say only when they are flushed that there is no room.
  [[nodiscard]] int reserve(std::size_t bytes) {
    int error = 0;
    do {
      error = ::posix_fallocate(fd_.get(), 0, static_cast<off_t>(bytes));
    } while (error == EINTR);
    return error != 0 || ::fsync(fd_.get()) == 0 || errno == EINVAL ? error : errno;
  }

  [[nodiscard]] int finish() {
    if (::fsync(fd_.get()) != 0 && errno != EINVAL) return errno;
    return fd_.close() != 0 ? errno : 0;
  }

  [[nodiscard]] int rename_to(std::filesystem::path const& target) {
    if (::rename(name().c_str(), target.c_str()) != 0) return errno;
    renamed_ = true;
    return 0;
  }

 private:
  static std::unique_ptr<temporary_name> create(std::filesystem::path const& target) {
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

  std::unique_ptr<temporary_name> registered_;
  descriptor fd_;
  bool renamed_ = false;
};

bool is_link(std::filesystem::path const& path) {
  std::error_code none_there;
  return std::filesystem::is_symlink(std::filesystem::symlink_status(path, none_there));
}

// `fill` writes the contents and returns 0 or the error number.
template <typename Fill>
void replace(std::filesystem::path const& path, Fill const& fill) {
  std::filesystem::path const target = destination_of(path);
  // Of links that lead in a circle, none would be followed but replaced.
  if (is_link(target)) throw run_error(path.string() + ": cannot write: " + reason(ELOOP));
  temporary_file temporary{target};
  int error = temporary.error();
  if (error == 0) error = fill(temporary);
  if (error == 0) error = temporary.finish();
  if (error == 0) error = temporary.rename_to(target);
  if (error != 0) throw run_error(path.string() + ": cannot write: " + reason(error));
}

}  // namespace

void replace_file(std::filesystem::path const& path, std::span<std::byte const> bytes) {
  replace(path, [&](temporary_file& file) { return file.append(bytes); });
}

void replace_file(std::filesystem::path const& path, std::size_t bytes,
                  std::function<void(std::filesystem::path const& temporary)> const& fill) {
  replace(path, [&](temporary_file& file) {
    int const error = file.reserve(bytes);
    if (error == 0) fill(file.name());
    return error;
  });
}

void replace_file(std::filesystem::path const& path,
                  std::function<bool(std::vector<std::byte>& piece)> const& next) {
  replace(path, [&](temporary_file& file) {
    int error = 0;
    for (std::vector<std::byte> piece; error == 0 && next(piece);) error = file.append(piece);
    return error;
  });
}

std::string probe_beside(std::filesystem::path const& path) {
  std::filesystem::path const target = destination_of(path);
  if (is_link(target)) return reason(ELOOP);
  temporary_file const temporary{target};
  return temporary.error() == 0 ? std::string{} : reason(temporary.error());
}

}  // namespace gridloom
