#pragma once
// The last writer of each range of storage and its readers since, which say what a new task depends
// on (section 4.4). There are two maps with one interface, one per value of range_matching.
// exact_map has the paper's rule, which compares whole ranges. range_map keeps disjoint segments,
// splits them where a range begins or ends, and so finds every overlap.
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

  // The two rules. They append to `before` the tasks that `task` must follow.

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

/// The segments of all ranges that were named. Used by one thread, with task numbers that never
/// decrease. Cost: finding the range in a segment_list, which is constant for neighbouring ranges,
/// plus one step per covered segment and, for a writer, per reader. A writer leaves one segment, so
/// earlier splits pay for its steps.
class range_map {
 public:
  /// Reserves room for this number of segments and readers.
  explicit range_map(std::size_t segments = 0, std::size_t readers = 0)
      : segments_(segments), readers_(readers) {}

  /// Appends to `before` all tasks that `task` must follow as a reader of the range. Some may
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
  /// As read(), for a writer or for a task that reads and writes.
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
  /// Counts how many ranges the task named before this one.
  void count(std::uint32_t task) {
    said_ = task == now_ ? (said_ + 1) % near_.size() : 0;
    now_ = task;
  }

  // In both, `at` is the first segment that ends behind the range's first byte, and the result is
  // the range's last segment.

  segment_id read_pieces(segment_id at, byte_range range, std::uint32_t task,
                         std::vector<std::uint32_t>& before);
  segment_id write_pieces(segment_id at, byte_range range, std::uint32_t task,
                          std::vector<std::uint32_t>& before);
  segment_id split(segment_id id, std::uintptr_t address);

  segment_list<accesses> segments_;
  reader_lists readers_;
  /// Segments of the previous task's ranges, as guesses: inspection loops name the ranges of their
  /// tasks in one order, and go through their arrays by rising addresses.
  std::array<segment_id, 8> near_{};
  std::size_t said_ = 0;
  std::uint32_t now_ = 0;
};

/// The paper's rule: two ranges depend on each other only if they are equal. Cost: constant, plus
/// the readers.
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
