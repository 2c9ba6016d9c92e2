#include "compiler/workplace.hpp"

#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/files/atomic_file.hpp"

namespace gridloom::juggler::cc {

namespace fs = std::filesystem;

namespace {

/// Signals that end the process, and SIGCHLD, which says that a command has ended.
sigset_t held_signals() {
  sigset_t result;
  sigemptyset(&result);
  for (int const signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) sigaddset(&result, signal);
  return result;
}

/// Turns a child process into the command, in a process group that can be ended as a whole.
[[noreturn]] void become(std::vector<std::string> const& words, fs::path const& folder,
                         sigset_t const& signals) {
  setpgid(0, 0);
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  setenv("TMPDIR", folder.c_str(), 1);
  std::vector<char*> arguments;
  for (std::string const& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  std::cerr << "juggler-cc: cannot run " << words[0] << std::endl;
  _exit(127);
}

}  // namespace

workplace::workplace() {
  std::string name = (fs::temp_directory_path() / "juggler-cc.XXXXXX").string();
  // If the parent process had SIGCHLD ignored, waitpid would find no child.
  std::signal(SIGCHLD, SIG_DFL);
  sigset_t const held = held_signals();
  sigprocmask(SIG_BLOCK, &held, &before_);
  if (mkdtemp(name.data()) == nullptr) {
    sigprocmask(SIG_SETMASK, &before_, nullptr);
    throw run_error("cannot make a temporary folder " + name +
                    "; set TMPDIR to a folder where files can be written");
  }
  folder_ = name;
}

workplace::~workplace() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

int workplace::run(std::vector<std::string> const& words) const {
  std::cout.flush();
  pid_t const child = fork();
  if (child < 0) return 127;
  if (child == 0) become(words, folder_, before_);
  // The child does the same, because either process may be first.
  setpgid(child, child);
  int status = 0;
  sigset_t const held = held_signals();
  while (waitpid(child, &status, WNOHANG) == 0) {
    int const signal = sigwaitinfo(&held, nullptr);
    if (signal < 0 || signal == SIGCHLD) continue;
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    // The signal stays pending until the folder is removed.
    raise(signal);
    throw run_error("ended by a signal");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void workplace::put(std::string const& file, fs::path const& place) const {
  fs::path const made = folder_ / file;
  std::ifstream from(made, std::ios::binary);
  if (!from) throw run_error(made.string() + ": cannot be read");
  replace_file(place, [&](std::vector<std::byte>& piece) {
    piece.resize(std::size_t{1} << 20U);
    from.read(reinterpret_cast<char*>(piece.data()), static_cast<std::streamsize>(piece.size()));
    piece.resize(static_cast<std::size_t>(from.gcount()));
    return !piece.empty();
  });
  fs::perms const runs = fs::status(made).permissions() &
                         (fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec);
  if (runs != fs::perms::none) fs::permissions(place, runs, fs::perm_options::add);
}

void workplace::require_room() const {
  constexpr int room_mb = 32;
  int written_mb = 0;
  replace_file(folder_ / "room", [&](std::vector<std::byte>& piece) {
    piece.assign(std::size_t{1} << 20U, std::byte{});
    return written_mb++ < room_mb;
  });
  fs::remove(folder_ / "room");
}

namespace fs = std::filesystem;

configuration read_configuration() {
  fs::path const root = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  fs::path const file = root / "share/gridloom/juggler-cc.conf";
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string() + ", which the build writes");
  configuration result;
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty()) continue;
    std::size_t const equals = line.find('=');
    std::string const key = line.substr(0, equals);
    std::string value = equals == std::string::npos ? "" : line.substr(equals + 1);
    if (std::string const mark = "@root@"; value.rfind(mark, 0) == 0)
      value = root.string() + value.substr(mark.size());
    if (key == "compiler") {
      result.compiler = value;
    } else if (key == "nvcc") {
      result.nvcc = value;
    } else if (key == "architecture") {
      result.architecture = value;
    } else if (key == "has_cuda") {
      result.has_cuda = value == "1";
    } else if (key == "include") {
      result.includes.push_back(value);
    } else if (key == "library") {
      result.libraries.push_back(value);
    } else {
      throw std::runtime_error(file.string() + ": unknown entry '" + line + "'");
    }
  }
  return result;
}

}  // namespace gridloom::juggler::cc
