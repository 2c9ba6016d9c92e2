#pragma once
// When the data of a task's predecessors are there, in three numbers: data come free from the same
// processor, where they are there once it is free.

#include "gridloom/portable.hpp"

namespace gridloom::pets {

/// The latest data of a set of predecessors, and the latest of those on other processors than that
/// one's. {0, 0, 0} is of no predecessors.
template <class Word>
struct arrival {
  Word time;
  Word second;
  Word processor;

  /// Of equally late ones the lower processor counts, so that all threads agree.
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
