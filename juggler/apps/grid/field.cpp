#include "apps/grid/field.hpp"

#include <bit>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/random.hpp"

namespace gridloom::juggler {

std::vector<double> make_field(std::int64_t rows, std::uint64_t seed) {
  random_source random(seed);
  std::vector<double> field(static_cast<std::size_t>(rows * rows));
  for (double& value : field) value = random.unit();
  return field;
}

std::vector<double> to_tiles(tiling const& cut, std::vector<double> const& field) {
  std::vector<double> tiles(static_cast<std::size_t>(cut.cells()));
  for_each_cell(cut, [&](std::int64_t row, std::int64_t col, std::size_t place) {
    tiles[place] = field[static_cast<std::size_t>(row * cut.cols + col)];
  });
  return tiles;
}

void require_same(tiling const& cut, std::vector<double> const& found,
                  std::vector<double> const& expected) {
  for_each_cell(cut, [&](std::int64_t row, std::int64_t col, std::size_t place) {
    double const right = expected[static_cast<std::size_t>(row * cut.cols + col)];
    if (std::bit_cast<std::uint64_t>(found[place]) != std::bit_cast<std::uint64_t>(right))
      throw wrong_result("row " + std::to_string(row) + ", column " + std::to_string(col) +
                         " differs from the serial version");
  });
}

}  // namespace gridloom::juggler
