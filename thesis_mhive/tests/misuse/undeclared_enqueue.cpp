// Expected: this task type is not declared in the phase_queue
#include "run_queue.hpp"

namespace misuse {

struct wrong_task {
  using work_item = int;
  static constexpr int worker_size = 32;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, int item) {
    context.template enqueue<right_task<0>>(item);
  }
};
template void run_queue<phase_queue<phaseless<wrong_task>>>(gridloom::device&);

}  // namespace misuse
