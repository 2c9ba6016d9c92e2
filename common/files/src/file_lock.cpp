#include "gridloom/files/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <string>
#include <system_error>
#include <thread>

#include "gridloom/error.hpp"
#include "gridloom/files/same_file.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/printable.hpp"
#include "temporary_names.hpp"

namespace gridloom {
namespace {

using clock = std::chrono::steady_clock;

bool is_lock(struct stat const& file) { return S_ISREG(file.st_mode) && file.st_size == 0; }

[[noreturn]] void refuse_name(std::filesystem::path const& path, std::string const& name) {
  throw usage_error(path.string() + ": expected no other file with the name of its lock, " + name);
}

// Returns the descriptor of the held lock, or -1 with errno EWOULDBLOCK if another process holds
// it. Holders remove the lock file before they release it, so a file that was just locked may have
// lost its name.
int try_lock(char const* name) {
  for (;;) {
    int const fd = ::open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0) return -1;
    struct stat held {};
    struct stat named {};
    if (::fstat(fd, &held) == 0 && !is_lock(held)) {
      ::close(fd);
      errno = EEXIST;
      return -1;
    }
    bool const is_held = ::flock(fd, LOCK_EX | LOCK_NB) == 0;
    int const error = is_held ? 0 : errno;
    if (is_held && ::fstat(fd, &held) == 0 && ::stat(name, &named) == 0 &&
        held.st_ino == named.st_ino && held.st_dev == named.st_dev) {
      return fd;
    }
    ::close(fd);
    if (is_held) continue;
    errno = error;
    return -1;
  }
}

void say_waiting(std::filesystem::path const& path) {
  std::string const line = std::string{program_invocation_short_name} + ": " +
                           printable(path.string()) +
                           ": another program adds to it, waiting until it is done\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

std::string lock_name_of(std::filesystem::path const& path) {
  return destination_of(path).string() + ".lock";
}

void require_lock_name(std::filesystem::path const& path) {
  std::string const name = lock_name_of(path);
  struct stat there {};
  if (::lstat(name.c_str(), &there) == 0 && !is_lock(there)) refuse_name(path, name);
}

file_lock::file_lock(std::filesystem::path const& path, double timeout_s) {
  constexpr auto pause = std::chrono::milliseconds{20};
  std::string const name = lock_name_of(path);
  auto const begin = clock::now();
  bool told = false;
  for (;;) {
    held_ = std::make_unique<temporary_name>(name, try_lock);
    if (held_->error() == 0) return;
    int const error = held_->error();
    if (error == EEXIST || error == ELOOP || error == EISDIR) refuse_name(path, name);
    if (error != EWOULDBLOCK) {
      throw run_error(path.string() + ": cannot lock \"" + name +
                      "\": " + std::generic_category().message(error));
    }
    if (std::chrono::duration<double>(clock::now() - begin).count() >= timeout_s) {
      throw usage_error(path.string() + ": expected it to be free within --timeout-s " +
                        shown(timeout_s) + ", but another program still adds to it");
    }
    if (!told) say_waiting(path);
    told = true;
    std::this_thread::sleep_for(pause);
  }
}

file_lock::~file_lock() {
  // The name is removed before the lock is released. If another process then locks the nameless
  // file, it tries again.
  ::unlink(held_->name().c_str());
  ::close(held_->descriptor());
}

}  // namespace gridloom
