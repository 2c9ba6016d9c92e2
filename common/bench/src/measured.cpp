#include "gridloom/bench/measured.hpp"

namespace gridloom::bench {

schema<measured> const& standard_columns() {
  static schema<measured> const columns{
      {"experiment", "", "experiment of the row, from --label", &measured::experiment},
      {"arm", "", "name of the measured arm", &measured::arm},
      {"backend", "", "where the arm ran: host or cuda", &measured::backend},
      {"repetition", "1", "number of the repetition, from 0", &measured::repetition},
      {"order", "1", "position among the arms of this repetition", &measured::order},
      {"setup_ms", "ms",
       "set-up: time to allocate and prepare the arm; measured --setup-samples times",
       &measured::setup_ms},
      {"copy_in_ms", "ms", "time to copy inputs and initial state to the machine's memory",
       &measured::copy_in_ms},
      {"elapsed_ms", "ms",
       "run: time of the algorithm with its data in the machine's memory; measured with device "
       "events, or a steady clock on the host",
       &measured::elapsed_ms},
      {"copy_out_ms", "ms", "time to copy results to the host", &measured::copy_out_ms},
      {"end_to_end_ms", "ms",
       "with copies: time of copy in, run and copy out together, measured with a steady clock",
       &measured::end_to_end_ms},
      {"verified", "", "result of the independent check: yes, no, off", &measured::verified},
      {"status", "", "ok, timeout, wrong, failed, unsupported, or grid (too large for the device)",
       &measured::status},
  };
  return columns;
}

}  // namespace gridloom::bench
