#pragma once
// Timeline of a run: which worker ran which task from when to when. Kernels append to a stretch of
// their worker's own; a worker whose stretch is full counts what it drops. Off is a null pointer.

#include <cstdint>
#include <vector>

#include "gridloom/atomic.hpp"
#include "gridloom/device.hpp"

namespace gridloom {

/// One executed task. Times by `now_ns()`.
struct trace_event {
  std::uint32_t task;
  /// Task type, 0 where there is one only.
  std::uint32_t type;
  std::uint64_t begin_ns;
  std::uint64_t end_ns;
};

/// What kernels hold of a trace.
struct trace_ref {
  /// workers × capacity.
  trace_event* events = nullptr;
  /// One a worker: events offered, kept or not.
  std::uint32_t* counts = nullptr;
  std::uint32_t capacity = 0;
  std::uint32_t workers = 0;

  bool operator==(trace_ref const&) const = default;
  GRIDLOOM_FN bool on() const { return events != nullptr; }
  /// Called by the thread that is `worker`, and by no other for that number.
  GRIDLOOM_FN void record(int worker, trace_event event) const {
    std::uint32_t const k = counts[worker]++;
    if (k < capacity) events[static_cast<std::size_t>(worker) * capacity + k] = event;
  }
  /// As `record`, for a stretch that several threads share. Workers beyond those that the trace has
  /// stretches for share those of others.
  GRIDLOOM_FN void record_among(int worker, trace_event event) const {
    std::uint32_t const stretch = static_cast<std::uint32_t>(worker) % workers;
    std::uint32_t const k = direct_memory{}.fetch_add_relaxed(counts + stretch, 1U);
    if (k < capacity) events[static_cast<std::size_t>(stretch) * capacity + k] = event;
  }
};

/// An event together with its worker.
struct traced_task {
  int worker;
  trace_event event;
};

/// Owner of a trace. Used by the host between launches only.
class trace_buffer {
 public:
  /// Room for `capacity` events of each of `workers` workers.
  trace_buffer(device& machine, int workers, std::uint32_t capacity);
  /// Empties it and returns the kernels' view.
  trace_ref arm();
  /// All events, by worker and then in order of time.
  std::vector<traced_task> events();
  /// Events that found no room.
  std::uint64_t dropped();

 private:
  device* machine_;
  std::uint32_t capacity_;
  buffer<trace_event> events_;
  buffer<std::uint32_t> counts_;
};

}  // namespace gridloom
