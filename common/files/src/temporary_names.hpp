#pragma once
// The names of files that must not outlive the process: temporary files and locks. SIGINT, SIGTERM,
// SIGHUP and SIGQUIT remove these files, whichever thread receives the signal, and then end the
// process as usual. If the program or its parent handles or ignores a signal (nohup ignores
// SIGHUP), this stays so.

#include <csignal>
#include <functional>
#include <string>

namespace gridloom {

/// One temporary file, from its creation to its removal or renaming. Any thread may use it.
class temporary_name {
 public:
  /// `create` makes the file of this name and returns a descriptor, or -1 with errno. No signal can
  /// come between the creation and the registration.
  temporary_name(std::string name, std::function<int(char const* name)> const& create);
  temporary_name(temporary_name const&) = delete;
  temporary_name& operator=(temporary_name const&) = delete;
  /// Forgets the file. The caller has renamed or removed it.
  ~temporary_name();

  /// The result of `create`. The caller closes the descriptor.
  [[nodiscard]] int descriptor() const { return fd_; }
  /// errno if `create` returned -1, else 0.
  [[nodiscard]] int error() const { return error_; }
  [[nodiscard]] std::string const& name() const { return name_; }

 private:
  std::string name_;
  /// Index of the registered name, or -1.
  int place_;
  int fd_ = -1;
  int error_ = 0;
};

/// Delays the signals that remove files during its lifetime. Meanwhile its thread must not allocate
/// or free memory, because the thread that handles the signal may hold the allocator's lock.
class signals_wait {
 public:
  signals_wait();
  signals_wait(signals_wait const&) = delete;
  signals_wait& operator=(signals_wait const&) = delete;
  ~signals_wait();

  /// Whether a signal came earlier, so that the process ends and its files are removed.
  [[nodiscard]] bool too_late() const { return too_late_; }

 private:
  sigset_t before_{};
  int place_;
  bool too_late_;
};

}  // namespace gridloom
