// No misuse. This file must compile; the others must fail only with the error that they name.
#include "run_queue.hpp"

namespace misuse {

using queue = phase_queue<phaseless<>, phase<right_task<0>>, phase<right_task<1>>>;
template void run_queue<queue>(gridloom::device&);

}  // namespace misuse
