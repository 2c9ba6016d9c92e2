#include "pets/rivals/host_threads.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>

#include "gridloom/backend/host_threads.hpp"
#include "gridloom/taskgraph/orders.hpp"

namespace gridloom::pets {
namespace {

// Part number `thread` of [0, n).
std::pair<std::uint32_t, std::uint32_t> part_of(std::uint32_t n, int thread, int threads) {
  auto const at = [&](int k) {
    return static_cast<std::uint32_t>(std::uint64_t{n} * static_cast<std::uint64_t>(k) /
                                      static_cast<std::uint64_t>(threads));
  };
  return {at(thread), at(thread + 1)};
}

time_value sum_of(std::span<time_value const> values) {
  return std::accumulate(values.begin(), values.end(), time_value{0});
}

// The current front and the next one. All threads share them.
class fronts {
 public:
  fronts(task_graph const& graph, int threads)
      : graph_(graph),
        threads_(threads),
        missing_(graph.num_tasks),
        queue_(graph.num_tasks),
        next_(static_cast<std::size_t>(threads)),
        begins_(static_cast<std::size_t>(threads)),
        meeting_(threads) {
    found_.level.resize(graph.num_tasks);
    found_.rank.resize(graph.num_tasks);
  }

  // noexcept: if an exception removed one thread, the others would wait forever. So a failed
  // allocation ends the program.
  void run(int thread) noexcept {
    auto& own = next_[static_cast<std::size_t>(thread)];
    auto const [first, last] = part_of(graph_.num_tasks, thread, threads_);
    for (std::uint32_t task = first; task < last; ++task) {
      missing_[task] = static_cast<std::uint32_t>(graph_.predecessors.of(task).size());
      if (missing_[task] == 0) own.push_back(task);
    }
    std::uint32_t begin = 0;
    for (std::uint32_t level = 0;; ++level) {
      std::uint32_t const end = share(thread, begin);
      if (begin == end) {
        if (thread == 0) found_.num_levels = level;
        return;
      }
      auto const [from, to] = part_of(end - begin, thread, threads_);
      for (std::uint32_t i = begin + from; i < begin + to; ++i) settle(queue_[i], level, own);
      begin = end;
    }
  }
  priorities take() { return std::move(found_); }

 private:
  // Appends the tasks that all threads found to the queue, which ends at `begin`. Returns the new
  // end.
  std::uint32_t share(int thread, std::uint32_t begin) {
    // Waits until all threads have found their tasks.
    meeting_.arrive_and_wait();
    std::uint32_t end = begin;
    for (std::size_t other = 0; other < next_.size(); ++other) {
      if (other == static_cast<std::size_t>(thread)) begins_[other] = end;
      end += static_cast<std::uint32_t>(next_[other].size());
    }
    auto& own = next_[static_cast<std::size_t>(thread)];
    std::copy(own.begin(), own.end(), queue_.begin() + begins_[static_cast<std::size_t>(thread)]);
    // Waits until all threads have counted and the queue is complete.
    meeting_.arrive_and_wait();
    own.clear();
    return end;
  }

  void settle(std::uint32_t task, std::uint32_t level, std::vector<std::uint32_t>& next) {
    time_value above = 0;
    for (std::uint32_t const parent : graph_.predecessors.of(task)) {
      above = std::max(above, found_.rank[parent]);
    }
    found_.level[task] = level;
    found_.rank[task] = above + sum_of(graph_.successors.weights_of(task)) +
                        rounded_mean(sum_of(graph_.costs_of(task)), graph_.num_processors);
    for (std::uint32_t const child : graph_.successors.of(task)) {
      // Ranks are read only after the next barrier, so the count-down needs no memory order.
      std::atomic_ref<std::uint32_t> const count(missing_[child]);
      if (count.fetch_sub(1, std::memory_order_relaxed) == 1) next.push_back(child);
    }
  }

  task_graph const& graph_;
  int threads_;
  priorities found_;
  std::vector<std::uint32_t> missing_;
  std::vector<std::uint32_t> queue_;
  /// Per thread: the tasks of the next level that it found, and their place in the queue.
  std::vector<std::vector<std::uint32_t>> next_;
  std::vector<std::uint32_t> begins_;
  std::barrier<> meeting_;
};

}  // namespace

int all_host_threads() {
  return static_cast<int>(std::clamp<unsigned>(std::thread::hardware_concurrency(), 1U,
                                               gridloom::host_threads::most_blocks));
}

void by_host_threads(int threads, std::function<void(int)> const& body) {
  // Keeps threads between calls, because starting a thread takes longer than a short step.
  thread_local gridloom::host_threads kept;
  std::mutex guard;
  std::exception_ptr failure;
  kept.run(threads, [&](int thread) {
    try {
      body(thread);
    } catch (...) {
      std::lock_guard const lock(guard);
      if (!failure) failure = std::current_exception();
    }
  });
  if (failure) std::rethrow_exception(failure);
}

priorities priorities_of(task_graph const& graph, int threads) {
  if (threads <= 1) return priorities_of(graph);
  fronts all(graph, threads);
  by_host_threads(threads, [&](int thread) { all.run(thread); });
  return all.take();
}

std::vector<std::uint32_t> order_of(task_graph const& graph, priorities const& by, int threads) {
  if (threads <= 1) return order_of(graph, by);
  task_groups levels = by_number(by.level);
  std::atomic<std::uint32_t> taken{0};
  by_host_threads(threads, [&](int) {
    level_order in_level(graph, by);
    for (std::uint32_t level = taken++; level < levels.groups(); level = taken++)
      in_level.sort(std::span(levels.tasks).subspan(levels.first[level], levels.size(level)));
  });
  return std::move(levels.tasks);
}

}  // namespace gridloom::pets
