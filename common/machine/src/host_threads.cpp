#include "gridloom/backend/host_threads.hpp"

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <atomic>
#include <cstdint>
#include <deque>
#include <thread>

#include "gridloom/clock.hpp"
#include "gridloom/portable.hpp"

namespace gridloom {

namespace {

// The wait of an idle thread before it sleeps. Host loops launch every few microseconds, but waking
// a thread takes up to 50 us on two cores of an EPYC under Linux 6.18. So the thread yields, which
// takes a microsecond if the core goes to another worker. A long yield means that another program
// got the core. Then the thread soon sleeps: a thread that has used up its time slice would get its
// core too late for its block.
class idle_wait {
 public:
  /// Spins or yields. Returns false if the thread should sleep.
  bool continues() {
    // The first attempts do not read the clock.
    constexpr unsigned brief = 16;
    if (attempt_++ < brief) {
      spin_once();
      return true;
    }
    std::uint64_t const now = now_ns();
    if (begin_ns_ == 0) begin_ns_ = now;
    std::uint64_t const waited = now - begin_ns_;
    if (now >= may_yield_ns && waited < yield_ns) {
      std::this_thread::yield();
      std::uint64_t const back = now_ns();
      if (back - now > long_yield_ns) may_yield_ns = back + without_yields_ns;
      return true;
    }
    if (waited >= spin_ns) return false;
    spin_once();
    return true;
  }

 private:
  static constexpr std::uint64_t yield_ns = 500'000;
  static constexpr std::uint64_t long_yield_ns = 300'000;
  static constexpr std::uint64_t without_yields_ns = 30'000'000;
  static constexpr std::uint64_t spin_ns = 20'000;
  static thread_local std::uint64_t may_yield_ns;
  unsigned attempt_ = 0;
  std::uint64_t begin_ns_ = 0;
};
thread_local std::uint64_t idle_wait::may_yield_ns = 0;

// Requests short time slices, once per thread. From Linux 6.12 on, such a thread gets its core soon
// after it wakes. Otherwise, beside another program, a launch could begin a whole time slice late.
void ask_for_short_slices() {
  thread_local bool asked = false;
  if (asked) return;
  asked = true;
#if defined(__linux__) && defined(SYS_sched_setattr)
  struct {
    std::uint32_t size, policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t slice_ns, deadline, period;
  } wanted{};
  if (syscall(SYS_sched_getattr, 0, &wanted, sizeof(wanted), 0) != 0) return;
  wanted.size = sizeof(wanted);
  wanted.slice_ns = 100'000;
  // If the kernel refuses, nothing changes.
  static_cast<void>(syscall(SYS_sched_setattr, 0, &wanted, 0));
#endif
}

// A launch in one word: its number, its number of blocks, and the next block that has not begun.
struct launch_word {
  std::uint32_t number;
  std::uint32_t blocks;
  std::uint32_t next;

  explicit launch_word(std::uint64_t word)
      : number(static_cast<std::uint32_t>(word >> 32U)),
        blocks(static_cast<std::uint32_t>(word >> 16U) & 0xffffU),
        next(static_cast<std::uint32_t>(word) & 0xffffU) {}
  launch_word(std::uint32_t launch, std::uint32_t num_blocks, std::uint32_t first)
      : number(launch), blocks(num_blocks), next(first) {}
  [[nodiscard]] std::uint64_t word() const {
    return std::uint64_t{number} << 32U | std::uint64_t{blocks} << 16U | next;
  }
};
// Stands in the number of blocks to end the threads.
constexpr std::uint32_t no_more_launches = 0xffff;
static_assert(host_threads::most_blocks < no_more_launches);

}  // namespace

// Rules of order and progress:
// HT.R1. The launch is stored after its body, and claims acquire it. So a thread that claims a
//     block sees the body and all that the caller wrote before.
// HT.R2. Each block counts down with release order when it ends, and the caller acquires the 0. So
//     the caller sees what the blocks wrote, and no thread still uses the body when it is replaced.
// HT.R3. A claim is a compare-and-swap of the whole word. So a late thread cannot claim a block of
//     a launch that is over.
// HT.R4. The caller stores the launch and then reads which threads sleep. A thread announces that
//     it sleeps and then reads the launch. All four accesses are sequentially consistent. So the
//     caller sees that the thread sleeps, or the thread sees the launch.
// HT.R5. With n threads for n blocks, there are at least as many free threads as blocks that have
//     not begun. Each free thread will claim a block: it is awake, or HT.R4 wakes it.
class host_threads::pool {
 public:
  pool() = default;
  ~pool() {
    launch(no_more_launches, static_cast<std::uint32_t>(threads_.size()) + 1);
    for (std::thread& one : threads_) one.join();
  }

