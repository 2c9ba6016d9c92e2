#pragma once
// Arrival of the data of a task's predecessors, in three numbers. A transfer on one processor takes
// no time, and with append a processor is not free before the predecessors on it are done.

#include "gridloom/portable.hpp"

namespace gridloom::pets {

/// For a set of predecessors: the arrival `time` of the latest data, the `processor` that sends it,
/// and the `second` time, which is the latest arrival from other processors. {0, 0, 0} for no
/// predecessors.
template <class Word>
struct arrival {
  Word time;
  Word second;
  Word processor;

  /// Joins two sets. Of equally late data, the data of the processor with the lower number counts,
  /// so that all threads agree.
  GRIDLOOM_FN void join(arrival const& other) {
    if (other.processor == processor) {
      if (other.time > time) time = other.time;
      if (other.second > second) second = other.second;
    } else if (other.time > time || (other.time == time && other.processor < processor)) {
      second = time > other.second ? time : other.second;
      time = other.time;
      processor = other.processor;
    } else if (other.time > second) {
      second = other.time;
    }
  }
  [[nodiscard]] GRIDLOOM_FN Word on(Word p) const { return p == processor ? second : time; }
};

}  // namespace gridloom::pets
