#pragma once
// The names of files that must not outlive the process: parts that are being written, and locks.
// SIGINT, SIGTERM, SIGHUP and SIGQUIT remove them, whichever thread takes the signal, and end the
// process as they would have without. What the program or its parent has set up for a signal
// (nohup ignores SIGHUP) stays.

#include <csignal>
#include <functional>
#include <string>

namespace gridloom {

/// One file of the process, from its creation to its end. Any thread.
class temporary_name {
 public:
  /// `create` makes the file of this name and returns a descriptor, or -1 with errno. No signal
  /// can come between the file and its registration.
  temporary_name(std::string name, std::function<int(char const* name)> const& create);
  temporary_name(temporary_name const&) = delete;
  temporary_name& operator=(temporary_name const&) = delete;
  /// The file stays where it is: the caller has renamed or removed it.
  ~temporary_name();

  /// What `create` returned, and errno if that was -1. The descriptor is the caller's to close.
  [[nodiscard]] int descriptor() const { return fd_; }
  [[nodiscard]] int error() const { return error_; }
  [[nodiscard]] std::string const& name() const { return name_; }

 private:
  std::string name_;
  int place_;  // among the registered names; -1: in none
  int fd_ = -1;
  int error_ = 0;
};

/// While it lives, the signals that remove files wait: they end the process before or after. Its
/// thread allocates and frees nothing meanwhile, for the thread that waits may hold that lock.
class signals_wait {
 public:
  signals_wait();
  signals_wait(signals_wait const&) = delete;
  signals_wait& operator=(signals_wait const&) = delete;
  ~signals_wait();

  /// A signal came before: the files go, and the process ends.
  [[nodiscard]] bool too_late() const { return too_late_; }

 private:
  sigset_t before_{};
  int place_;
  bool too_late_;
};

}  // namespace gridloom
