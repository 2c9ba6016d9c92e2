// Expected: the scratch of a block's workers must not exceed 40 KiB
#include "run_queue.hpp"

namespace misuse {

struct wrong_task {
  using work_item = int;
  static constexpr int worker_size = 32;
  struct scratch {
    char tile[8192];
  };
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, int item) {
    context.template enqueue<wrong_task>(item);
  }
};
template void run_queue<phase_queue<phaseless<wrong_task>>>(gridloom::device&);

}  // namespace misuse
