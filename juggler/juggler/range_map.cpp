#include "juggler/range_map.hpp"

#include <algorithm>
#include <iterator>

namespace gridloom::juggler {

namespace {

// The two rules, for one segment. A task's own number among `before` is its caller's to drop.

void read_one(accesses& of, reader_lists& lists, std::uint32_t task,
              std::vector<std::uint32_t>& before) {
  if (of.writer != no_writer) before.push_back(of.writer);
  of.readers = lists.with(of.readers, task);
}

void follow_all(accesses const& of, reader_lists& lists, std::uint32_t task,
                std::vector<std::uint32_t>& before) {
  if (of.writer != no_writer) before.push_back(of.writer);
  lists.take(of.readers, task, before);
}

}  // namespace

reader_lists::list reader_lists::with(list readers, std::uint32_t task) {
  if (readers != empty && entries_[readers].task == task) return readers;
  list made = unused_;
  if (made == empty) {
    made = entries_.size();
    entries_.emplace_back();
  } else {
    unused_ = entries_[made].next;
  }
  ++live_;
  entries_[made] = {readers, 1, task, no_writer};
  return made;
}

reader_lists::list reader_lists::share(list readers) {
  if (readers != empty) ++entries_[readers].owners;
  return readers;
}

void reader_lists::take(list readers, std::uint32_t by, std::vector<std::uint32_t>& before) {
  // Behind an entry that `by` has met, it has met all.
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

range_map::segments_by_first::iterator range_map::split(std::uintptr_t address) {
  auto const next = segments_.lower_bound(address);
  if (next == segments_.begin()) return next;
  segment& before = std::prev(next)->second;
  if (before.last <= address) return next;
  segment behind = before;
  behind.readers = readers_.share(before.readers);
  before.last = address;
  return segments_.emplace_hint(next, address, behind);
}

void range_map::read(byte_range range, std::uint32_t task, std::vector<std::uint32_t>& before) {
  auto at = split(range.first);
  // Everything below `done` is read.
  for (std::uintptr_t done = range.first; done < range.last; ++at) {
    if (at == segments_.end() || at->first > done) {
      // Storage of which nothing is known up to the next segment.
      std::uintptr_t const last =
          at == segments_.end() ? range.last : std::min(at->first, range.last);
      at = segments_.emplace_hint(at, done, segment{{}, last});
    } else if (at->second.last > range.last) {
      split(range.last);
    }
    read_one(at->second, readers_, task, before);
    done = at->second.last;
  }
}

void range_map::write(byte_range range, std::uint32_t task, std::vector<std::uint32_t>& before) {
  auto const first = split(range.first);
  auto at = first;
  for (; at != segments_.end() && at->first < range.last; ++at) {
    if (at->second.last > range.last) split(range.last);
    follow_all(at->second, readers_, task, before);
  }
  // One segment for all, in the node of the first where that begins at the same address.
  if (first != at && first->first == range.first) {
    segments_.erase(std::next(first), at);
    first->second = {{task, reader_lists::empty}, range.last};
  } else {
    segments_.emplace_hint(segments_.erase(first, at), range.first,
                           segment{{task, reader_lists::empty}, range.last});
  }
}

void exact_map::read(byte_range range, std::uint32_t task, std::vector<std::uint32_t>& before) {
  read_one(ranges_[range], readers_, task, before);
}

void exact_map::write(byte_range range, std::uint32_t task, std::vector<std::uint32_t>& before) {
  accesses& of = ranges_[range];
  follow_all(of, readers_, task, before);
  of = {task, reader_lists::empty};
}

std::size_t exact_map::hash::operator()(byte_range range) const {
  // Sebastiano Vigna's mixing step of splitmix64: addresses are multiples of large powers of two.
  std::uint64_t x = range.first + 0x9e3779b97f4a7c15U * (range.last - range.first);
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

}  // namespace gridloom::juggler
