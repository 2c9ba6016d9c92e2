#include "apps/dtw/inspection.hpp"

#include <algorithm>
#include <cmath>

#include "gridloom/random.hpp"

namespace gridloom::juggler::dtw {

inspected<task_data> inspect_dtw(blocking const& cut, double const* costs) {
  std::int64_t const p = cut.tiles();
  auto const tasks = static_cast<std::size_t>(p * p);
  return inspect<task_data>(tasks, 3 * tasks, [&](app_context<task_data>& context) {
    context.declare_array(costs, cut.elements(), "costs");
    for (std::int64_t i = 0; i < p; ++i) {
      for (std::int64_t j = 0; j < p; ++j) {
        task_id const task =
            context.add_task(0, {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
        auto const reads = [&](std::int64_t row, std::int64_t col) {
          if (row >= 0 && col >= 0)
            context.process_in_dep(task, costs, cut.begin(row, col), cut.tile_elements());
        };
        reads(i - 1, j - 1);
        reads(i - 1, j);
        reads(i, j - 1);
        context.process_out_dep(task, costs, cut.begin(i, j), cut.tile_elements());
      }
    }
  });
}

std::vector<double> make_series(std::int64_t length, std::uint64_t seed) {
  random_source random(seed);
  std::vector<double> values;
  double at = 0;
  for (std::int64_t k = 0; k < length; ++k) values.push_back(at += random.unit() - 0.5);
  return values;
}

std::vector<double> warp(std::vector<double> const& x, std::vector<double> const& y) {
  std::size_t const cols = y.size();
  std::vector<double> costs(x.size() * cols);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      double least = HUGE_VAL;
      if (i > 0) least = costs[(i - 1) * cols + j];
      if (j > 0) least = std::min(least, costs[i * cols + j - 1]);
      if (i > 0 && j > 0) least = std::min(least, costs[(i - 1) * cols + j - 1]);
      if (i == 0 && j == 0) least = 0;
      costs[i * cols + j] = std::abs(x[i] - y[j]) + least;
    }
  }
  return costs;
}

}  // namespace gridloom::juggler::dtw
