// A signal handler may call unlink(2) but may not take a lock. So the names are stored in places of
// fixed size, each with its own state:
//   TN.R1. A creator takes a place (empty to creating), writes the name, creates the file and sets
//          the state to kept. Its thread receives no signal in between.
//   TN.R2. The handler first announces that the process ends, then waits until no place is in state
//          creating, then removes the kept files. By TN.R1 its own thread is not a creator, so it
//          only waits for an open(2) of another thread.
//   TN.R3. A creator that sees the announcement after it has taken its place creates nothing. TN.R2
//          and TN.R3 are Dekker's pattern, so they need sequential consistency: the creator sees
//          the announcement, or the handler sees the creator.
//   TN.R4. A thread that moves files into place counts as a creator (TN.R1), and moves nothing
//          after it has seen the announcement (TN.R3). So the handler (TN.R2) finds either all
//          files moved or none.

#include "temporary_names.hpp"

#include <sched.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <utility>

namespace gridloom {
namespace {

enum state : int { empty, creating, kept };

struct place {
  std::atomic<int> is{empty};
  std::array<char, PATH_MAX> name{};
};

constexpr std::array ending_signals{SIGINT, SIGTERM, SIGHUP, SIGQUIT};

std::array<place, 32> places;
std::atomic<bool> process_ends{false};

static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free,
              "the handler takes no lock");

void remove_and_end(int signal) {
  int const error = errno;
  process_ends.store(true, std::memory_order_seq_cst);  // TN.R2
  for (place& each : places) {
    while (each.is.load(std::memory_order_seq_cst) == creating) ::sched_yield();
  }
  for (place& each : places) {
    if (each.is.load(std::memory_order_acquire) == kept) ::unlink(each.name.data());
  }
  std::signal(signal, SIG_DFL);
  // The signal takes effect when the handler returns.
  ::raise(signal);
  errno = error;
}

// Called for each name, because a forked child may have reset the handlers.
void handle_signals() {
  for (int const signal : ending_signals) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 ||
        now.sa_handler != SIG_DFL) {
      continue;
    }
    struct sigaction wanted {};
    wanted.sa_handler = remove_and_end;
    sigfillset(&wanted.sa_mask);
    ::sigaction(signal, &wanted, nullptr);
  }
}

int take_place() {
  for (std::size_t i = 0; i < places.size(); ++i) {
    int expected = empty;
    if (places[i].is.compare_exchange_strong(expected, creating, std::memory_order_seq_cst)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

// In the calling thread, blocks the signals that would end the process (TN.R1).
sigset_t hold_signals() {
  sigset_t held;
  sigset_t before;
  sigemptyset(&held);
  for (int const signal : ending_signals) sigaddset(&held, signal);
  pthread_sigmask(SIG_BLOCK, &held, &before);
  return before;
}

class signals_held {
 public:
  signals_held() : before_{hold_signals()} {}
  signals_held(signals_held const&) = delete;
  signals_held& operator=(signals_held const&) = delete;
  ~signals_held() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

temporary_name::temporary_name(std::string name, std::function<int(char const* name)> const& create)
    : name_{std::move(name)}, place_{-1} {
  handle_signals();
  signals_held const held;
  if (name_.size() >= PATH_MAX) {
    error_ = ENAMETOOLONG;
    return;
  }
  place_ = take_place();
  place* const own = place_ < 0 ? nullptr : &places[static_cast<std::size_t>(place_)];
  if (own != nullptr) {
    std::memcpy(own->name.data(), name_.c_str(), name_.size() + 1);
    if (process_ends.load(std::memory_order_seq_cst)) {  // TN.R3
      own->is.store(empty, std::memory_order_seq_cst);
      place_ = -1;
      error_ = EINTR;
      return;
    }
  }
  fd_ = create(name_.c_str());
  error_ = fd_ < 0 ? errno : 0;
  if (own == nullptr) return;
  own->is.store(fd_ < 0 ? empty : kept, std::memory_order_seq_cst);
  if (fd_ < 0) place_ = -1;
}

temporary_name::~temporary_name() {
  if (place_ >= 0) {
    places[static_cast<std::size_t>(place_)].is.store(empty, std::memory_order_seq_cst);
  }
}

signals_wait::signals_wait()
    : before_{hold_signals()},
      place_{take_place()},
      too_late_{process_ends.load(std::memory_order_seq_cst)} {}  // TN.R4

signals_wait::~signals_wait() {
  if (place_ >= 0) {
    places[static_cast<std::size_t>(place_)].is.store(empty, std::memory_order_seq_cst);
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace gridloom
