#include "gridloom/bench/measured.hpp"

namespace gridloom::bench {

schema<measured> const& standard_columns() {
  static schema<measured> const columns{
      {"experiment", "", "what --label says: the experiment that the row belongs to",
       &measured::experiment},
      {"arm", "", "name of what was measured", &measured::arm},
      {"backend", "", "where the arm ran: host or cuda", &measured::backend},
      {"repetition", "1", "number of the repetition", &measured::repetition},
      {"order", "1", "place among the arms of this repetition", &measured::order},
      {"setup_ms", "ms",
       "allocation and preparation of the arm; a sample a repetition, as many as a second takes",
       &measured::setup_ms},
      {"copy_in_ms", "ms", "inputs and first state brought to where the algorithm reads them",
       &measured::copy_in_ms},
      {"elapsed_ms", "ms",
       "the algorithm, from data in the machine's memory to results there: device events, or a "
       "steady clock on the host",
       &measured::elapsed_ms},
      {"copy_out_ms", "ms", "results brought to the host", &measured::copy_out_ms},
      {"end_to_end_ms", "ms", "copy in, algorithm and copy out together, by a steady clock",
       &measured::end_to_end_ms},
      {"verified", "", "the independent check of the arm: yes, no, off", &measured::verified},
      {"status", "", "ok, timeout, wrong, failed, unsupported or grid: does not fit the device",
       &measured::status},
  };
  return columns;
}

}  // namespace gridloom::bench
