#include "gridloom/backend/host.hpp"

#include <unistd.h>

#include <fstream>
#include <thread>

namespace gridloom {

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
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
    throw run_error("host memory: cannot allocate " + std::to_string(bytes) + " bytes");
  return memory;
}

launch_sequence host_backend::repeated(launch_sequence const& pass,
                                       std::shared_ptr<std::uint32_t> const& continues) {
  auto loop = std::make_shared<std::vector<std::function<void()>>>();
  loop->push_back([this, pass, continues] {
    *continues = 1;
    do replay(pass);
    while (*continues != 0);
  });
  return {loop, pass.bytes};
}

void host_backend::replay(launch_sequence const& recorded) {
  for (auto const& launch :
       *static_cast<std::vector<std::function<void()>>*>(recorded.launches.get()))
    launch();
}

}  // namespace gridloom
