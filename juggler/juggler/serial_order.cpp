#include "juggler/serial_order.hpp"

#include <functional>
#include <queue>

namespace gridloom::juggler {

std::vector<std::uint32_t> serial_order(task_dag const& dag) {
  std::vector<std::uint32_t> order;
  order.reserve(dag.tasks());
  std::vector<std::uint32_t> open = dag.parents;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready(
      std::greater<>{}, dag.ready);
  while (!ready.empty()) {
    std::uint32_t const next = ready.top();
    ready.pop();
    order.push_back(next);
    for (std::uint32_t const child : dag.children.of(next)) {
      if (--open[child] == 0) ready.push(child);
    }
  }
  return order;
}

}  // namespace gridloom::juggler
