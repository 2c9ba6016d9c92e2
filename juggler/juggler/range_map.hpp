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
#include <iterator>
#include <limits>
#include <map>
#include <unordered_map>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/random.hpp"
#include "gridloom/taskgraph/graph_file.hpp"
#include "juggler/array_section.hpp"

namespace gridloom::juggler {

// The tasks that have read a segment since it was last written.

/// Lists of readers, newest first. The pieces of a split segment share their list until one piece
/// changes. So a split costs the same for any number of readers.
class reader_lists {
 public:
  using list = std::uint32_t;
  static constexpr list empty = std::numeric_limits<list>::max();

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
/// decrease. Cost: finding a range (constant for neighbours of the previous task's ranges, else
/// logarithmic in the number of segments), plus one step per covered segment. A writer takes one
/// more step per reader. A writer leaves one segment, so earlier splits pay for its steps.
class range_map {
 public:
  /// Appends all tasks that `task` must follow as a reader of the range to `before`. Some may
  /// appear twice, and `task` itself may be among them.
  void read(byte_range range, std::uint32_t task, std::vector<std::uint32_t>& before) {
    place at = first_of(range, task);
    // All bytes below `done` have been handled.
    for (std::uintptr_t done = range.first;; ++at) {
      if (at == segments_.end() || at->first > done) {
        // No task has named the bytes between `done` and the next segment.
        std::uintptr_t const end =
            at == segments_.end() ? range.last : std::min(at->first, range.last);
        at = segments_.emplace_hint(at, done, segment{end, {}});
      } else if (at->second.last > range.last) {
        split(at, range.last);
      }
      at->second.by.read(readers_, task, before);
      done = at->second.last;
      if (done == range.last) break;
    }
    near_[said_] = at;
  }
  /// The same for a task that writes the range, or reads and writes it.
  void write(byte_range range, std::uint32_t task, std::vector<std::uint32_t>& before) {
    place at = first_of(range, task);
    // The segment that will hold the whole range.
    place const kept = at != segments_.end() && at->first == range.first
                           ? at
                           : segments_.emplace_hint(at, range.first, segment{range.first, {}});
    for (at = kept; at != segments_.end() && at->first < range.last; ++at) {
      if (at->second.last > range.last) split(at, range.last);
      at->second.by.write(readers_, task, before);
    }
    kept->second.last = range.last;
    for (place gone = std::next(kept); gone != at; gone = segments_.erase(gone))
      std::replace(near_.begin(), near_.end(), gone, place{});
    near_[said_] = kept;
  }

  [[nodiscard]] std::size_t segments() const { return segments_.size(); }
  [[nodiscard]] reader_lists const& readers() const { return readers_; }

 private:
  struct segment {
    std::uintptr_t last;
    accesses by;
  };
  /// The key is a segment's first address. Segments are disjoint.
  using place = std::map<std::uintptr_t, segment>::iterator;

  /// The first segment that ends after the range's first byte; it does not begin before that byte.
  place first_of(byte_range range, std::uint32_t task) {
    said_ = task == now_ ? (said_ + 1) % near_.size() : 0;
    now_ = task;
    if (place const near = near_[said_]; near != place{}) {
      if (near->first == range.first) return near;
      if (near->second.last == range.first) return std::next(near);
    }
    place const behind = segments_.upper_bound(range.first);
    if (behind == segments_.begin()) return behind;
    place const before = std::prev(behind);
    if (before->second.last <= range.first) return behind;
    return before->first == range.first ? before : split(before, range.first);
  }
  /// Cuts a segment at an address inside it. Returns the upper part.
  place split(place at, std::uintptr_t address) {
    segment upper = at->second;
    upper.by.readers = readers_.share(upper.by.readers);
    at->second.last = address;
    return segments_.emplace_hint(std::next(at), address, upper);
  }

  std::map<std::uintptr_t, segment> segments_;
  reader_lists readers_;
  /// Segments of the previous task's ranges, as guesses. Inspection loops name the ranges of each
  /// task in the same order, at rising addresses.
  std::array<place, 8> near_{};
  /// Number of ranges that the task `now_` has named before the current one.
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
      // Addresses would collide, because they are multiples of powers of two.
      return random_source(range.first + 0x9e3779b97f4a7c15U * (range.last - range.first)).next();
    }
  };

  std::unordered_map<byte_range, accesses, hash> ranges_;
  reader_lists readers_;
};

}  // namespace gridloom::juggler
