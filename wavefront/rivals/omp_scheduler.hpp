#pragma once
// Base of the rivals that use OpenMP tasks: the number of threads, and the number of tasks each
// ran.

#include <omp.h>

#include <cstdint>
#include <vector>

#include "support/scheduler.hpp"

namespace gridloom::wavefront {

class omp_scheduler : public scheduler {
 public:
  explicit omp_scheduler(int workers)
      : workers_(workers), finished_by_(static_cast<std::size_t>(workers)) {}

  void reset() override {
    for (auto& count : finished_by_) count.tasks = 0;
  }
  std::uint64_t executed() override {
    std::uint64_t sum = 0;
    for (auto const& count : finished_by_) sum += count.tasks;
    return sum;
  }
  int units() const override { return workers_; }
  int observers() const override { return workers_; }

 protected:
  /// Counts tasks that the calling thread ran.
  void count(std::uint64_t tasks) {
    finished_by_[static_cast<std::size_t>(omp_get_thread_num())].tasks += tasks;
  }

  int workers_;

 private:
  struct alignas(line_bytes) counter {
    std::uint64_t tasks = 0;
  };
  std::vector<counter> finished_by_;
};

}  // namespace gridloom::wavefront
