// Expected: hashed_insert needs a work item without padding and floating-point numbers
#include "run_queue.hpp"

namespace misuse {

struct padded {
  int number;
  char letter;
};
struct wrong_task {
  using work_item = padded;
  using insert_policy = hashed_insert;
  static constexpr int worker_size = 1;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, padded const& item) {
    dependency<wrong_task>* on = nullptr;
    context.enqueue_with_dependencies(item, on, 1);
  }
};
template void run_queue<phase_queue<phaseless<right_task<0>>, phase<wrong_task>>>(
    gridloom::device&);

}  // namespace misuse
