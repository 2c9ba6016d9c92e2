#pragma once
// Timeline of a run: which worker ran which task, with begin and end. Each worker appends to its
// own part of the memory. If its part is full, the worker only counts its events. A null pointer
// turns tracing off.

#include <cstdint>
#include <vector>

#include "gridloom/atomic.hpp"
#include "gridloom/device.hpp"

namespace gridloom {

/// One executed task, with times of `now_ns()`.
struct trace_event {
  std::uint32_t task;
  /// Task type; 0 if there is only one.
  std::uint32_t type;
  std::uint64_t begin_ns;
  std::uint64_t end_ns;
};

/// View of a trace for kernels.
struct trace_ref {
  /// Array of `workers` × `capacity` events.
  trace_event* events = nullptr;
  /// Array of each worker's number of events, including dropped events.
  std::uint32_t* counts = nullptr;
  std::uint32_t capacity = 0;
  std::uint32_t workers = 0;

  bool operator==(trace_ref const&) const = default;
  GRIDLOOM_FN bool on() const { return events != nullptr; }
  /// Records an event. For each worker, only one thread calls this.
  GRIDLOOM_FN void record(int worker, trace_event event) const {
    std::uint32_t const k = counts[worker]++;
    if (k < capacity) events[static_cast<std::size_t>(worker) * capacity + k] = event;
  }
  /// Like `record`, but several threads may share a worker's part. Workers beyond the number of
  /// parts use the parts of others.
  GRIDLOOM_FN void record_among(int worker, trace_event event) const {
    std::uint32_t const part = static_cast<std::uint32_t>(worker) % workers;
    std::uint32_t const k = direct_memory{}.fetch_add_relaxed(counts + part, 1U);
    if (k < capacity) events[static_cast<std::size_t>(part) * capacity + k] = event;
  }
};

/// An event and its worker.
struct traced_task {
  int worker;
  trace_event event;
};

/// Owner of a trace. The host uses it only between launches.
class trace_buffer {
 public:
  /// Allocates memory for `capacity` events per worker.
  trace_buffer(device& machine, int workers, std::uint32_t capacity);
  /// Empties the trace and returns the view for kernels.
  trace_ref arm();
  /// All events, ordered by worker and then by time.
  std::vector<traced_task> events();
  /// Number of events for which there was no memory.
  std::uint64_t dropped();

 private:
  device* machine_;
  std::uint32_t capacity_;
  buffer<trace_event> events_;
  buffer<std::uint32_t> counts_;
};

}  // namespace gridloom
