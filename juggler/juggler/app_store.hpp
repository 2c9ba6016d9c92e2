#pragma once
// The tasks of an application in device memory, for Juggler's workers and their rivals.

#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "gridloom/device.hpp"
#include "gridloom/error.hpp"
#include "gridloom/packed_memory.hpp"
#include "juggler/dag.hpp"
#include "juggler/task.hpp"

namespace gridloom::juggler {

/// APP_CONTEXT (Listing 5) as kernels see it.
template <class TaskData>
struct app_context_ref {
  std::uint32_t tasks;
  task<TaskData> const* task_list;
  /// `dependencesCsr`: the children of all tasks, task after task.
  std::uint32_t const* children;
};

/// Owner of the tasks (`initAppContext_D`). Used by one thread.
template <class TaskData>
class app_store {
 public:
  /// Throws usage_error unless there is one piece of data per task.
  app_store(device& machine, task_dag const& dag, std::vector<TaskData> const& data)
      : tasks_(dag.tasks()) {
    if (data.size() != dag.tasks())
      throw usage_error("task graph: it has " + std::to_string(dag.tasks()) +
                        " tasks, and there are " + std::to_string(data.size()) +
                        "; expected build_csr() after the last add_task()");
    packing parts;
    std::size_t const list_at = parts.add<task<TaskData>>(tasks_);
    std::size_t const children_at = parts.add<std::uint32_t>(dag.children.columns.size());
    packed_image image(parts);
    auto* const list = image.template at<task<TaskData>>(list_at);
    for (std::uint32_t t = 0; t < tasks_; ++t) {
      std::uint64_t const begin = dag.children.row_offsets[t];
      std::uint64_t const end = dag.children.row_offsets[t + 1];
      new (list + t) task<TaskData>{dag.kernel_types[t], static_cast<std::uint32_t>(end - begin),
                                    static_cast<std::uint32_t>(begin), data[t]};
    }
    image.set(children_at, dag.children.columns);
    memory_ = machine.allocate<std::byte>(parts.bytes());
    machine.copy_to_device(memory_, image.bytes());
    list_ = reinterpret_cast<task<TaskData> const*>(memory_.data() + list_at);
    children_ = reinterpret_cast<std::uint32_t const*>(memory_.data() + children_at);
  }

  [[nodiscard]] app_context_ref<TaskData> ref() const { return {tasks_, list_, children_}; }
  [[nodiscard]] std::size_t bytes() const { return memory_.bytes(); }

 private:
  std::uint32_t tasks_;
  buffer<std::byte> memory_;
  task<TaskData> const* list_;
  std::uint32_t const* children_;
};

}  // namespace gridloom::juggler
