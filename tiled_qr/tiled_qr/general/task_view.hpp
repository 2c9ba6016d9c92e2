#pragma once
// A graph as kernels see it, and a task as the user's body sees it.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "gridloom/backend/host.hpp"
#include "gridloom/group.hpp"
#include "gridloom/portable.hpp"
#include "gridloom/taskgraph/graph_file.hpp"

namespace gridloom::tiled_qr::general {

using gridloom::no_task;

class task_view {
 public:
  GRIDLOOM_FN task_view(std::uint32_t number, std::uint32_t type, std::byte const* payload)
      : number_(number), type_(type), payload_(payload) {}

  /// The task's number, which is the value of its task_id.
  GRIDLOOM_FN std::uint32_t number() const { return number_; }
  GRIDLOOM_FN std::uint32_t type() const { return type_; }
  /// Returns the payload that the task was added with. `Payload` must be the type that was added.
  template <class Payload>
  GRIDLOOM_FN Payload payload() const {
    static_assert(std::is_trivially_copyable_v<Payload> && alignof(Payload) <= 16);
    Payload value;
    memcpy(&value, __builtin_assume_aligned(payload_, alignof(Payload)), sizeof(Payload));
    return value;
  }

 private:
  std::uint32_t number_;
  std::uint32_t type_;
  std::byte const* payload_;
};

/// View of a compiled_graph in the memory of a device.
struct graph_ref {
  std::uint32_t tasks;
  std::uint32_t const* types;
  std::byte const* payloads;
  std::uint32_t payload_bytes;
  /// Array of tasks + 1 offsets.
  std::uint32_t const* successor_offsets;
  std::uint32_t const* successors;
  /// Array of tasks + 1 offsets; null if no task uses a resource.
  std::uint32_t const* use_offsets;
  std::uint32_t const* uses;

  GRIDLOOM_FN task_view task(std::uint32_t number) const {
    return {number, types[number], payloads + std::size_t{number} * payload_bytes};
  }
};

static_assert(std::is_trivially_copyable_v<graph_ref>);

/// The user's body: a functor that executes any task of a graph with all threads of a block, and
/// holds the tasks' data. `scratch` is the block's shared memory, not initialised. Calls may run at
/// the same time for tasks that neither depend on each other nor conflict. The block synchronises
/// before and after a call. A body may set `static constexpr int max_threads`, the largest number
/// of threads per block that it supports; the default is 256.
template <class Body>
concept task_body = std::is_trivially_copyable_v<Body> &&
    requires(Body const body, host_block const block, task_view const task,
             typename Body::scratch& scratch) {
  body(block, task, scratch);
};

template <class Body>
constexpr int max_threads_of_body() {
  if constexpr (requires { Body::max_threads; }) {
    return Body::max_threads;
  } else {
    return 256;
  }
}

}  // namespace gridloom::tiled_qr::general
