// Expected: a phase_queue is phaseless<...> followed by phase<...>
#include "run_queue.hpp"

namespace misuse {

template void run_queue<phase_queue<>>(gridloom::device&);

}  // namespace misuse
