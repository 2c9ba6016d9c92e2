#include "gathered_plan.hpp"

#include <algorithm>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <stdexcept>
#include <utility>

namespace gridloom::mhive::jacobi {
namespace {

template <typename Value>
class chunker {
 public:
  chunker(system<Value> const& of, neighbour_plan<Value> const& from, std::uint32_t places)
      : of_(of), from_(from), places_(places), value_at_(places), read_from_(from.parts.size()) {
    for (std::uint32_t p = 0; p < size(from.parts); ++p) {
      owner_.resize(owner_.size() + from.parts[p].num_rows, p);
    }
    plan_.values.reserve(from.values.size());
    plan_.columns.reserve(from.values.size());
    plan_.places.reserve(from.values.size());
  }

  gathered_plan<Value> plan() {
    std::size_t offsets = 0;
    for (block_part const& part : from_.parts) {
      add(part, from_.slice_offsets.data() + offsets);
      offsets += part.num_slices + 1;
    }
    add_giants();
    return std::move(plan_);
  }

 private:
  void add(block_part const& part, std::uint32_t const* slice_offsets) {
    plan_.parts.push_back({part.first_row, size(plan_.chunks), 0, size(plan_.giants), 0});
    open();
    add_waits(part);
    for (std::uint32_t i = 0; i < part.num_long; ++i) {
      add_long(part, from_.long_rows[part.first_long + i]);
    }
    for (std::uint32_t s = 0; s < part.num_slices; ++s) {
      add_slice(part, s, slice_offsets[s], slice_offsets[s + 1]);
    }
    close();
    plan_.parts.back().num_chunks = size(plan_.chunks) - plan_.parts.back().first_chunk;
    plan_.parts.back().num_giants = size(plan_.giants) - plan_.parts.back().first_giant;
  }
  template <class T>
  static std::uint32_t size(std::vector<T> const& of) {
    return static_cast<std::uint32_t>(of.size());
  }

  void open() {
    plan_.chunks.push_back({plan_.values.size(), 0, size(plan_.rows), 0, 0});
    used_ = 0;
  }
  void close() {
    boost::sort::spreadsort::integer_sort(entries_.begin(), entries_.end());
    for (std::uint64_t const entry : entries_) {
      auto const place = static_cast<std::uint16_t>(entry & 0xFFFFU);
      plan_.values.push_back(place == no_place ? Value{0} : value_at_[place]);
      plan_.columns.push_back(static_cast<std::uint32_t>(entry >> 16U));
      plan_.places.push_back(place);
    }
    plan_.chunks.back().num_entries = size(entries_);
    entries_.clear();
  }
  void make_room(std::uint32_t places) {
    if (places <= places_ - used_) return;
    close();
    open();
  }

  void add_entry(std::uint32_t column, std::uint32_t place) {
    entries_.push_back(std::uint64_t{column} << 16U | place);
  }
  void add_waits(block_part const& part) {
    // Number of the part, from 1.
    auto const number = size(plan_.parts);
    for (std::uint32_t row = part.first_row; row < part.first_row + part.num_rows; ++row) {
      for (std::uint32_t const column : of_.matrix.row(row)) read_from_[owner_[column]] = number;
    }
    for (std::uint32_t i = 0; i < part.num_neighbours; ++i) {
      std::uint32_t const other = from_.neighbours[part.first_neighbour + i];
      if (read_from_[other] != number) add_entry(from_.parts[other].first_row, no_place);
    }
  }

  void add_long(block_part const& part, long_row<Value> const& given) {
    gathered_row<Value> row{given.row, given.num_entries, 0, given.right_side, given.diagonal};
    if (given.num_entries > places_) {
      plan_.giants.push_back({0, row});
      return;
    }
    make_room(given.num_entries);
    row.first = used_;
    plan_.rows.push_back(row);
    ++plan_.chunks.back().num_long;
    for (std::uint32_t i = 0; i < given.num_entries; ++i) {
      std::size_t const at = part.first_entry + given.first_entry + i;
      value_at_[used_] = from_.values[at];
      add_entry(from_.columns[at], used_++);
    }
  }

  void add_slice(block_part const& part, std::uint32_t slice, std::uint32_t begin,
                 std::uint32_t end) {
    make_room(end - begin);
    for (std::uint32_t lane = 0; lane < slice_rows; ++lane) {
      std::size_t const slot = (std::size_t{part.first_slice} + slice) * slice_rows + lane;
      gathered_row<Value> row{from_.rows[slot], 0, used_ + lane, 0, 1};
      if (row.row != no_index) {
        row.right_side = of_.right_side[row.row];
        row.diagonal = of_.diagonal[row.row];
        for (std::uint32_t at = begin + lane; at < end; at += slice_rows) {
          std::size_t const from = part.first_entry + at;
          if (from_.columns[from] == no_index) break;
          std::uint32_t const place = row.first + slice_rows * row.length++;
          value_at_[place] = from_.values[from];
          add_entry(from_.columns[from], place);
        }
      }
      plan_.rows.push_back(row);
    }
    plan_.chunks.back().num_short += slice_rows;
    used_ += end - begin;
  }

  void add_giants() {
    for (giant_row<Value>& giant : plan_.giants) {
      giant.first_entry = plan_.values.size();
      auto const begin = static_cast<std::ptrdiff_t>(of_.matrix.row_offsets[giant.of.row]);
      auto const end = static_cast<std::ptrdiff_t>(of_.matrix.row_offsets[giant.of.row + 1]);
      auto const& from = of_.matrix;
      plan_.values.insert(plan_.values.end(), from.values.begin() + begin,
                          from.values.begin() + end);
      plan_.columns.insert(plan_.columns.end(), from.columns.begin() + begin,
                           from.columns.begin() + end);
    }
  }

  system<Value> const& of_;
  neighbour_plan<Value> const& from_;
  std::uint32_t places_;
  gathered_plan<Value> plan_;
  /// The part of each row.
  std::vector<std::uint32_t> owner_;
  // Entries of the open chunk. Each holds a column and, in the lowest 16 bits, a place.
  std::vector<std::uint64_t> entries_;
  std::vector<Value> value_at_;
  std::uint32_t used_ = 0;
  /// For each part, the last part that was found to read from it. Parts are counted from 1.
  std::vector<std::uint32_t> read_from_;
};

}  // namespace

template <typename Value>
gathered_plan<Value> make_gathered_plan(system<Value> const& of, int blocks, std::uint32_t segment,
                                        std::uint32_t places) {
  if (places < slice_rows * slice_rows || places > most_places) {
    throw std::invalid_argument("make_gathered_plan: expected 1,024 to 65,535 places, got " +
                                std::to_string(places));
  }
  auto const from = make_neighbour_plan(of, blocks, segment, 0);
  return chunker<Value>{of, from, places}.plan();
}

template gathered_plan<float> make_gathered_plan(system<float> const&, int, std::uint32_t,
                                                 std::uint32_t);
template gathered_plan<double> make_gathered_plan(system<double> const&, int, std::uint32_t,
                                                  std::uint32_t);

}  // namespace gridloom::mhive::jacobi
