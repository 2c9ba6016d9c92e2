#pragma once
// When the data of a task's predecessors arrives, in three numbers. A transfer on one processor
// takes no time. With append, a processor is not free before the predecessors on it are done.

#include "gridloom/portable.hpp"

namespace gridloom::pets {

/// Describes a set of predecessors. `time` is when the latest data arrives, `processor` sends it,
/// and `second` is the latest arrival from other processors. {0, 0, 0} if there are no
/// predecessors.
template <class Word>
struct arrival {
  Word time;
  Word second;
  Word processor;

  /// Joins two sets. If data from two processors is equally late, the lower processor counts, so
  /// all threads agree.
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
