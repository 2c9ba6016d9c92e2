#pragma once
// The tasks that have read a segment since it was last written.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/taskgraph/graph_file.hpp"

namespace gridloom::juggler {

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

}  // namespace gridloom::juggler
