#pragma once
// For each range of storage: its last writer and the readers since then. A new task's dependences
// follow from them (section 4.4). Two maps with one interface stand for the two values of
// range_matching. exact_map has the paper's rule, which compares whole ranges. range_map keeps
// disjoint segments and splits them where a range begins or ends, so it finds every overlap.
//
// Tasks come in the order of a serial program. A reader follows the last writer (read after write).
// A writer follows the last writer (write after write) and all readers since (write after read). It
// then becomes the last writer, and the readers are forgotten.

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "juggler/array_section.hpp"
#include "juggler/reader_lists.hpp"
#include "juggler/segment_list.hpp"

namespace gridloom::juggler {

inline constexpr std::uint32_t no_writer = ~0U;

/// The accesses to a range.
struct accesses {
  std::uint32_t writer = no_writer;
  reader_lists::list readers = reader_lists::empty;

  // The two rules. They append the tasks that `task` must wait for to `before`.

  void read(reader_lists& lists, std::uint32_t task, std::vector<std::uint32_t>& before) {
    if (writer != no_writer) before.push_back(writer);
    readers = lists.with(readers, task);
  }
  void write(reader_lists& lists, std::uint32_t task, std::vector<std::uint32_t>& before) {
    if (writer != no_writer) before.push_back(writer);
    lists.take(readers, task, before);
    *this = {task, reader_lists::empty};
  }
};

/// The segments of all ranges named so far. Used by one thread, with task numbers that never
/// decrease. Cost: finding a range in segment_list (constant for neighbouring ranges), plus one
/// step per covered segment. A writer takes one more step per reader. A writer leaves one segment,
/// so earlier splits pay for its steps.
class range_map {
 public:
  /// Reserves room for this number of segments and readers.
  explicit range_map(std::size_t segments = 0, std::size_t readers = 0)
      : segments_(segments), readers_(readers) {}

  /// Appends all tasks that `task` must follow as a reader of the range to `before`. Some may
  /// appear twice, and `task` itself may be among them.
  void read(byte_range range, std::uint32_t task, std::vector<std::uint32_t>& before) {
    count(task);
    segment_id const first = segments_.first_of(range, near_, said_);
    if (segments_.is(first, range)) {
      segments_.value(first).read(readers_, task, before);
      near_[said_] = first;
    } else {
      near_[said_] = read_pieces(first, range, task, before);
    }
  }
  /// The same for a task that writes the range, or reads and writes it.
  void write(byte_range range, std::uint32_t task, std::vector<std::uint32_t>& before) {
    count(task);
    segment_id const first = segments_.first_of(range, near_, said_);
    if (segments_.is(first, range)) {
      segments_.value(first).write(readers_, task, before);
      near_[said_] = first;
    } else {
      near_[said_] = write_pieces(first, range, task, before);
    }
  }

  [[nodiscard]] std::size_t segments() const { return segments_.size(); }
  [[nodiscard]] reader_lists const& readers() const { return readers_; }

 private:
  /// Counts the ranges that this task has named before the current one.
  void count(std::uint32_t task) {
    said_ = task == now_ ? (said_ + 1) % near_.size() : 0;
    now_ = task;
  }

  // Below, `at` is the first segment that ends after the range's first byte. Both functions return
  // the range's last segment.

  segment_id read_pieces(segment_id at, byte_range range, std::uint32_t task,
                         std::vector<std::uint32_t>& before);
  segment_id write_pieces(segment_id at, byte_range range, std::uint32_t task,
                          std::vector<std::uint32_t>& before);
  segment_id split(segment_id id, std::uintptr_t address);

  segment_list<accesses> segments_;
  reader_lists readers_;
  /// Segments of the previous task's ranges, as guesses. Inspection loops name the ranges of each
  /// task in the same order, at rising addresses.
  std::array<segment_id, 8> near_{};
  std::size_t said_ = 0;
  std::uint32_t now_ = 0;
};

/// The paper's rule: only equal ranges depend on each other. Cost: constant, plus the readers.
class exact_map {
 public:
  void read(byte_range range, std::uint32_t task, std::vector<std::uint32_t>& before);
  void write(byte_range range, std::uint32_t task, std::vector<std::uint32_t>& before);

 private:
  struct hash {
    std::size_t operator()(byte_range range) const;
  };

  std::unordered_map<byte_range, accesses, hash> ranges_;
  reader_lists readers_;
};

}  // namespace gridloom::juggler
