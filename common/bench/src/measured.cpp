#include "gridloom/bench/measured.hpp"

namespace gridloom::bench {

schema<measured> const& standard_columns() {
  static schema<measured> const columns{
      {"experiment", "", "the experiment that the row belongs to, from --label",
       &measured::experiment},
      {"arm", "", "name of the measured arm", &measured::arm},
      {"backend", "", "where the arm ran: host or cuda", &measured::backend},
      {"repetition", "1", "number of the repetition", &measured::repetition},
      {"order", "1", "place among the arms of this repetition", &measured::order},
      {"setup_ms", "ms",
       "set-up: allocation and preparation of the arm; one sample per repetition, for up to a "
       "second",
       &measured::setup_ms},
      {"copy_in_ms", "ms", "copy of inputs and initial state to the machine's memory",
       &measured::copy_in_ms},
      {"elapsed_ms", "ms",
       "run: the algorithm with its data in the machine's memory, by device events or a steady "
       "clock on the host",
       &measured::elapsed_ms},
      {"copy_out_ms", "ms", "copy of results to the host", &measured::copy_out_ms},
      {"end_to_end_ms", "ms", "copy in, run and copy out together, by a steady clock",
       &measured::end_to_end_ms},
      {"verified", "", "result of the independent check of the arm: yes, no, off",
       &measured::verified},
      {"status", "", "ok, timeout, wrong, failed, unsupported, or grid (too large for the device)",
       &measured::status},
  };
  return columns;
}

}  // namespace gridloom::bench
