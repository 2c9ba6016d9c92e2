// Expected: a phase_queue needs a task type
#include "run_queue.hpp"

namespace misuse {

template void run_queue<phase_queue<phaseless<>>>(gridloom::device&);

}  // namespace misuse
