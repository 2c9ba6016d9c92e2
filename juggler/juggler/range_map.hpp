#pragma once
// Who wrote a range of storage last, and who has read it since: what a new task depends on (paper,
// section 4.4). Two maps with one interface, as range_matching names them. exact_map has the paper's
// rule, which knows of ranges that are the same and of nothing else; range_map keeps disjoint segments,
// splits them where a range begins or ends, and so finds every overlap.
//
// The tasks come in the order of a serial program. A reader follows the last writer (read after
// write). A writer follows the last writer (write after write) and all readers since (write after
// read); then it is the last writer, and the readers are forgotten.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <unordered_map>
#include <vector>

#include "juggler/array_section.hpp"

namespace gridloom::juggler {

/// Lists of readers, newest first. Pieces of a split segment share their list until one of them
/// changes, so that a split costs nothing, however many have read.
class reader_lists {
 public:
  using list = std::size_t;
  static constexpr list empty = std::numeric_limits<list>::max();

  /// Puts a task in front of a list that the caller gives up. A task that is there already, at the
  /// front, is not put twice.
  [[nodiscard]] list with(list readers, std::uint32_t task);
  /// The same list for a second owner.
  [[nodiscard]] list share(list readers);
  /// Appends the readers to `before`, gives the list up. What the writer `by` has met in another list
  /// is left out: a shared tail costs once.
  void take(list readers, std::uint32_t by, std::vector<std::uint32_t>& before);

  /// Entries in use, and entries for which there is room.
  [[nodiscard]] std::size_t live() const { return live_; }
  [[nodiscard]] std::size_t room() const { return entries_.size(); }

 private:
  struct entry {
    list next;
    /// Lists that begin here and entries that continue here.
    std::size_t owners;
    std::uint32_t task;
    std::uint32_t met_by;
  };

  std::vector<entry> entries_;
  /// Entries to use again, linked by `next`.
  list unused_ = empty;
  std::size_t live_ = 0;
};

inline constexpr std::uint32_t no_writer = ~0U;

/// What is known of a range.
struct accesses {
  std::uint32_t writer = no_writer;
  reader_lists::list readers = reader_lists::empty;
};

/// The segments of all storage that was named. Used by one thread. Tasks never fall from call to call.
/// Cost: the logarithm of the number of segments, and what the range covers: a segment each, and for a
/// writer its readers. A writer leaves one segment, so that it pays for splits that were made before.
class range_map {
 public:
  /// Appends to `before` all that `task` must follow as a reader of the range. Tasks may come twice,
  /// and `task` itself may be among them.
  void read(byte_range range, std::uint32_t task, std::vector<std::uint32_t>& before);
  /// The same as a writer, or as a reader and writer.
  void write(byte_range range, std::uint32_t task, std::vector<std::uint32_t>& before);

  [[nodiscard]] std::size_t segments() const { return segments_.size(); }
  [[nodiscard]] reader_lists const& readers() const { return readers_; }

 private:
  struct segment : accesses {
    std::uintptr_t last;
  };
  using segments_by_first = std::map<std::uintptr_t, segment>;

  /// Makes a segment begin at the address if one goes across it. Returns the first that begins there
  /// or behind.
  segments_by_first::iterator split(std::uintptr_t address);

  segments_by_first segments_;
  reader_lists readers_;
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
