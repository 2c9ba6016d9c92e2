// No misuse: the other files fail for what they say alone.
#include "run_queue.hpp"

namespace misuse {

using queue = phase_queue<phaseless<>, phase<right_task<0>>, phase<right_task<1>>>;
template void run_queue<queue>(gridloom::device&);

}  // namespace misuse
