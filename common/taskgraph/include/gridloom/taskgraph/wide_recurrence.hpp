#pragma once
// The recurrence with results of several words. It tests schedulers with results that do not fit
// into one access.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "gridloom/taskgraph/synthetic_task.hpp"

namespace gridloom {

/// Aligned so that a GPU thread loads 16 bytes at once.
template <int Words>
struct alignas(Words % 4 == 0 ? 16 : 4) wide_result {
  std::uint32_t word[Words];

  bool operator==(wide_result const&) const = default;
};

/// One recurrence per word, each with its own start. So a word of another run, of another task or
/// in the wrong place changes the result.
template <int Words>
class wide_recurrence {
 public:
  GRIDLOOM_FN explicit wide_recurrence(std::uint32_t task)
      : wide_recurrence(task, std::make_index_sequence<Words>{}) {}
  GRIDLOOM_FN void add(wide_result<Words> const& value) {
    GRIDLOOM_UNROLL
    for (int w = 0; w < Words; ++w) words_[w].add(value.word[w]);
  }
  GRIDLOOM_FN wide_result<Words> value() const {
    wide_result<Words> result;
    GRIDLOOM_UNROLL
    for (int w = 0; w < Words; ++w) result.word[w] = words_[w].value();
    return result;
  }

 private:
  template <std::size_t... W>
  GRIDLOOM_FN wide_recurrence(std::uint32_t task, std::index_sequence<W...>)
      : words_{recurrence(task * std::uint32_t{Words} + std::uint32_t{W})...} {}

  recurrence words_[Words];
};

}  // namespace gridloom
