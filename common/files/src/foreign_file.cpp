// Files without a checksum are first read in a child process.
//
// The HDF5 library trusts the contents of a file (versions 1.10 and 1.14). A damaged file can make
// it write beyond its buffers, divide by zero or loop forever, even if it only opens a group. So a
// child reads the file first. If the child dies, the file is damaged. If it succeeds, the same
// steps on the same file are safe in this process.

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <string>
#include <system_error>

#include "gridloom/error.hpp"
#include "gridloom/files/hdf5_io.hpp"

namespace gridloom::hdf5 {
namespace {

// Whether this signal usually comes from another process that wants to end this one.
bool ends_a_process(int signal) {
  return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

// The child must not run the parent's handlers, which remove its files. A signal that the parent
// ignores (SIGINT in a background job, SIGHUP under nohup) must not end the child either.
void reset_signals() {
  for (int const signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction now {};
    bool const ignored = ::sigaction(signal, nullptr, &now) == 0 &&
                         (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_IGN;
    if (!ignored) std::signal(signal, SIG_DFL);
  }
  for (int const signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM, SIGXCPU}) {
    std::signal(signal, SIG_DFL);
  }
  std::signal(SIGPIPE, SIG_IGN);
}

// Limit of the child's processor time: more seconds than a sound file of this size needs.
unsigned most_cpu_s(std::filesystem::path const& path) {
  std::error_code unknown;
  auto const bytes = std::filesystem::file_size(path, unknown);
  return 5 + (unknown ? 0U : static_cast<unsigned>(bytes >> 18U));
}

// The child writes no core file, ends with its parent, and hides the C library's heap messages.
void become_child(pid_t parent, unsigned cpu_s) {
  reset_signals();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  rlimit const no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  rlimit const cpu{cpu_s, cpu_s};
  ::setrlimit(RLIMIT_CPU, &cpu);
  // If another thread held a lock at the fork, the child would wait for this lock forever.
  ::alarm(60 + 10 * cpu_s);
  int const nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
}

// Sends 'd' if `read` succeeds, else 'u' (usage_error) or 'f' (other errors) and the message.
[[noreturn]] void run_child(int pipe, std::filesystem::path const& path,
                            std::function<void()> const& read) {
  std::string answer = "d";
  try {
    read();
  } catch (usage_error const& error) {
    answer = std::string{"u"} + error.what();
  } catch (std::exception const& error) {
    answer = std::string{"f"} + error.what();
  } catch (...) {
    answer = "u" + path.string() + ": damaged HDF5 file";
  }
  // A pipe accepts this many bytes at once.
  constexpr std::size_t longest = 1U << 12U;
  (void)!::write(pipe, answer.data(), std::min(answer.size(), longest));
  // _exit does not flush the parent's buffers.
  ::_exit(0);
}

std::string all_of(int pipe) {
  std::string text;
  char piece[1U << 12U];
  for (;;) {
    ssize_t const got = ::read(pipe, piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(piece, static_cast<std::size_t>(got));
  }
}

}  // namespace

void try_in_child(std::filesystem::path const& path, std::function<void()> const& read) {
  int ends[2] = {-1, -1};
  pid_t const parent = ::getpid();
  pid_t const child = ::pipe2(ends, O_CLOEXEC) == 0 ? ::fork() : -1;
  int const error = errno;
  if (child == 0) {
    become_child(parent, most_cpu_s(path));
    run_child(ends[1], path, read);
  }
  ::close(ends[1]);
  std::string const answer = child > 0 ? all_of(ends[0]) : std::string{};
  ::close(ends[0]);
  if (child < 0) {
    throw run_error(path.string() + ": cannot start the process that reads the file: " +
                    std::generic_category().message(error));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (answer == "d") return;
  if (!answer.empty() && answer[0] == 'u') throw usage_error(answer.substr(1));
  if (!answer.empty()) throw run_error(answer.substr(1));
  int const signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (ends_a_process(signal)) {
    throw run_error(path.string() +
                    ": a signal ended the process that reads the file: " + ::strsignal(signal));
  }
  throw usage_error(path.string() + ": damaged HDF5 file");
}

}  // namespace gridloom::hdf5
