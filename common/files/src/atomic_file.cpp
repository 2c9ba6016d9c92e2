#include "gridloom/files/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/files/same_file.hpp"
#include "temporary_names.hpp"

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

std::string reason(int error) { return std::generic_category().message(error); }

bool is_link(std::filesystem::path const& path) {
  std::error_code none_there;
  return std::filesystem::is_symlink(std::filesystem::symlink_status(path, none_there));
}

/// A file under a temporary name beside its target, which it replaces in one step. Each step
/// returns 0 or the error number. The destructor, or a signal that ends the process, removes the
/// file if it has not replaced its target.
class temporary_file {
 public:
  /// Creates the file, or sets error(). The process id and a counter make the name unique.
  explicit temporary_file(std::filesystem::path const& target)
      : target_{target}, name_{create_beside(target)}, fd_{name_->descriptor()} {}
  temporary_file(temporary_file const&) = delete;
  temporary_file& operator=(temporary_file const&) = delete;
  ~temporary_file() {
    if (fd_ >= 0) ::close(fd_);
    if (error() == 0 && is_ != at::target) ::unlink(name().c_str());
  }

  [[nodiscard]] int error() const { return name_->error(); }
  [[nodiscard]] std::string const& name() const { return name_->name(); }

  [[nodiscard]] int append(std::span<std::byte const> bytes) {
    while (!bytes.empty()) {
      std::size_t const step = std::min<std::size_t>(bytes.size(), std::size_t{1} << 30U);
      ssize_t const written = ::write(fd_, bytes.data(), step);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return written < 0 ? errno : EIO;
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return 0;
  }
  /// Flushes and closes the file. Network file systems report a full disk only at close(2).
  [[nodiscard]] int finish() {
    if (::fsync(fd_) != 0 && errno != EINVAL) return errno;
    return ::close(std::exchange(fd_, -1)) != 0 ? errno : 0;
  }

  /// Allocates no memory, like the functions below (see signals_wait).
  [[nodiscard]] int replace_target() {
    if (::rename(name().c_str(), target_.c_str()) != 0) return errno;
    is_ = at::target;
    return 0;
  }
  /// Replaces the target. The old file gets the temporary name, so that undo() can restore it. On
  /// file systems that cannot exchange two names, the old file is lost.
  [[nodiscard]] int exchange_with_target() {
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
  void undo() {
    if (is_ == at::exchanged) {
      (void)::renameat2(AT_FDCWD, name().c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE);
    } else if (is_ == at::target) {
      (void)::unlink(target_.c_str());
    }
  }

 private:
  enum class at { own_name, target, exchanged };

  std::filesystem::path target_;
  std::unique_ptr<temporary_name> name_;
  int fd_;
  at is_ = at::own_name;
};

}  // namespace

struct files_together::state {
  struct part {
    std::filesystem::path path;
    std::unique_ptr<temporary_file> file;
  };
  // The members are destroyed in reverse order, so locks are released after all files are removed.
  std::vector<std::shared_ptr<void const>> kept;
  std::vector<part> parts;
};

namespace {

// The files_together of this thread, or null.
thread_local files_together::state* collecting = nullptr;

[[noreturn]] void fail(std::filesystem::path const& path, int error) {
  throw run_error(path.string() + ": cannot write: " + reason(error));
}

// `fill` writes the contents and returns 0 or the error number.
template <typename Fill>
void replace(std::filesystem::path const& path, Fill const& fill) {
  std::filesystem::path const target = destination_of(path);
  // If links form a circle, the rename would replace a link.
  if (is_link(target)) fail(path, ELOOP);
  auto temporary = std::make_unique<temporary_file>(target);
  int error = temporary->error();
  if (error == 0) error = fill(*temporary);
  if (error == 0) error = temporary->finish();
  if (error == 0 && collecting != nullptr) {
    collecting->parts.push_back({path, std::move(temporary)});
    return;
  }
  if (error == 0) error = temporary->replace_target();
  if (error != 0) fail(path, error);
}

}  // namespace

files_together::files_together() : state_{std::make_unique<state>()} {
  if (collecting != nullptr) throw std::invalid_argument("files_together: one at a time a thread");
  collecting = state_.get();
}

files_together::~files_together() {
  if (collecting == state_.get()) collecting = nullptr;
}

void files_together::put_in_place() {
  auto& parts = state_->parts;
  std::size_t done = 0;
  int error = 0;
  {
    signals_wait const whole;
    if (whole.too_late() && !parts.empty()) error = EINTR;
    while (error == 0 && done < parts.size()) {
      temporary_file& file = *parts[done].file;
      error = done + 1 < parts.size() ? file.exchange_with_target() : file.replace_target();
      if (error == 0) ++done;
    }
    if (error != 0) {
      for (std::size_t k = 0; k < done; ++k) parts[k].file->undo();
    }
  }
  if (error != 0) {
    std::filesystem::path const failed = parts[done].path;
    parts.clear();
    fail(failed, error);
  }
  // Removes the old files, which now have the temporary names.
  parts.clear();
  state_->kept.clear();
}

void until_in_place(std::shared_ptr<void const> owner) {
  if (collecting != nullptr) collecting->kept.push_back(std::move(owner));
}

void replace_file(std::filesystem::path const& path, std::span<std::byte const> bytes) {
  replace(path, [&](temporary_file& file) { return file.append(bytes); });
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
