// Expected: a work item is trivially copyable and default constructible
#include "run_queue.hpp"

namespace misuse {

struct item {
  explicit item(int of) : value(of) {}
  int value;
};
using wrong_task = right_task<0, item>;
template void run_queue<phase_queue<phaseless<>, phase<wrong_task>>>(gridloom::device&);

}  // namespace misuse
