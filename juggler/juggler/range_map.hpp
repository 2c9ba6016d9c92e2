#pragma once
// For each range of storage: its last writer and the readers since then. A new task's dependences
// follow from them (section 4.4). Two maps with one interface stand for the two values of
// range_matching. exact_map has the paper's rule, which compares whole ranges. range_map keeps
// disjoint segments and splits them where a range begins or ends, so it finds every overlap.
//
// Tasks come in the order of a serial program. A reader follows the last writer (read after write).
// A writer follows the last writer (write after write) and all readers since (write after read). It
// then becomes the last writer, and the readers are forgotten.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/taskgraph/graph_file.hpp"
#include "juggler/array_section.hpp"
#include "juggler/segment_list.hpp"

namespace gridloom::juggler {

// The tasks that have read a segment since it was last written.

/// Lists of readers, newest first. The pieces of a split segment share their list until one piece
/// changes. So a split costs the same for any number of readers.
class reader_lists {
 public:
  using list = std::uint32_t;
  static constexpr list empty = std::numeric_limits<list>::max();

  /// Reserves room for this number of entries.
  explicit reader_lists(std::size_t expected = 0) { entries_.reserve(expected); }

  /// Puts a task in front of a list, unless it is there already, and returns the new list. The old
  /// list must not be used any more.
  [[nodiscard]] list with(list readers, std::uint32_t task) {
    if (readers != empty && entries_[readers].task == task) return readers;
    list const made = new_entry();
    entries_[made] = {readers, 1, task, no_task};
    return made;
  }
  /// Adds an owner to the list and returns it.
  [[nodiscard]] list share(list readers) {
    if (readers != empty) ++entries_[readers].owners;
    return readers;
  }
  /// Appends the readers to `before` and releases the list. Readers that the writer `by` has met in
  /// another list are left out, so a shared tail is read only once.
  void take(list readers, std::uint32_t by, std::vector<std::uint32_t>& before) {
    // A writer that has met an entry has also met all entries behind it.
    for (list at = readers; at != empty && entries_[at].met_by != by; at = entries_[at].next) {
      entries_[at].met_by = by;
      before.push_back(entries_[at].task);
    }
    for (list at = readers; at != empty && --entries_[at].owners == 0;) {
      list const next = entries_[at].next;
      entries_[at].next = unused_;
      unused_ = at;
      --live_;
      at = next;
    }
  }

  /// Entries in use, and entries allocated.
  [[nodiscard]] std::size_t live() const { return live_; }
  [[nodiscard]] std::size_t room() const { return entries_.size(); }

 private:
  struct entry {
    list next;
    /// Number of lists that begin with this entry, plus number of entries that link to it.
    std::uint32_t owners;
    std::uint32_t task;
    std::uint32_t met_by;
  };

  list new_entry() {
    ++live_;
    if (unused_ != empty) {
      list const made = unused_;
      unused_ = entries_[made].next;
      return made;
    }
    if (entries_.size() == empty) throw usage_error("task graph: too many readers at once");
    entries_.emplace_back();
    return static_cast<list>(entries_.size() - 1);
  }

  std::vector<entry> entries_;
  /// The first unused entry; `next` links all unused entries.
  list unused_ = empty;
  std::size_t live_ = 0;
};

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
                         std::vector<std::uint32_t>& before) {
    if (segments_.first(at) < range.first) at = split(at, range.first);
    // All bytes below `done` have been handled.
    for (std::uintptr_t done = range.first;; at = segments_.next(at)) {
      if (segments_.first(at) > done) {
        // No task has named the bytes between `done` and the next segment.
        at = segments_.insert(at, done, std::min(segments_.first(at), range.last), {});
      } else if (segments_.last(at) > range.last) {
        split(at, range.last);
      }
      segments_.value(at).read(readers_, task, before);
      done = segments_.last(at);
      if (done == range.last) return at;
    }
  }
  segment_id write_pieces(segment_id at, byte_range range, std::uint32_t task,
                          std::vector<std::uint32_t>& before) {
    if (segments_.first(at) < range.first) at = split(at, range.first);
    while (segments_.first(at) < range.last) {
      if (segments_.last(at) > range.last) split(at, range.last);
      segments_.value(at).write(readers_, task, before);
      at = segments_.erase(at);
    }
    return segments_.insert(at, range.first, range.last, {task, reader_lists::empty});
  }
  segment_id split(segment_id id, std::uintptr_t address) {
    accesses& whole = segments_.value(id);
    whole.readers = readers_.share(whole.readers);
    return segments_.split(id, address);
  }

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
  void read(byte_range range, std::uint32_t task, std::vector<std::uint32_t>& before) {
    ranges_[range].read(readers_, task, before);
  }
  void write(byte_range range, std::uint32_t task, std::vector<std::uint32_t>& before) {
    ranges_[range].write(readers_, task, before);
  }

 private:
  struct hash {
    std::size_t operator()(byte_range range) const {
      return mixed(range.first + 0x9e3779b97f4a7c15U * (range.last - range.first));
    }
  };

  std::unordered_map<byte_range, accesses, hash> ranges_;
  reader_lists readers_;
};

}  // namespace gridloom::juggler
