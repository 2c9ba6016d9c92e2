// Expected: worker_size is a power of two from 1 to 1024
#include "run_queue.hpp"

namespace misuse {

struct wrong_task {
  using work_item = int;
  static constexpr int worker_size = 3;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, work_item const& item) {
    if (context.worker().thread_rank() == 0) context.template enqueue<wrong_task>(item);
  }
};
template void run_queue<phase_queue<phaseless<right_task<0>>, phase<wrong_task>>>(
    gridloom::device&);

}  // namespace misuse
