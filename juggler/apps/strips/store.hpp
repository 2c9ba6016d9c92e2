#pragma once
// What the problems of dtw and sw share: the graph of tiles, the last rows and columns of tiles on
// a machine, and the methods. Only sources that launch kernels include this header.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apps/grid/large.hpp"
#include "apps/juggler/methods.hpp"
#include "apps/strips/app.hpp"
#include "apps/strips/floor.hpp"
#include "apps/strips/inspection.hpp"
#include "juggler/rivals/strips/diagonal.hpp"

namespace gridloom::juggler::strips {

/// A series on a machine, padded at both ends as rows.hpp requires.
template <class T>
class padded {
 public:
  template <class From>
  padded(device& machine, std::vector<From> const& values)
      : machine_(&machine), values_(room_before + values.size() + room_behind, T{}) {
    for (std::size_t k = 0; k < values.size(); ++k)
      values_[room_before + k] = static_cast<T>(values[k]);
    store_ = machine.allocate<T>(values_.size());
  }
  void load() { machine_->copy_to_device(store_, std::span<T const>(values_)); }
  [[nodiscard]] T const* first() const { return store_.data() + room_before; }
  [[nodiscard]] std::span<T const> values() const {
    return std::span<T const>(values_).subspan(room_before,
                                               values_.size() - room_before - room_behind);
  }
  [[nodiscard]] std::size_t bytes() const { return store_.bytes(); }

 private:
  device* machine_;
  std::vector<T> values_;
  buffer<T> store_;
};

/// The tiles of a problem. Used by one thread.
template <class Side>
class tile_store {
 public:
  tile_store(device& machine, tile_grid const& grid)
      : machine_(&machine),
        grid_(grid),
        bottoms_(machine.allocate<Side>(static_cast<std::size_t>(grid.bottoms()))),
        rights_(machine.allocate<Side>(static_cast<std::size_t>(grid.rights()))),
        graph_(inspect_tiles(grid, bottoms_.data(), rights_.data())) {}

  [[nodiscard]] task_dag const& dag() const { return graph_.context.dag(); }
  [[nodiscard]] inspection_times inspect(range_matching matching) const {
    return inspect_tiles(grid_, bottoms_.data(), rights_.data(), matching).times;
  }
  [[nodiscard]] std::size_t bytes() const { return bottoms_.bytes() + rights_.bytes(); }

  /// Makes an executor that computes all tiles, or, for the method `floor`, strips.
  template <class Cells>
  std::unique_ptr<executor> make_ready(std::string_view method, execution_settings const& how,
                                       Cells const& cells) {
    floor_columns_ = 0;
    app<Cells> const tiles{cells, grid_, bottoms_.data(), rights_.data()};
    auto const floor = [&] {
      auto made = make_floor(*machine_, how, cells, grid_, bottoms_.data());
      floor_elements_ = made->elements();
      floor_columns_ =
          (machine_->is_host() ? 1 : std::min(how.threads, most_lanes)) * Cells::columns;
      return made;
    };
    return make_method(method, *machine_, dag(), graph_.context.data(), how, tiles,
                       std::pair{"floor", floor},
                       std::pair{"diagonal", [&] { return make_diagonal(*machine_, how, tiles); }});
  }
  /// Elements per run if the last method was `floor`.
  [[nodiscard]] double floor_elements() const { return floor_elements_; }
  /// Columns of a strip if the last method was `floor`, else 0.
  [[nodiscard]] std::int64_t floor_columns() const { return floor_columns_; }

