// Expected: a work item is trivially copyable and default constructible
#include "run_queue.hpp"

namespace misuse {

struct item {
  explicit item(int of) : value(of) {}
  int value;
};
struct wrong_task {
  using work_item = item;
  static constexpr int worker_size = 1;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, item const& of) {
    context.template enqueue<wrong_task>(of);
  }
};
template void run_queue<phase_queue<phaseless<>, phase<wrong_task>>>(gridloom::device&);

}  // namespace misuse
