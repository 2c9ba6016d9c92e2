#pragma once
// Disjoint segments of storage in the order of their addresses, each with a value.
//
// Programs visit their tiles in a regular order and seldom name parts of a tile. So the segments
// form a linked list, and the caller guesses which segment is near a range. Usually the range is
// that segment or begins directly after it, and no search is needed. For other ranges, a search
// tree of marked segments finds a start in the list. A program that often needs the tree gets a
// hash table of first addresses.

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "gridloom/error.hpp"
#include "juggler/array_section.hpp"
#include "juggler/segment_table.hpp"

namespace gridloom::juggler {

/// Used by one thread. A number stays valid until its segment is erased. 0 means "before the first
/// segment" or "after the last segment".
///
/// Cost: inserting is constant; erasing also looks for the segment's mark. Finding is constant if a
/// guess is right, and otherwise logarithmic in the number of segments, amortised. A walk starts at
/// the last mark before the range and leaves a mark every `stride` steps. A longer stretch without
/// marks consists of newer segments, and each of them pays for one step.
template <class Value>
class segment_list {
 public:
  /// Reserves room for this number of segments.
  explicit segment_list(std::size_t expected = 0) {
    entries_.reserve(expected + 1);
    // A sentinel that stops every walk: it begins after all segments and ends before them.
    entries_.push_back({nowhere, 0, {}, 0, 0});
  }

  /// The first segment that ends after the range's first byte, or 0. `guesses` are numbers of
  /// present or former segments, or 0. The guess at index `likely` is tried first.
  template <std::size_t N>
  [[nodiscard]] segment_id first_of(byte_range range, std::array<segment_id, N> const& guesses,
                                    std::size_t likely) {
    entry const& near = entries_[guesses[likely]];
    if (near.last == range.first) return near.next;
    return near.first == range.first ? guesses[likely] : find(range, guesses);
  }
  [[nodiscard]] bool is(segment_id id, byte_range range) const {
    return entries_[id].first == range.first && entries_[id].last == range.last;
  }
  [[nodiscard]] std::uintptr_t first(segment_id id) const { return entries_[id].first; }
  [[nodiscard]] std::uintptr_t last(segment_id id) const { return entries_[id].last; }
  [[nodiscard]] Value& value(segment_id id) { return entries_[id].value; }
  [[nodiscard]] segment_id next(segment_id id) const { return entries_[id].next; }

  /// Inserts a segment before `next`, or after all others if `next` is 0. Segments must not
  /// overlap.
  segment_id insert(segment_id next, std::uintptr_t first, std::uintptr_t last, Value value);
  /// Cuts a segment at an address inside it. The segment keeps the part below the address. Returns
  /// the upper part, which has the same value.
  segment_id split(segment_id id, std::uintptr_t address);
  /// Erases a segment and returns the next one.
  segment_id erase(segment_id id);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t marks() const { return marks_.size(); }

 private:
  static constexpr unsigned stride = 16;
  static constexpr std::size_t least_searches = 64;
  static constexpr segment_id most_segments = std::numeric_limits<segment_id>::max();
  /// No segment and no range begins at this address.
  static constexpr std::uintptr_t nowhere = std::numeric_limits<std::uintptr_t>::max();

  struct entry {
    // In an unused entry both addresses are `nowhere`.
    std::uintptr_t first;
    std::uintptr_t last;
    Value value;
    segment_id previous;
    segment_id next;
  };

  [[nodiscard]] segment_id beginning_at(std::uintptr_t address) const {
    return beginning_at_.find(address, [this](segment_id id) { return entries_[id].first; });
  }
  /// The last inserted segment whose end has the same hash as this address. Its end may differ.
  [[nodiscard]] segment_id& ending_at(std::uintptr_t address) {
    return ending_at_[address * 0x9e3779b97f4a7c15U >> 51U];
  }
  segment_id find(byte_range range, std::span<segment_id const> guesses);
  /// Finds a segment by the table or a search, without a guess.
  segment_id find_anywhere(byte_range range);
  segment_id search(std::uintptr_t address);
  segment_id new_entry();
  void renew_table();

