#include <algorithm>

#include "apps/grid/tiling.hpp"
#include "apps/juggler/problem.hpp"
#include "apps/strips/store.hpp"
#include "apps/sw/alignment.hpp"
#include "apps/sw/input.hpp"
#include "gridloom/error.hpp"

namespace gridloom::juggler {

namespace {

std::string text_of(sw::best_cell const& cell) {
  return std::to_string(cell.score) + " at " + std::to_string(cell.i) + ", " +
         std::to_string(cell.j);
}

class sw_problem final : public problem {
 public:
  sw_problem(device& machine, sw::input const& given, int tile, int lane_columns, checking how)
      : machine_(&machine),
        given_(given),
        how_(how),
        lane_columns_(strips::columns_of_lane(lane_columns, tile, machine.is_host())),
        grid_{static_cast<std::int64_t>(given.x.size()), static_cast<std::int64_t>(given.y.size()),
              tile},
        x_(machine, given.x),
        y_(machine, given.y),
        scores_(machine.allocate_copy(
            std::vector<std::int8_t>(given.by.scores.begin(), given.by.scores.end()))),
        best_(machine.allocate<sw::best_cell>(
            static_cast<std::size_t>(std::max(grid_.down() * grid_.across(), grid_.cols)))),
        tiles_(machine, grid_) {}

  task_dag const& dag() const override { return tiles_.dag(); }
  inspection_times inspect(range_matching matching) const override {
    return tiles_.inspect(matching);
  }
  std::unique_ptr<executor> make_ready(std::string_view method,
                                       execution_settings const& how) override {
    return lane_columns_ == 2 ? make<2>(method, how) : make<4>(method, how);
  }
  void load() override {
    x_.load();
    y_.load();
    tiles_.clear();
    machine_->fill_bytes(best_, 0xff);
  }
  void fetch() override {
    if (how_ == checking::all) tiles_.fetch();
    cells_ = machine_->copy_to_host(best_);
  }
  double verify() override {
    if (tiles_.floor_columns() != 0) {
      verify_floor();
      return 0;
    }
    if (how_ == checking::sampled) {
      tiles_.require_samples([&](std::int64_t i, std::int64_t j) { check_tile(i, j); });
      return 0;
    }
    sw::best_cell const expected =
        sw::align(x_.values(), y_.values(), given_.by,
                  [&](std::size_t row, std::size_t col, sw::scored const& of) {
                    auto const i = static_cast<std::int64_t>(row);
                    auto const j = static_cast<std::int64_t>(col);
                    if (!tiles_.is_found(i, j, {of.score, of.down}, {of.score, of.along}))
                      refuse_cell(i, j);
                  });
    if (best() != expected)
      throw wrong_result("the best score is " + text_of(best()) + ", expected " +
                         text_of(expected));
    return 0;
  }
  result_facts results() const override {
    if (tiles_.floor_columns() != 0) return {.floor_elements = tiles_.floor_elements()};
    if (cells_.empty()) return {};
    return {.score = best().score, .end_row = best().i + 1, .end_col = best().j + 1};
  }
  std::size_t bytes() const override {
    return x_.bytes() + y_.bytes() + scores_.bytes() + best_.bytes() + tiles_.bytes();
  }

 private:
  template <int Columns>
  std::unique_ptr<executor> make(std::string_view method, execution_settings const& how) {
    return tiles_.make_ready(
        method, how,
        sw::cells<Columns>{x_.first(), y_.first(), scores_.data(),
                           static_cast<int>(given_.by.letters.size()), given_.by.gap_open,
                           given_.by.gap_extend, best_.data()});
  }
  /// Computes a tile again from the last rows and columns of the tiles beside it, and the best cell
  /// from theirs.
  void check_tile(std::int64_t i, std::int64_t j) const {
    auto const size = static_cast<std::size_t>(grid_.tile);
    std::vector<sw::side> bottom(size), right(size);
    auto const part = [&](std::span<std::uint8_t const> of, std::int64_t number) {
      return of.subspan(static_cast<std::size_t>(number) * size, size);
    };
    sw::best_cell expected = sw::align(part(x_.values(), i), part(y_.values(), j), given_.by,
                                       tiles_.borders_of(i, j, sw::outside(size, size, given_.by)),
                                       [&](std::size_t row, std::size_t col, sw::scored const& of) {
                                         if (row + 1 == size) bottom[col] = {of.score, of.down};
                                         if (col + 1 == size) right[row] = {of.score, of.along};
                                       });
    tiles_.require_sides(i, j, bottom, right);
    if (expected.score > 0) {
      expected.i += static_cast<std::int32_t>(i * grid_.tile);
      expected.j += static_cast<std::int32_t>(j * grid_.tile);
    }
    auto const best_at = [&](std::int64_t row, std::int64_t col) {
      return cells_[static_cast<std::size_t>(row * grid_.across() + col)];
    };
    if (i > 0 && is_before(best_at(i - 1, j), expected)) expected = best_at(i - 1, j);
    if (j > 0 && is_before(best_at(i, j - 1), expected)) expected = best_at(i, j - 1);
    if (best_at(i, j) != expected)
      throw wrong_result("the best score of tile (" + std::to_string(i) + ", " + std::to_string(j) +
                         ") is " + text_of(best_at(i, j)) + ", expected " + text_of(expected));
  }
  [[nodiscard]] sw::best_cell const& best() const {
    return cells_[static_cast<std::size_t>(grid_.down() * grid_.across() - 1)];
  }
  /// For the method `floor`: requires that the last row of each strip equals that of a serial run
  /// over this strip alone.
  void verify_floor() const {
    auto const cols = static_cast<std::size_t>(tiles_.floor_columns());
    std::size_t const rows = x_.values().size();
    for (std::size_t begin = 0; begin < y_.values().size(); begin += cols) {
      auto const own = y_.values().subspan(begin, std::min(cols, y_.values().size() - begin));
      sw::best_cell expected = sw::align(
          x_.values(), own, given_.by, [&](std::size_t row, std::size_t col, sw::scored const& of) {
            auto const j = static_cast<std::int64_t>(begin + col);
            if (row + 1 == rows && tiles_.floor_bottom(j) != sw::side{of.score, of.down})
              refuse_cell(static_cast<std::int64_t>(row), j);
          });
      if (expected.j >= 0) expected.j += static_cast<std::int32_t>(begin);
      if (cells_[begin / cols] != expected)
        throw wrong_result("the best score of a strip is " + text_of(cells_[begin / cols]) +
                           ", expected " + text_of(expected));
    }
  }

  device* machine_;
  sw::input const& given_;
  checking how_;
  int lane_columns_;
  strips::tile_grid grid_;
  strips::padded<std::uint8_t> x_, y_;
  buffer<std::int8_t> scores_;
  buffer<sw::best_cell> best_;
  strips::tile_store<sw::side> tiles_;
  std::vector<sw::best_cell> cells_;
};

}  // namespace

std::unique_ptr<problem> make_sw(device& machine, sw::input const& given, int tile,
                                 int lane_columns, checking how) {
  require_tile("sw", tile, strips::largest_tile);
  sw::require_scores_fit(given.by, static_cast<std::int64_t>(given.x.size()),
                         static_cast<std::int64_t>(given.y.size()));
  return std::make_unique<sw_problem>(machine, given, tile, lane_columns, how);
}

}  // namespace gridloom::juggler