  void run(std::uint32_t n, std::function<void(int)> const& body) {
    while (threads_.size() + 1 < n) {
      auto const seat = static_cast<std::uint32_t>(threads_.size()) + 1;
      std::atomic<std::uint32_t>& sleeps = sleeps_.emplace_back(0);
      threads_.emplace_back([this, seat, seen = number_, &sleeps] { serve(seat, seen, sleeps); });
    }
    body_ = &body;
    left_.store(n, std::memory_order_relaxed);
    launch(n, n);
    body(0);
    count_down();
    claim(number_);
    for (idle_wait wait;;) {
      std::uint32_t const left = left_.load(std::memory_order_acquire);  // HT.R2
      if (left == 0) return;
      if (!wait.continues()) left_.wait(left, std::memory_order_acquire);
    }
  }

 private:
  // Stores a launch whose first block belongs to the caller. Among the first `threads` threads,
  // wakes those that sleep.
  void launch(std::uint32_t blocks, std::uint32_t threads) {
    // HT.R1, HT.R4
    word_.store(launch_word(++number_, blocks, 1).word(), std::memory_order_seq_cst);
    for (std::uint32_t seat = 1; seat < threads; ++seat) {
      std::atomic<std::uint32_t>& sleeps = sleeps_[seat - 1];
      if (sleeps.load(std::memory_order_seq_cst) == 0) continue;  // HT.R4
      sleeps.store(0, std::memory_order_relaxed);
      sleeps.notify_one();
    }
  }

  void serve(std::uint32_t seat, std::uint32_t seen, std::atomic<std::uint32_t>& sleeps) {
    ask_for_short_slices();
    for (;;) {
      launch_word const next = await(seat, seen, sleeps);
      if (next.blocks == no_more_launches) return;
      seen = next.number;
      claim(seen);
    }
  }

  // Waits for the next launch after number `seen` that has a block for this thread.
  launch_word await(std::uint32_t seat, std::uint32_t seen, std::atomic<std::uint32_t>& sleeps) {
    idle_wait wait;
    for (bool tired = false;;) {
      if (tired) sleeps.store(1, std::memory_order_seq_cst);         // HT.R4
      launch_word const now(word_.load(std::memory_order_seq_cst));  // HT.R1, HT.R4
      if (now.number != seen && seat < now.blocks) {
        sleeps.store(0, std::memory_order_relaxed);
        return now;
      }
      if (tired) {
        sleeps.wait(1, std::memory_order_relaxed);
        wait = {};
      }
      tired = !wait.continues();
    }
  }

  // Runs blocks of this launch until all its blocks have begun.
  void claim(std::uint32_t number) {
    std::uint64_t word = word_.load(std::memory_order_acquire);
    for (;;) {
      launch_word claimed(word);
      if (claimed.number != number || claimed.next >= claimed.blocks) return;
      if (!word_.compare_exchange_weak(word, word + 1, std::memory_order_acq_rel,
                                       std::memory_order_acquire)) {  // HT.R1, HT.R3
        continue;
      }
      (*body_)(static_cast<int>(claimed.next));
      count_down();
      word = word_.load(std::memory_order_acquire);
    }
  }

  void count_down() {
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) left_.notify_one();  // HT.R2
  }

  // Used by the caller only.
  std::uint32_t number_ = 0;
  std::deque<std::thread> threads_;
  // One word per thread: 1 while the thread sleeps or is about to sleep.
  std::deque<std::atomic<std::uint32_t>> sleeps_;
  // Shared by all threads.
  std::function<void(int)> const* body_ = nullptr;
  alignas(line_bytes) std::atomic<std::uint64_t> word_{0};
  // Number of blocks of the launch that have not ended.
  alignas(line_bytes) std::atomic<std::uint32_t> left_{0};
};

host_threads::host_threads() = default;
host_threads::~host_threads() = default;

void host_threads::run(int n, std::function<void(int)> const& body) {
  ask_for_short_slices();
  if (n <= 1) return body(0);
  if (!pool_) pool_ = std::make_unique<pool>();
  pool_->run(static_cast<std::uint32_t>(n), body);
}

}  // namespace gridloom
