#include "juggler/range_map.hpp"

#include <algorithm>

namespace gridloom::juggler {

segment_id range_map::split(segment_id id, std::uintptr_t address) {
  accesses& whole = segments_.value(id);
  whole.readers = readers_.share(whole.readers);
  return segments_.split(id, address);
}

segment_id range_map::read_pieces(segment_id at, byte_range range, std::uint32_t task,
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

segment_id range_map::write_pieces(segment_id at, byte_range range, std::uint32_t task,
                                   std::vector<std::uint32_t>& before) {
  if (segments_.first(at) < range.first) at = split(at, range.first);
  while (segments_.first(at) < range.last) {
    if (segments_.last(at) > range.last) split(at, range.last);
    segments_.value(at).write(readers_, task, before);
    at = segments_.erase(at);
  }
  return segments_.insert(at, range.first, range.last, {task, reader_lists::empty});
}

void exact_map::read(byte_range range, std::uint32_t task, std::vector<std::uint32_t>& before) {
  ranges_[range].read(readers_, task, before);
}

void exact_map::write(byte_range range, std::uint32_t task, std::vector<std::uint32_t>& before) {
  ranges_[range].write(readers_, task, before);
}

std::size_t exact_map::hash::operator()(byte_range range) const {
  return mixed(range.first + 0x9e3779b97f4a7c15U * (range.last - range.first));
}

}  // namespace gridloom::juggler