  /// Fills the memory with values that no result contains.
  void clear() {
    machine_->fill_bytes(bottoms_, 0xff);
    machine_->fill_bytes(rights_, 0xff);
  }
  void fetch() {
    found_bottoms_ = machine_->copy_to_host(bottoms_);
    found_rights_ = machine_->copy_to_host(rights_);
  }
  /// Compares the tiles' last rows and columns with those of the first method that was checked, or
  /// calls check(i, j) for some tiles.
  template <class Check>
  void require_samples(Check const& check) {
    std::int64_t const tiles = grid_.down() * grid_.across();
    auto hashes = hashes_of(*machine_, bottoms_, tiles);
    auto const more = hashes_of(*machine_, rights_, tiles);
    hashes.insert(hashes.end(), more.begin(), more.end());
    hashes_.require(std::move(hashes), grid_.down(), grid_.across(), check);
  }
  /// The borders of tile (i, j) on the machine. `outside` are those of the matrix.
  [[nodiscard]] borders<Side> borders_of(std::int64_t i, std::int64_t j,
                                         borders<Side> outside) const {
    auto const tile = static_cast<std::size_t>(grid_.tile);
    outside.above.resize(tile);
    outside.left.resize(tile);
    if (i > 0 || j > 0) outside.corner = i > 0 ? outside.left[0] : outside.above[0];
    if (i > 0 && j > 0)
      outside.corner = machine_->copy_to_host(bottoms_.data() + grid_.bottom(i - 1, j) - 1);
    if (i > 0) outside.above = copied(*machine_, bottoms_, grid_.bottom(i - 1, j), grid_.tile);
    if (j > 0) outside.left = copied(*machine_, rights_, grid_.right(i, j - 1), grid_.tile);
    return outside;
  }
  /// Throws wrong_result unless this is the last row and the last column of tile (i, j) on the
  /// machine.
  void require_sides(std::int64_t i, std::int64_t j, std::vector<Side> const& bottom,
                     std::vector<Side> const& right) const {
    if (copied(*machine_, bottoms_, grid_.bottom(i, j), grid_.tile) != bottom ||
        copied(*machine_, rights_, grid_.right(i, j), grid_.tile) != right)
      throw wrong_result("tile (" + std::to_string(i) + ", " + std::to_string(j) +
                         ") differs from the serial version");
  }
  /// The last element of the matrix on the machine.
  [[nodiscard]] Side last() const {
    std::int64_t const i = grid_.down() - 1, j = grid_.across() - 1;
    return machine_->copy_to_host(bottoms_.data() + grid_.bottom(i, j) + grid_.cols_of(j) - 1);
  }
  /// Compares an element with its expected values: with `below` in the last row of a tile, with
  /// `beside` in the last column. Returns true for other elements, which are not stored.
  [[nodiscard]] bool is_found(std::int64_t row, std::int64_t col, Side const& below,
                              Side const& beside) const {
    std::int64_t const i = row / grid_.tile;
    std::int64_t const j = col / grid_.tile;
    std::int64_t const row_in = row % grid_.tile;
    std::int64_t const col_in = col % grid_.tile;
    if (row_in == grid_.rows_of(i) - 1 &&
        !(found_bottoms_[static_cast<std::size_t>(grid_.bottom(i, j) + col_in)] == below))
      return false;
    return col_in != grid_.cols_of(j) - 1 ||
           found_rights_[static_cast<std::size_t>(grid_.right(i, j) + row_in)] == beside;
  }
  /// The fetched element at this place. It must be in the last row of a tile.
  [[nodiscard]] Side const& bottom_of(std::int64_t row, std::int64_t col) const {
    return found_bottoms_[static_cast<std::size_t>(
        grid_.bottom(row / grid_.tile, col / grid_.tile) + col % grid_.tile)];
  }
  /// The result that `floor` left for a column.
  [[nodiscard]] Side const& floor_bottom(std::int64_t col) const {
    return found_bottoms_[static_cast<std::size_t>(col)];
  }

 private:
  device* machine_;
  tile_grid grid_;
  buffer<Side> bottoms_, rights_;
  inspected<tile_place> graph_;
  double floor_elements_ = 0;
  std::int64_t floor_columns_ = 0;
  std::vector<Side> found_bottoms_, found_rights_;
  checked_hashes hashes_;
};

}  // namespace gridloom::juggler::strips
