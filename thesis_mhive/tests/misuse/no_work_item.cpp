// Expected: a task type has a work_item and a worker_size
#include "run_queue.hpp"

namespace misuse {

struct wrong_task {
  static constexpr int worker_size = 1;
};
template void run_queue<phase_queue<phaseless<>, phase<wrong_task>>>(gridloom::device&);

}  // namespace misuse
