// Expected: a phase_queue is phaseless<...> followed by phase<...>
#include "run_queue.hpp"

namespace misuse {

template void run_queue<phase_queue<phase<right_task<0>>, phase<right_task<1>>>>(gridloom::device&);

}  // namespace misuse
