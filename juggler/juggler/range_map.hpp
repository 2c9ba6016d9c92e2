#pragma once
// Who wrote a range of storage last, and who has read it since: what a new task depends on (paper,
// section 4.4). Two maps with one interface, as range_matching names them. exact_map has the paper's
// rule, which knows of ranges that are the same and of nothing else; range_map keeps disjoint segments,
// splits them where a range begins or ends, and so finds every overlap.
//
// The tasks come in the order of a serial program. A reader follows the last writer (read after
// write). A writer follows the last writer (write after write) and all readers since (write after
// read); then it is the last writer, and the readers are forgotten.

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

/// What is known of a range.
struct accesses {
  std::uint32_t writer = no_writer;
  reader_lists::list readers = reader_lists::empty;

  // The two rules. What the task follows is appended to `before`.

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

/// The segments of all storage that was named. Used by one thread. Tasks never fall from call to call.
/// Cost: that of finding the range in a segment_list, which is constant for ranges beside each other,
/// and what the range covers: a segment each, and for a writer its readers. A writer leaves one
/// segment, so that it pays for splits that were made before.
class range_map {
 public:
  /// Has room for so many segments, and readers of them, before it grows.
  explicit range_map(std::size_t segments = 0, std::size_t readers = 0)
      : segments_(segments), readers_(readers) {}

  /// Appends to `before` all that `task` must follow as a reader of the range. Tasks may come twice,
  /// and `task` itself may be among them.
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
  /// The same as a writer, or as a reader and writer.
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
  /// Counts the ranges that the task said before this one.
  void count(std::uint32_t task) {
    said_ = task == now_ ? (said_ + 1) % near_.size() : 0;
    now_ = task;
  }

  // `at`: the first segment that ends behind the range's first byte. They return the last one of it.

  segment_id read_pieces(segment_id at, byte_range range, std::uint32_t task,
                         std::vector<std::uint32_t>& before);
  segment_id write_pieces(segment_id at, byte_range range, std::uint32_t task,
                          std::vector<std::uint32_t>& before);
  segment_id split(segment_id id, std::uintptr_t address);

  segment_list<accesses> segments_;
  reader_lists readers_;
  /// Where the range was that the task before said at the same place: inspection loops say the ranges of
  /// their tasks in one order, and go over their arrays by rising addresses.
  std::array<segment_id, 8> near_{};
  std::size_t said_ = 0;
  std::uint32_t now_ = 0;
};

/// The same for ranges of which none are alike but the same ones. Cost: constant, and the readers.
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
