// Expected: a work item is trivially copyable
#include "run_queue.hpp"

namespace misuse {

using wrong_task = right_task<0, std::string>;
template void run_queue<phase_queue<phaseless<>, phase<wrong_task>>>(gridloom::device&);

}  // namespace misuse
