#pragma once
// The measured weight of double tasks (report, II.D, point 4). It is the time of a task on two
// tiles divided by that of a task on one tile. Both are measured in a run of the method itself.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "apps/tiled_qr/input_of.hpp"
#include "gridloom/bench/statistics.hpp"
#include "tiled_qr/factorization.hpp"

namespace gridloom::tiled_qr {

/// Mean times of tasks in microseconds; missing where none was measured.
struct task_times {
  double single_us = bench::missing_real;
  double double_us = bench::missing_real;

  /// The weight, limited to the range that schedulers accept.
  [[nodiscard]] double weight() const { return std::clamp(double_us / single_us, 1.0, 100.0); }
};

/// Measures the first tasks of each worker in the trace of one run. Uses the median of each
/// operation, which ignores interruptions of the host. If there is a single row of tiles, no task
/// is double, and the weight is 2.
template <class T>
task_times measure_tasks(input_of<T> const& of, tiling const& cut,
                         factorization_settings settings) {
  constexpr std::uint32_t most_events = 1U << 12U;
  settings.double_weight = 2;
  device& machine = of.app.machine();
  device_matrix<T> matrix(machine, cut);
  matrix.load(of.matrix(0));
  factorization<T> qr(machine, cut, settings);
  trace_buffer events(machine, qr.observers(), most_events);
  trace_ref const trace = events.arm();
  qr.reset();
  qr.run(matrix.ref(), trace);
  qr.require_done();
  std::vector<double> us[std::size(task_type_names)];
  for (traced_task const& one : events.events())
    us[one.event.type].push_back(static_cast<double>(one.event.end_ns - one.event.begin_ns) * 1e-3);
  auto const mean = [&](task_type first, task_type second) {
    auto const& a = us[static_cast<int>(first)];
    auto const& b = us[static_cast<int>(second)];
    auto const sum_us = [](std::vector<double> const& all) {
      return all.empty() ? 0 : median(all) * static_cast<double>(all.size());
    };
    return (sum_us(a) + sum_us(b)) / static_cast<double>(a.size() + b.size());
  };
  double const single_us = mean(task_type::dgeqt2, task_type::dlarfb);
  double const double_us = mean(task_type::dtsqt2, task_type::dssrfb);
  return {single_us, cut.p() == 1 ? 2 * single_us : double_us};
}

}  // namespace gridloom::tiled_qr
