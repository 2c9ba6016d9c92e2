#pragma once
// Schedulers as methods of a program that measures them: --scheduler, --list, arms.

#include <vector>

#include "gridloom/bench/methods.hpp"
#include "schedulers/scheduler.hpp"

namespace gridloom::schedulers {

/// One method per scheduler. `make` makes its work from a row, whose `method` is the name.
template <class Row, block_tasks Tasks>
[[nodiscard]] std::vector<bench::method<Row>> methods_of(std::vector<scheduler<Tasks>> const& all,
                                                         bench::factory<Row> make) {
  std::vector<bench::method<Row>> made;
  for (scheduler<Tasks> const& one : all) {
    made.push_back({.name = one.name,
                    .what = one.about,
                    .by = one.by == origin::published ? bench::origin::published
                          : one.by == origin::ours    ? bench::origin::ours
                                                      : bench::origin::rival,
                    .takes = one.launches_levels ? "level-blocks" : "",
                    .on_cuda = one.on_cuda,
                    .needs = one.needs,
                    .traced = traced_tasks<Tasks>,
                    .stops_on_cuda = one.stops_on_cuda,
                    .make = make});
  }
  return made;
}

}  // namespace gridloom::schedulers
