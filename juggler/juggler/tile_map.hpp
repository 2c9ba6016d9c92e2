#pragma once
// The accesses to arrays that a program cuts into equal tiles, as most do. A tile is found by its
// index, so naming a range costs a few nanoseconds. The first range of an array gives the length of
// its tiles. A range that is no such tile ends that: the array's accesses move to range_map, which
// takes any ranges.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gridloom/taskgraph/graph_file.hpp"
#include "juggler/array_section.hpp"

namespace gridloom::juggler {

/// Used by one thread, with task numbers that never decrease. The rules are those of `accesses` in
/// range_map.hpp. Cost: constant, plus the readers that a writer follows.
class tile_map {
 public:
  struct tile {
    std::uint32_t writer = no_task;
    /// The newest reader since the last write.
    std::uint32_t reader = no_task;
    /// The readers before it: the newest of them as an index into readers_.
    std::uint32_t older = no_task;
  };

  /// Reserves room for this number of readers.
  explicit tile_map(std::size_t readers = 0) { readers_.reserve(readers); }

  /// The array has tiles until move_out(). Arrays must not overlap. Of more than
  /// `most_arrays` arrays, the first ones are taken.
  void add(byte_range array) {
    if (arrays_.size() < most_arrays) arrays_.push_back({.bytes = array});
  }

  /// The tile that a section names, or null if place() has to find out.
  [[nodiscard]] tile* find(array_section const& section) {
    for (cut& of : arrays_) {
      if (section.array != of.array || section.length != of.length ||
          section.element_bytes != of.element_bytes)
        continue;
      // Exact if `begin` is a multiple of the length; otherwise the comparison below finds out.
      auto const begin = static_cast<std::uint64_t>(section.begin);
      auto const index = static_cast<std::uint64_t>(wide{begin} * of.reciprocal >> 64U);
      bool const is_tile =
          index < of.count && index * static_cast<std::uint64_t>(of.length) == begin;
      return is_tile ? of.tiles.get() + index : nullptr;
    }
    return nullptr;
  }
  /// The same for any valid section, whose bytes are given. Null if the array has no tiles, or if
  /// this is none of them; then move_out() must follow. Indices are below `most_tiles`.
  [[nodiscard]] tile* place(array_section const& section, byte_range bytes, std::size_t most_tiles);

  /// Calls read(range, task) and write(range, task) for the accesses that count, so that another map
  /// knows them, if the array of these bytes has tiles. It has none afterwards.
  template <class Read, class Write>
  void move_out(byte_range bytes, Read const& read, Write const& write);

  /// Calls follow(task) for each task that a reader or a writer of the tile follows.
  template <class Follow>
  void read(tile& of, std::uint32_t task, Follow const& follow) {
    if (of.writer != no_task) follow(of.writer);
    if (of.reader == task) return;
    if (of.reader != no_task) of.older = with(of.reader, of.older);
    of.reader = task;
  }
  template <class Follow>
  void write(tile& of, std::uint32_t task, Follow const& follow) {
    if (of.writer != no_task) follow(of.writer);
    if (of.reader != no_task) follow(of.reader);
    if (of.older != no_task) {
      std::uint32_t last = of.older;
      for (;; last = readers_[last].next) {
        follow(readers_[last].task);
        if (readers_[last].next == no_task) break;
      }
      readers_[last].next = unused_;
      unused_ = of.older;
    }
    of = {task, no_task, no_task};
  }

 private:
  static constexpr std::size_t most_arrays = 8;
  // Not in ISO C++, but in all compilers that are supported.
  __extension__ typedef unsigned __int128 wide;

  /// An array and its tiles, which begin at multiples of their length.
  struct cut {
    byte_range bytes;
    // How the first section named a tile; null before.
    void const* array = nullptr;
    std::size_t element_bytes = 0;
    std::int64_t length = 0;
    /// 2^64 / length, rounded up; 0 for a length of 1.
    std::uint64_t reciprocal = 0;
    std::size_t count = 0;
    std::unique_ptr<tile[]> tiles{};
  };
  struct reader {
    std::uint32_t task;
    std::uint32_t next;
  };

  [[nodiscard]] cut* array_of(byte_range bytes) {
    for (cut& of : arrays_) {
      if (bytes.first >= of.bytes.first && bytes.first < of.bytes.last) return &of;
    }
    return nullptr;
  }

  /// Puts a reader in front of a list, and returns the list.
  [[nodiscard]] std::uint32_t with(std::uint32_t task, std::uint32_t next) {
    std::uint32_t made = unused_;
    if (made == no_task) {
      made = static_cast<std::uint32_t>(readers_.size());
      readers_.push_back({task, next});
    } else {
      unused_ = readers_[made].next;
      readers_[made] = {task, next};
    }
    return made;
  }

  std::vector<cut> arrays_;
  std::vector<reader> readers_;
  /// The first unused entry of readers_; `next` links all of them.
  std::uint32_t unused_ = no_task;
};

inline tile_map::tile* tile_map::place(array_section const& section, byte_range bytes,
                                       std::size_t most_tiles) {
  cut* const of = array_of(bytes);
  if (of == nullptr) return nullptr;
  std::uintptr_t const size = bytes.last - bytes.first;
  if (of->array == nullptr) {
    of->array = reinterpret_cast<void const*>(of->bytes.first);
    of->element_bytes = section.element_bytes;
    of->length = section.length;
    of->reciprocal = section.length == 1
                         ? 0
                         : ~std::uint64_t{0} / static_cast<std::uint64_t>(section.length) + 1;
  }
  std::uintptr_t const offset = bytes.first - of->bytes.first;
  std::size_t const index = offset / size;
  if (size != of->element_bytes * static_cast<std::size_t>(of->length) || offset % size != 0)
    return nullptr;
  if (of->count == 0) {
    of->count = std::min((of->bytes.last - of->bytes.first) / size, most_tiles);
    of->tiles = std::make_unique<tile[]>(of->count);
  }
  return index < of->count ? &of->tiles[index] : nullptr;
}

template <class Read, class Write>
void tile_map::move_out(byte_range bytes, Read const& read, Write const& write) {
  cut* const of = array_of(bytes);
  if (of == nullptr) return;
  std::uintptr_t const size = of->element_bytes * static_cast<std::size_t>(of->length);
  byte_range at{of->bytes.first, of->bytes.first + size};
  std::vector<std::uint32_t> newest_first;
  for (tile const& one : std::span(of->tiles.get(), of->count)) {
    if (one.writer != no_task) write(at, one.writer);
    newest_first.clear();
    if (one.reader != no_task) newest_first.push_back(one.reader);
    for (std::uint32_t r = one.older; r != no_task; r = readers_[r].next)
      newest_first.push_back(readers_[r].task);
    for (auto task = newest_first.rbegin(); task != newest_first.rend(); ++task) read(at, *task);
    at = {at.last, at.last + size};
  }
  arrays_.erase(arrays_.begin() + (of - arrays_.data()));
}

}  // namespace gridloom::juggler
