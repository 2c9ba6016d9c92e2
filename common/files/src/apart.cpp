#include "gridloom/files/apart.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "gridloom/files/hdf5_io.hpp"

namespace gridloom::hdf5 {
namespace {

// Kinds of frames; each is a kind, a length and so many bytes.
constexpr char data = 'd';
constexpr char lies_at = '@';
constexpr char bad_input = 'u';
constexpr char failed = 'f';
constexpr char done = '.';

constexpr std::size_t header_bytes = 1 + sizeof(std::uint64_t);
constexpr std::size_t piece_bytes = std::size_t{1} << 24U;
constexpr std::uint64_t longest_message = 1U << 16U;

// Where the numbers of a dataset lie in the file, if they lie there as they are in memory.
std::optional<std::uint64_t> place_of(H5::DataSet const& dataset, std::uint64_t bytes) {
  H5::DSetCreatPropList const layout = dataset.getCreatePlist();
  if (bytes == 0 || layout.getLayout() != H5D_CONTIGUOUS) return std::nullopt;
  haddr_t const offset = H5Dget_offset(dataset.getId());
  if (offset == HADDR_UNDEF || H5Dget_storage_size(dataset.getId()) != bytes) return std::nullopt;
  return offset;
}

// Seconds of processor time that no sound file of this size needs, be it all zeros deflated. Among
// 300 damaged files one or two lead the library in a circle.
unsigned generous_cpu_s(std::uint64_t bytes) {
  constexpr std::uint64_t start_s = 5;
  return static_cast<unsigned>(start_s + (bytes >> 18U));
}

// Nor does the child sleep for ever, say on a lock that another thread held at the fork.
constexpr unsigned longest_start_s = 110;
std::atomic<unsigned> start_s{longest_start_s};

unsigned generous_wall_s(std::uint64_t bytes) {
  return start_s.load(std::memory_order_relaxed) + static_cast<unsigned>(10 * (bytes >> 18U));
}

// By which others end a process.
constexpr std::array<std::pair<int, char const*>, 4> ending_signals{
    {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}, {SIGQUIT, "SIGQUIT"}}};

// What the parent ignores (a background job SIGINT, nohup SIGHUP) shall not end its child either.
void set_signals() {
  for (auto const& [signal, name] : ending_signals) {
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

// The child shall not wake the parent's handlers, leave a core, outlive the parent, or print the C
// library's words on a damaged heap.
void become_child(pid_t parent, unsigned cpu_s, unsigned wall_s) {
  set_signals();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  rlimit const no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  rlimit const cpu{cpu_s, cpu_s};
  ::setrlimit(RLIMIT_CPU, &cpu);
  ::alarm(wall_s);
  int const nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
}

[[noreturn]] void run_child(int pipe, std::filesystem::path const& path,
                            std::function<void(sender&)> const& work) {
  sender to{pipe};
  try {
    reading(path, [&] { work(to); });
    to.finish();
  } catch (usage_error const& error) {
    to.fail(true, error.what());
  } catch (std::exception const& error) {
    to.fail(false, error.what());
  } catch (...) {
    to.fail(true, path.string() + ": damaged HDF5 file");
  }
  // Nothing of the parent's is flushed or ended twice.
  ::_exit(0);
}

}  // namespace

void limit_reading(double seconds) {
  auto const wanted = std::clamp(std::ceil(seconds), 1.0, static_cast<double>(longest_start_s));
  start_s.store(static_cast<unsigned>(wanted), std::memory_order_relaxed);
}

void sender::frame(char kind, void const* from, std::size_t bytes) {
  auto const send = [this](void const* at, std::size_t count) {
    auto const* next = static_cast<char const*>(at);
    while (count > 0) {
      ssize_t const sent = ::write(pipe_, next, count);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) ::_exit(1);  // nobody listens
      next += sent;
      count -= static_cast<std::size_t>(sent);
    }
  };
  char head[header_bytes];
  std::uint64_t const length = bytes;
  head[0] = kind;
  std::memcpy(head + 1, &length, sizeof length);
  send(head, header_bytes);
  send(from, bytes);
}

void sender::number(std::uint64_t value) { frame(data, &value, sizeof value); }
void sender::text(std::string const& value) { frame(data, value.data(), value.size()); }
void sender::bytes(std::span<std::byte const> values) { frame(data, values.data(), values.size()); }

// One frame: each text with its length before it.
void sender::texts(std::vector<std::string> const& values) {
  std::string all;
  for (std::string const& value : values) {
    std::uint64_t const length = value.size();
    all.append(reinterpret_cast<char const*>(&length), sizeof length);
    all += value;
  }
  number(values.size());
  text(all);
}

template <typename Number>
void sender::numbers(H5::DataSet const& dataset, std::string const& place) {
  bool const as_in_memory = require_numbers<Number>(dataset, place);
  std::uint64_t const count = length_of(dataset);
  auto const at = as_in_memory ? place_of(dataset, count * sizeof(Number)) : std::nullopt;
  if (at) {
    std::uint64_t const where[2] = {*at, count * sizeof(Number)};
    return frame(lies_at, where, sizeof where);
  }
  std::vector<Number> const all = read_numbers<Number>(dataset, place);
  frame(data, all.data(), all.size() * sizeof(Number));
}

void sender::finish() { frame(done, nullptr, 0); }

void sender::fail(bool by_the_users_fault, std::string const& message) {
  frame(by_the_users_fault ? bad_input : failed, message.data(),
        std::min<std::size_t>(message.size(), longest_message));
}

receiver::receiver(std::filesystem::path const& path, std::function<void(sender&)> const& work,
                   std::uint64_t more_bytes)
    : path_{path}, file_{path} {
  unsigned const cpu_s = generous_cpu_s(file_.size() + more_bytes);
  wall_s_ = generous_wall_s(file_.size() + more_bytes);
  int ends[2] = {-1, -1};
  pid_t const parent = ::getpid();
  int error = ::pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
  if (error == 0) {
    child_ = ::fork();
    error = child_ < 0 ? errno : 0;
  }
  if (error == 0 && child_ == 0) {
    become_child(parent, cpu_s, wall_s_);
    ::close(ends[0]);
    run_child(ends[1], path, work);
  }
  if (ends[1] >= 0) ::close(ends[1]);
  pipe_ = ends[0];
  if (error == 0) return;
  if (pipe_ >= 0) ::close(pipe_);
  throw run_error(path.string() + ": cannot start a process that reads it: " +
                  std::generic_category().message(error));
}

receiver::~receiver() {
  ::close(pipe_);
  if (child_ < 0) return;
  ::kill(child_, SIGKILL);
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void receiver::refuse() {
  int status = 0;
  if (child_ > 0) {
    ::kill(child_, SIGKILL);  // of no effect on one that has ended
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
    throw usage_error(path_.string() + ": cannot be read within " + std::to_string(wall_s_) + " s");
  }
  for (auto const& [signal, name] : ending_signals) {
    if (WIFSIGNALED(status) && WTERMSIG(status) == signal) {
      throw run_error(path_.string() + ": the process that reads it was ended by " + name);
    }
  }
  throw usage_error(path_.string() + ": damaged HDF5 file");
}

void receiver::read_pipe(void* room, std::size_t bytes) {
  auto* next = static_cast<char*>(room);
  while (bytes > 0) {
    ssize_t const got = ::read(pipe_, next, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) refuse();
    next += got;
    bytes -= static_cast<std::size_t>(got);
  }
}

receiver::header receiver::next() {
  char head[header_bytes];
  read_pipe(head, header_bytes);
  header made{head[0], 0};
  std::memcpy(&made.bytes, head + 1, sizeof made.bytes);
  if (made.kind != bad_input && made.kind != failed) return made;
  std::string message(std::min(made.bytes, longest_message), '\0');
  read_pipe(message.data(), message.size());
  if (made.kind == bad_input) throw usage_error(message);
  throw run_error(message);
}

receiver::header receiver::expect(char kind) {
  header const made = next();
  if (made.kind != kind) refuse();
  return made;
}

std::uint64_t receiver::number() {
  if (expect(data).bytes != sizeof(std::uint64_t)) refuse();
  std::uint64_t value = 0;
  read_pipe(&value, sizeof value);
  return value;
}

std::string receiver::text() {
  auto const all = bytes();
  return {reinterpret_cast<char const*>(all.data()), all.size()};
}

// Grows with what comes: a child with a damaged heap may announce anything.
std::vector<std::byte> receiver::bytes() {
  std::uint64_t const wanted = expect(data).bytes;
  std::vector<std::byte> all;
  while (all.size() < wanted) {
    std::size_t const held = all.size();
    all.resize(held + static_cast<std::size_t>(std::min<std::uint64_t>(
                          wanted - held, std::max<std::size_t>(piece_bytes, held))));
    read_pipe(all.data() + held, all.size() - held);
  }
  return all;
}

std::vector<std::string> receiver::texts() {
  std::uint64_t const count = number();
  std::string const all = text();
  std::vector<std::string> values;
  std::size_t at = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    std::uint64_t length = 0;
    if (all.size() - at < sizeof length) refuse();
    std::memcpy(&length, all.data() + at, sizeof length);
    at += sizeof length;
    if (all.size() - at < length) refuse();
    values.push_back(all.substr(at, length));
    at += length;
  }
  return values;
}

template <typename Number>
std::vector<Number> receiver::numbers() {
  header const made = next();
  std::vector<Number> all;
  if (made.kind == data) {
    if (made.bytes % sizeof(Number) != 0) refuse();
    while (all.size() * sizeof(Number) < made.bytes) {
      std::size_t const held = all.size();
      std::uint64_t const left = made.bytes / sizeof(Number) - held;
      all.resize(held + static_cast<std::size_t>(std::min<std::uint64_t>(
                            left, std::max<std::size_t>(piece_bytes / sizeof(Number), held))));
      read_pipe(all.data() + held, (all.size() - held) * sizeof(Number));
    }
    return all;
  }
  std::uint64_t where[2] = {0, 0};
  if (made.kind != lies_at || made.bytes != sizeof where) refuse();
  read_pipe(where, sizeof where);
  bool const inside = where[0] <= file_.size() && where[1] <= file_.size() - where[0];
  if (!inside || where[1] % sizeof(Number) != 0) refuse();
  all.resize(where[1] / sizeof(Number));
  if (file_.read_at(where[0], all.data(), where[1]) != where[1]) refuse();
  return all;
}

void receiver::finish() { (void)expect(done); }

bool receiver::is_current() const {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file_.descriptor(), &opened) == 0 && ::stat(path_.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

template void sender::numbers<std::uint32_t>(H5::DataSet const&, std::string const&);
template void sender::numbers<std::uint64_t>(H5::DataSet const&, std::string const&);
template void sender::numbers<std::int64_t>(H5::DataSet const&, std::string const&);
template void sender::numbers<float>(H5::DataSet const&, std::string const&);
template void sender::numbers<double>(H5::DataSet const&, std::string const&);
template std::vector<std::uint32_t> receiver::numbers();
template std::vector<std::uint64_t> receiver::numbers();
template std::vector<std::int64_t> receiver::numbers();
template std::vector<float> receiver::numbers();
template std::vector<double> receiver::numbers();

}  // namespace gridloom::hdf5
