#pragma once
// Words that hold a task's result together with the number of the run that wrote it. So a reader
// needs no fence. A result of up to 12 bytes takes one slot of tagged.hpp, and so one access. A
// wider result takes several slots.
//
// Rules of order, cited where they are served:
// RW.R1. Each access carries the number of the run together with a result. So a reader that sees
//     the number has the result of that run. On the host these are two accesses, ordered by release
//     and acquire.
// RW.R2. A wide word is cut into parts of 12 bytes. Each part has its own tag and is written in one
//     access of 16 bytes. The parts may become visible in any order, and a tag covers only its own
//     part. So a result has arrived when all its parts have arrived.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "gridloom/portable.hpp"
#include "gridloom/tagged.hpp"

namespace gridloom::wavefront {

/// A part of a result: the bytes that fit into 16 bytes together with a tag.
struct word_part {
  std::uint32_t word[3];
};

/// A word of two parts fills one sector of a GPU's cache.
template <class Value>
inline constexpr std::size_t wide_alignment = sizeof(Value) <= 2 * sizeof(word_part) ? 32 : 16;

/// The word of a wide result. `Value` consists of 32-bit words. All tags are 0 until the first
/// result is written.
template <class Value>
struct alignas(wide_alignment<Value>) wide_word {
  static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) % 4 == 0);
  static constexpr std::size_t parts = (sizeof(Value) + sizeof(word_part) - 1) / sizeof(word_part);

  tagged<word_part> part[parts];
};

/// The word of a result of type `Value`.
template <class Value>
using result_word =
    std::conditional_t<sizeof(Value) <= sizeof(word_part), tagged<Value>, wide_word<Value>>;

/// Loads the word once. If it holds the result of this run, sets `value` to the result and returns
/// `run`. Otherwise returns another number, and `value` has no meaning. One writer, many readers.
template <class Memory, class Value>
GRIDLOOM_FN std::uint32_t look_at(Memory& memory, tagged<Value> const* word, std::uint32_t run,
                                  Value& value) {
  if constexpr (detail::one_access<Value>) {
    return memory.read_tagged_alone(word, value);  // RW.R1
  } else {
    return memory.get_tagged_alone(word, run, value) ? run : ~run;  // RW.R1
  }
}
template <class Memory, class Value>
GRIDLOOM_FN std::uint32_t look_at(Memory& memory, wide_word<Value> const* word, std::uint32_t run,
                                  Value& value) {
  word_part seen[wide_word<Value>::parts] = {};
  std::uint32_t lacking = 0;
  GRIDLOOM_UNROLL
  for (std::size_t k = 0; k < wide_word<Value>::parts; ++k)
    lacking |= look_at(memory, &word->part[k], run, seen[k]) ^ run;  // RW.R2
  memcpy(&value, seen, sizeof(value));
  return run ^ lacking;
}

/// Writes a result; called once per run, by one thread.
template <class Memory, class Value>
GRIDLOOM_FN void put_result(Memory& memory, tagged<Value>* word, std::uint32_t run,
                            Value const& value) {
  memory.put_tagged(word, run, value);  // RW.R1
}
template <class Memory, class Value>
GRIDLOOM_FN void put_result(Memory& memory, wide_word<Value>* word, std::uint32_t run,
                            Value const& value) {
  word_part parts[wide_word<Value>::parts] = {};
  memcpy(parts, &value, sizeof(value));
  GRIDLOOM_UNROLL
  for (std::size_t k = 0; k < wide_word<Value>::parts; ++k)
    memory.put_tagged(&word->part[k], run, parts[k]);  // RW.R2
}

/// The `value` of another lane of the warp. Called by all lanes.
template <class Warp, class Value>
GRIDLOOM_FN Value value_of_lane(Warp const& warp, Value const& value, int lane) {
  static_assert(sizeof(Value) % 4 == 0);
  std::uint32_t words[sizeof(Value) / 4];
  memcpy(words, &value, sizeof(value));
  GRIDLOOM_UNROLL
  for (std::uint32_t& word : words) word = warp.shuffle(word, lane);
  Value result;
  memcpy(&result, words, sizeof(result));
  return result;
}

}  // namespace gridloom::wavefront
