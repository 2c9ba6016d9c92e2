// Expected: a task type belongs to one phase only
#include "run_queue.hpp"

namespace misuse {

using queue = phase_queue<phaseless<>, phase<right_task<0>>, phase<right_task<1>, right_task<0>>>;
template void run_queue<queue>(gridloom::device&);

}  // namespace misuse