  std::vector<entry> entries_;
  /// The first unused entry, or 0; `next` links all unused entries.
  segment_id unused_ = 0;
  std::size_t size_ = 0;
  /// The last inserted segment for each hash of an end. It may be erased or end elsewhere now.
  std::array<segment_id, 8192> ending_at_{};
  /// Marked segments; the key is the first address.
  std::map<std::uintptr_t, segment_id> marks_;
  /// Number of searches before the table was made.
  std::size_t searches_ = 0;
  bool has_table_ = false;
  segment_table beginning_at_;
};

template <class Value>
segment_id segment_list<Value>::find(byte_range range, std::span<segment_id const> guesses) {
  segment_id const before = ending_at(range.first);
  if (entries_[before].last == range.first) return entries_[before].next;
  if (entries_[entries_[0].previous].last <= range.first) return 0;
  for (segment_id const guess : guesses) {
    entry const& near = entries_[guess];
    if (near.first <= range.first && entries_[near.next].last > range.first)
      return near.last > range.first ? guess : near.next;
  }
  return find_anywhere(range);
}

template <class Value>
segment_id segment_list<Value>::find_anywhere(byte_range range) {
  if (!has_table_) {
    // Making a table costs as much as searching for a fraction of its segments.
    if (++searches_ <= least_searches + size_ / 8) return search(range.first);
    has_table_ = true;
    renew_table();
  }
  if (segment_id const same = beginning_at(range.first); same != 0) return same;
  segment_id found = beginning_at(range.last);
  if (found == 0) return search(range.first);
  // Walks back from the end of the range to its first segment. The walk is no longer than the
  // number of segments in the range.
  while (entries_[entries_[found].previous].last > range.first) found = entries_[found].previous;
  return found;
}

template <class Value>
segment_id segment_list<Value>::search(std::uintptr_t address) {
  auto const behind = marks_.upper_bound(address);
  segment_id at = behind == marks_.begin() ? entries_[0].next : std::prev(behind)->second;
  // The loop ends, because the last segment ends after the address.
  for (unsigned steps = 1; entries_[at].last <= address; ++steps) {
    at = entries_[at].next;
    if (steps % stride == 0) marks_.emplace_hint(behind, entries_[at].first, at);
  }
  return at;
}

template <class Value>
segment_id segment_list<Value>::new_entry() {
  if (unused_ != 0) {
    segment_id const made = unused_;
    unused_ = entries_[made].next;
    return made;
  }
  if (entries_.size() == most_segments) throw usage_error("task graph: too many ranges at once");
  entries_.emplace_back();
  return static_cast<segment_id>(entries_.size() - 1);
}

template <class Value>
void segment_list<Value>::renew_table() {
  beginning_at_.clear(2 * size_);
  for (segment_id id = 1; id < entries_.size(); ++id) {
    if (entries_[id].first != nowhere) beginning_at_.insert(id, entries_[id].first);
  }
}

template <class Value>
segment_id segment_list<Value>::insert(segment_id next, std::uintptr_t first, std::uintptr_t last,
                                       Value value) {
  segment_id const made = new_entry();
  segment_id const previous = entries_[next].previous;
  entries_[made] = {first, last, value, previous, next};
  entries_[previous].next = made;
  entries_[next].previous = made;
  ending_at(last) = made;
  ++size_;
  if (!has_table_) return made;
  if (beginning_at_.is_full()) {
    renew_table();
  } else {
    beginning_at_.insert(made, first);
  }
  return made;
}

template <class Value>
segment_id segment_list<Value>::split(segment_id id, std::uintptr_t address) {
  entry const whole = entries_[id];
  entries_[id].last = address;
  return insert(whole.next, address, whole.last, whole.value);
}

template <class Value>
segment_id segment_list<Value>::erase(segment_id id) {
  entry& old = entries_[id];
  if (!marks_.empty()) marks_.erase(old.first);
  if (has_table_) beginning_at_.erase(id, old.first);
  entries_[old.previous].next = old.next;
  entries_[old.next].previous = old.previous;
  segment_id const next = old.next;
  old.first = old.last = nowhere;
  old.next = unused_;
  unused_ = id;
  --size_;
  return next;
}

}  // namespace gridloom::juggler
