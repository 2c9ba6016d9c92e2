#pragma once
// The accesses to arrays that a program cuts into equal tiles, as most do. A tile is found by its
// index, so naming a range costs a few nanoseconds. The first range of an array gives the length of
// its tiles. A range that is no such tile ends that: the array's accesses move to range_map, which
// takes any ranges.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gridloom/taskgraph/graph_file.hpp"
#include "juggler/array_section.hpp"
#include "juggler/limited_list.hpp"

namespace gridloom::juggler {

/// Used by one thread, with task numbers that never decrease. The rules are those of `accesses` in
/// range_map.hpp. Cost: constant, plus the readers that a writer follows.
class tile_map {
 public:
  static constexpr std::size_t most_arrays = 8;
  /// The number of an array without tiles.
  static constexpr std::size_t none = most_arrays;

  struct tile {
    std::uint32_t writer = no_task;
    /// The newest reader since the last write, as an index into readers_.
    std::uint32_t readers = no_task;
  };

  /// Reserves room for this number of readers.
  explicit tile_map(std::size_t readers = 0) : readers_(readers, no_task, "readers") {}

  /// The array has tiles until move_out(). Arrays must not overlap. Returns its number. Of more
  /// than `most_arrays` arrays, the first ones are taken.
  std::size_t add(byte_range array) {
    if (added_ == most_arrays) return none;
    arrays_[added_] = {.bytes = array};
    return added_++;
  }

  /// Whether the section names a tile, which `found` becomes. If not, place() has to find out.
  [[nodiscard]] bool find(array_section const& section, tile*& found) {
    for (cut& of : arrays_) {
      if (section.array != of.array) continue;
      // If the length divides `begin`, this is the quotient, and else a number above all indices.
      std::uint64_t const index =
          std::rotr(static_cast<std::uint64_t>(section.begin) * of.inverse, of.twos);
      if (section.length != of.length || section.element_bytes != of.element_bytes ||
          index >= of.count)
        return false;
      found = of.tiles.get() + index;
      return true;
    }
    return false;
  }
  /// The same for a tile of an array, by their numbers.
  [[nodiscard]] bool find(std::size_t array, std::uint64_t index, std::size_t tile_bytes,
                          tile*& found) {
    cut& of = arrays_[array];
    if (index >= of.count || tile_bytes != of.tile_bytes) return false;
    found = of.tiles.get() + index;
    return true;
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
    readers_.push({task, of.readers});
    of.readers = static_cast<std::uint32_t>(readers_.size() - 1);
  }
  template <class Follow>
  void write(tile& of, std::uint32_t task, Follow const& follow) {
    if (of.writer != no_task) follow(of.writer);
    for_each_reader(of, follow);
    of = {task, no_task};
  }

 private:
  /// An array and its tiles, which begin at multiples of their length.
  struct cut {
    byte_range bytes;
    // How the first section named a tile; null before.
    void const* array = nullptr;
    std::size_t element_bytes = 0;
    std::int64_t length = 0;
    // The length is an odd number times 2^twos; `inverse` times the odd number is 1 modulo 2^64.
    std::uint64_t inverse = 0;
    int twos = 0;
    std::size_t tile_bytes = 0;
    std::size_t count = 0;
    std::unique_ptr<tile[]> tiles{};
  };
  struct reader {
    std::uint32_t task;
    /// The reader before it, or no_task.
    std::uint32_t older;
  };

  [[nodiscard]] cut* array_of(byte_range bytes) {
    for (cut& of : arrays_) {
      if (bytes.first >= of.bytes.first && bytes.first < of.bytes.last) return &of;
    }
    return nullptr;
  }

  /// Calls visit(task) for the readers of a tile, newest first.
  template <class Visit>
  void for_each_reader(tile const& of, Visit const& visit) const {
    for (std::uint32_t at = of.readers; at != no_task; at = readers_[at].older)
      visit(readers_[at].task);
  }

  /// The last one stays empty.
  std::array<cut, most_arrays + 1> arrays_;
  std::size_t added_ = 0;
  /// All reads of tiles. They take less memory than the graph, so none is reused.
  limited_list<reader> readers_;
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
    of->tile_bytes = size;
    auto const length = static_cast<std::uint64_t>(section.length);
    of->twos = std::countr_zero(length);
    std::uint64_t const odd = length >> of->twos;
    // Each step of Newton's method doubles the number of right bits; `odd` has three.
    of->inverse = odd;
    for (int bits = 3; bits < 64; bits *= 2) of->inverse *= 2 - odd * of->inverse;
  }
  std::uintptr_t const offset = bytes.first - of->bytes.first;
  std::size_t const index = offset / size;
  if (size != of->tile_bytes || offset % size != 0) return nullptr;
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
  byte_range at{of->bytes.first, of->bytes.first + of->tile_bytes};
  std::vector<std::uint32_t> newest_first;
  for (tile const& one : std::span(of->tiles.get(), of->count)) {
    if (one.writer != no_task) write(at, one.writer);
    newest_first.clear();
    for_each_reader(one, [&](std::uint32_t task) { newest_first.push_back(task); });
    for (auto task = newest_first.rbegin(); task != newest_first.rend(); ++task) read(at, *task);
    at = {at.last, at.last + of->tile_bytes};
  }
  *of = {};
}

}  // namespace gridloom::juggler
