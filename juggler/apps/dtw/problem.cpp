#include <algorithm>

#include "apps/dtw/cells.hpp"
#include "apps/dtw/input.hpp"
#include "apps/grid/tiling.hpp"
#include "apps/juggler/problem.hpp"
#include "apps/strips/store.hpp"
#include "gridloom/error.hpp"

namespace gridloom::juggler {

namespace {

template <class Real>
class dtw_problem final : public problem {
 public:
  dtw_problem(device& machine, dtw::input const& given, int tile, int lane_columns, checking how)
      : how_(how),
        lane_columns_(strips::columns_of_lane(lane_columns, tile, machine.is_host())),
        grid_{static_cast<std::int64_t>(given.x.size()), static_cast<std::int64_t>(given.y.size()),
              tile},
        x_(machine, given.x),
        y_(machine, given.y),
        tiles_(machine, grid_) {}

  task_dag const& dag() const override { return tiles_.dag(); }
  inspection_times inspect(range_matching matching) const override {
    return tiles_.inspect(matching);
  }
  std::unique_ptr<executor> make_ready(std::string_view method,
                                       execution_settings const& how) override {
    return lane_columns_ == 2
               ? tiles_.make_ready(method, how, dtw::cells<Real, 2>{x_.first(), y_.first()})
               : tiles_.make_ready(method, how, dtw::cells<Real, 4>{x_.first(), y_.first()});
  }
  void load() override {
    x_.load();
    y_.load();
    tiles_.clear();
  }
  void fetch() override {
    if (how_ == checking::all) tiles_.fetch();
    fetched_ = true;
  }
  /// All versions use the same operations, so results must have the same bits. NaN is an error.
  double verify() override {
    if (tiles_.floor_columns() != 0) {
      verify_floor();
      return 0;
    }
    if (how_ == checking::sampled) {
      tiles_.require_samples([&](std::int64_t i, std::int64_t j) { check_tile(i, j); });
      return 0;
    }
    dtw::warp(x_.values(), y_.values(), [&](std::size_t row, std::size_t col, Real cost) {
      auto const i = static_cast<std::int64_t>(row);
      auto const j = static_cast<std::int64_t>(col);
      if (!tiles_.is_found(i, j, {cost}, {cost})) refuse_cell(i, j);
    });
    return 0;
  }
  result_facts results() const override {
    if (tiles_.floor_columns() != 0) return {.floor_elements = tiles_.floor_elements()};
    if (!fetched_) return {};
    return {.distance = how_ == checking::sampled
                            ? tiles_.last().cost
                            : tiles_.bottom_of(grid_.rows - 1, grid_.cols - 1).cost};
  }
  std::size_t bytes() const override { return x_.bytes() + y_.bytes() + tiles_.bytes(); }

 private:
  /// Computes a tile again from the last rows and columns of the tiles beside it.
  void check_tile(std::int64_t i, std::int64_t j) const {
    auto const size = static_cast<std::size_t>(grid_.tile);
    std::vector<dtw::side<Real>> bottom(size), right(size);
    auto const part = [&](std::span<Real const> of, std::int64_t number) {
      return of.subspan(static_cast<std::size_t>(number) * size, size);
    };
    dtw::warp(part(x_.values(), i), part(y_.values(), j),
              tiles_.borders_of(i, j, dtw::outside<Real>(size, size)),
              [&](std::size_t row, std::size_t col, Real cost) {
                if (row + 1 == size) bottom[col] = {cost};
                if (col + 1 == size) right[row] = {cost};
              });
    tiles_.require_sides(i, j, bottom, right);
  }
  /// For the method `floor`: requires that the last row of each strip equals that of a serial run
  /// over this strip alone.
  void verify_floor() const {
    auto const cols = static_cast<std::size_t>(tiles_.floor_columns());
    std::size_t const rows = x_.values().size();
    for (std::size_t begin = 0; begin < y_.values().size(); begin += cols) {
      auto const own = y_.values().subspan(begin, std::min(cols, y_.values().size() - begin));
      dtw::warp(x_.values(), own, [&](std::size_t row, std::size_t col, Real cost) {
        auto const j = static_cast<std::int64_t>(begin + col);
        if (row + 1 == rows && !(tiles_.floor_bottom(j).cost == cost))
          refuse_cell(static_cast<std::int64_t>(row), j);
      });
    }
  }

  checking how_;
  int lane_columns_;
  strips::tile_grid grid_;
  strips::padded<Real> x_, y_;
  strips::tile_store<dtw::side<Real>> tiles_;
  bool fetched_ = false;
};

}  // namespace

std::unique_ptr<problem> make_dtw(device& machine, dtw::input const& given, int tile,
                                  int lane_columns, checking how) {
  require_tile("dtw", tile, strips::largest_tile);
  dtw::require_fit(given, "dtw");
  if (given.single)
    return std::make_unique<dtw_problem<float>>(machine, given, tile, lane_columns, how);
  return std::make_unique<dtw_problem<double>>(machine, given, tile, lane_columns, how);
}

}  // namespace gridloom::juggler
