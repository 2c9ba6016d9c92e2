// Expected: this task type is not declared in the phase_queue
#include "run_queue.hpp"

namespace misuse {

using queue = phase_queue<phaseless<>, phase<right_task<0>>>;
constexpr int index = queue::index_of<right_task<1>>();

}  // namespace misuse
