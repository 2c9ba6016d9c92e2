#pragma once
// A graph and the body of its tasks, prepared to run. launch.hpp makes an executor with FR4's
// scheduler.

#include "gridloom/taskgraph/executor.hpp"

namespace gridloom::tiled_qr::general {

class executor : public gridloom::executor {
 public:
  /// How often the last run put a task back because another task held its resource.
  [[nodiscard]] virtual std::uint64_t put_backs() { return 0; }
};

}  // namespace gridloom::tiled_qr::general
