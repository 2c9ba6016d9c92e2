#include "gridloom/file/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "gridloom/error.hpp"

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

// Keeps an interrupt from leaving a temporary behind; it is delivered at the end of the scope.
class signals_held {
 public:
  signals_held() {
    sigset_t held;
    sigemptyset(&held);
    for (int const signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  signals_held(signals_held const&) = delete;
  signals_held& operator=(signals_held const&) = delete;
  ~signals_held() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  [[nodiscard]] static bool any_waits() {
    sigset_t waiting;
    sigpending(&waiting);
    return sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1 ||
           sigismember(&waiting, SIGHUP) == 1;
  }

 private:
  sigset_t before_{};
};

class temporary_file {
 public:
  // Errors are left in error(); the process id and a count make the name new.
  explicit temporary_file(std::filesystem::path const& target) : fd_{create(target, name_)} {
    error_ = fd_.get() < 0 ? errno : 0;
  }
  temporary_file(temporary_file const&) = delete;
  temporary_file& operator=(temporary_file const&) = delete;
  ~temporary_file() {
    if (created()) ::unlink(name_.c_str());
  }

  [[nodiscard]] int error() const { return error_; }
  [[nodiscard]] std::string const& name() const { return name_; }

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
    if (::rename(name_.c_str(), target.c_str()) != 0) return errno;
    renamed_ = true;
    return 0;
  }

 private:
  static int create(std::filesystem::path const& target, std::string& name) {
    static std::atomic<unsigned> count{0};
    for (int attempt = 0;; ++attempt) {
      unsigned const number = count.fetch_add(1, std::memory_order_relaxed);
      name = target.string() + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(number);
      int const fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (fd >= 0 || errno != EEXIST || attempt == 100) return fd;
    }
  }

  [[nodiscard]] bool created() const { return error_ == 0 && !renamed_; }

  std::string name_;
  descriptor fd_;
  int error_ = 0;
  bool renamed_ = false;
};

// rename(2) would replace a link, not the file behind it.
std::filesystem::path behind_links(std::filesystem::path const& path) {
  std::error_code failed;
  std::filesystem::path resolved = std::filesystem::canonical(path, failed);
  return failed ? path : resolved;
}

// `fill` writes the contents and returns 0 or the error number.
template <typename Fill>
void replace(std::filesystem::path const& path, Fill const& fill) {
  std::filesystem::path const target = behind_links(path);
  signals_held const held;
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
    for (std::vector<std::byte> piece; error == 0 && next(piece);) {
      error = signals_held::any_waits() ? EINTR : file.append(piece);
    }
    return error;
  });
}

std::string probe_beside(std::filesystem::path const& path) {
  signals_held const held;
  temporary_file const temporary{behind_links(path)};
  return temporary.error() == 0 ? std::string{} : reason(temporary.error());
}

void require_readable(std::filesystem::path const& path) {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  descriptor const file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.get() < 0) throw usage_error(path.string() + ": cannot read: " + reason(errno));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    throw usage_error(path.string() + ": expected a regular file");
  }
}

std::vector<std::byte> read_file(std::filesystem::path const& path) {
  require_readable(path);
  descriptor const file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) {
    throw usage_error(path.string() + ": cannot read: " + reason(errno));
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  std::size_t done = 0;
  while (done < bytes.size()) {
    ssize_t const got = ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw usage_error(path.string() + ": cannot read: " + reason(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace gridloom
