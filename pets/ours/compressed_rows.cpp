// The thesis's loop over compressed rows.

#include "pets/ours/compressed_rows.hpp"

#include "pets/host_loop.hpp"

namespace gridloom::pets {
namespace {

// A layout as in pets/kernels/layouts.hpp.
struct compressed_ref {
  std::uint32_t num_tasks;
  adjacency_ref predecessors;
  adjacency_ref successors;

  [[nodiscard]] GRIDLOOM_FN bool is_entry(std::uint32_t task) const {
    return predecessors.offsets[task] == predecessors.offsets[task + 1];
  }
  template <class Body>
  GRIDLOOM_FN void for_predecessors(std::uint32_t task, Body const& body) const {
    std::uint32_t const end = predecessors.offsets[task + 1];
    for (std::uint32_t e = predecessors.offsets[task]; e < end; ++e) body(predecessors.tasks[e]);
  }
  template <class Body>
  GRIDLOOM_FN void for_successors(std::uint32_t task, Body const& body) const {
    std::uint32_t const end = successors.offsets[task + 1];
    for (std::uint32_t e = successors.offsets[task]; e < end; ++e) {
      body(successors.tasks[e], successors.weights[e]);
    }
  }
};

class compressed {
 public:
  explicit compressed(device_graph const& there) : there_(&there) {}
  [[nodiscard]] compressed_ref ref() const {
    device_graph_ref const of = there_->ref();
    return {of.num_tasks, of.predecessors, of.successors};
  }
  [[nodiscard]] std::uint64_t room() const { return std::uint64_t{2} * there_->num_edges(); }
  [[nodiscard]] std::uint64_t entry_bytes() const { return there_->ref().num_tasks * word_bytes; }
  [[nodiscard]] std::uint64_t predecessor_bytes(looks_at const& looks) const {
    return (looks.tasks + looks.predecessors) * word_bytes;
  }
  [[nodiscard]] std::uint64_t bytes(looks_at const& looks) const {
    return predecessor_bytes(looks) + looks.tasks * word_bytes +
           looks.successors * (word_bytes + sizeof(time_value));
  }

 private:
  device_graph const* there_;
};

}  // namespace

std::unique_ptr<device_metrics> make_csr(device& machine, task_graph const& graph,
                                         device_graph const* there, launch_limits const& limits) {
  return loop_over<1, reaching::counts>(compressed(*there), machine, graph, limits);
}

}  // namespace gridloom::pets
