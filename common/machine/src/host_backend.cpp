#include "gridloom/backend/host.hpp"

#include <sys/syscall.h>
#include <unistd.h>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <fstream>
#include <latch>
#include <thread>

namespace gridloom {

namespace {

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

// Where the kernel can (Linux 6.12), a thread that asks for short time slices gets its core soon
// when it wakes. Without it, a launch beside another program would begin late by a slice of that.
// Asks once a thread.
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
  static_cast<void>(syscall(SYS_sched_setattr, 0, &wanted, 0));  // a refusal changes nothing
#endif
}

}  // namespace

// A pool of fixed size; a launch that needs more threads gets a larger one.
struct host_threads::pool {
  explicit pool(int n) : size(n), threads(static_cast<std::size_t>(n)) {}
  int size;
  boost::asio::thread_pool threads;
};

host_threads::host_threads() = default;
host_threads::~host_threads() = default;

void host_threads::run(int n, std::function<void(int)> const& body) {
  if (n > 1 && (!pool_ || pool_->size < n - 1)) pool_ = std::make_unique<pool>(n - 1);
  std::latch others(n - 1);
  for (int index = 1; index < n; ++index) {
    boost::asio::post(pool_->threads, [&body, &others, index] {
      ask_for_short_slices();
      body(index);
      others.count_down();
    });
  }
  ask_for_short_slices();
  body(0);
  others.wait();
}

device_properties host_backend::properties() const {
  device_properties p;
  p.backend = "host";
  p.name = processor_name();
  p.multiprocessors = static_cast<int>(std::thread::hardware_concurrency());
  p.max_threads = 1;
  p.ticks_per_ns = 1;
  p.memory_bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                   static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return p;
}

void* host_backend::allocate(std::size_t bytes) {
  std::size_t const rounded = (bytes + line_bytes - 1) / line_bytes * line_bytes;
  void* memory = std::aligned_alloc(line_bytes, rounded == 0 ? line_bytes : rounded);
  if (memory == nullptr)
    throw run_error("host memory: " + std::to_string(bytes) + " bytes are not to be had");
  return memory;
}

launch_sequence host_backend::repeated(launch_sequence const& pass,
                                       std::shared_ptr<std::uint32_t> const& goes_on) {
  auto loop = std::make_shared<std::vector<std::function<void()>>>();
  loop->push_back([this, pass, goes_on] {
    *goes_on = 1;
    do replay(pass);
    while (*goes_on != 0);
  });
  return {loop};
}

void host_backend::replay(launch_sequence const& sequence) {
  for (auto const& launch :
       *static_cast<std::vector<std::function<void()>>*>(sequence.launches.get()))
    launch();
}

}  // namespace gridloom
