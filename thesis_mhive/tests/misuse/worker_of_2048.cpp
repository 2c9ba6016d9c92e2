// Expected: worker_size is a power of two from 1 to 1024
#include "run_queue.hpp"

namespace misuse {

using wrong_task = right_task<0, int, 2048>;
template void run_queue<phase_queue<phaseless<>, phase<wrong_task>>>(gridloom::device&);

}  // namespace misuse
