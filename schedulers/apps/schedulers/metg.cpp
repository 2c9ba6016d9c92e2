#include "apps/schedulers/metg.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gridloom/error.hpp"
#include "gridloom/printable.hpp"

namespace gridloom::schedulers {

namespace {

constexpr double target = 0.5;
constexpr double first_ns = 1000, shortest_ns = 30, longest_ns = 1e6;
/// The search brackets the METG by steps of this factor, and then bisects until the ends are this
/// close.
constexpr double stride = 4, close = 1.1;
/// If launches per level wait for rare long tasks, no duration is enough, and runs take seconds. So
/// longer runs than this end the search.
constexpr double longest_run_ms = 30;

bench::schema<found_metg> metg_columns(bench::program& app) {
  bench::schema<found_metg> made{
      {"experiment", "", "experiment of the row, from --label",
       [&app](found_metg const&) { return app.common().label; }},
      {"backend", "", "where the scheduler ran: host or cuda",
       [&app](found_metg const&) { return app.machine().properties().backend; }}};
  for (bench::field<row> const& one : shape_columns())
    made.emplace_back(one.described, [one](found_metg const& r, bench::measured const& times) {
      return one.value(r, times);
    });
  for (bench::field<found_metg> const& one : bench::schema<found_metg>{
           {"metg_ns", "ns", "METG(50 %): mean duration from which half the time is work",
            &found_metg::metg_ns},
           {"lower_ns", "ns", "longest mean duration found with less efficiency",
            &found_metg::lower, &tried_duration::ns},
           {"upper_ns", "ns", "shortest mean duration found with enough efficiency",
            &found_metg::upper, &tried_duration::ns},
           {"lower_efficiency", "1", "least time divided by the median run, at lower_ns",
            &found_metg::lower, &tried_duration::efficiency},
           {"upper_efficiency", "1", "the same at upper_ns", &found_metg::upper,
            &tried_duration::efficiency},
           {"steps", "1", "mean durations that were tried", &found_metg::steps},
           {"status", "",
            "reached; below range: 30 ns suffice; not reached: lower_ns, the longest duration that "
            "was tried, does not suffice; or the status of the run that failed",
            &found_metg::status}})
    made.push_back(one);
  return made;
}

}  // namespace

metg_search::metg_search(bench::program& app, bench::harness<row>& all)
    : app_(app), all_(all), table_("metg", metg_columns(app)) {
  app.begin({&found(), 1});
}

void metg_search::search(scene& of, std::vector<bench::arm<row>> arms) {
  for (bench::arm<row> const& one : arms) table_.add(search(of, one));
}

found_metg metg_search::search(scene& of, bench::arm<row> const& one) {
  found_metg found{one.row, {}, {}, 0, ""};
  bool has_lower = false, has_upper = false;
  for (double ns = first_ns;; ++found.steps) {
    tried_duration at{std::round(ns)};
    found.status = step(of, one, at);
    if (found.status != "ok") break;
    bool const enough = at.efficiency >= target;
    (enough ? found.upper : found.lower) = at;
    (enough ? has_upper : has_lower) = true;
    if (!has_lower) {
      found.status = "below range";
      if (at.ns <= shortest_ns) break;
      ns = std::max(shortest_ns, at.ns / stride);
    } else if (!has_upper) {
      found.status = "not reached";
      if (at.ns >= longest_ns || all_.runs().reals("elapsed_ms").back() > longest_run_ms) break;
      ns = std::min(longest_ns, at.ns * stride);
    } else {
      found.status = "reached";
      if (found.upper.ns <= close * found.lower.ns) break;
      ns = std::sqrt(found.lower.ns * found.upper.ns);
    }
  }
  ++found.steps;
  found.workers = all_.runs().integers("workers").back();
  return found;
}

/// Runs with one mean duration, and returns the status.
std::string metg_search::step(scene& of, bench::arm<row> const& one, tried_duration& at) {
  of.set_work(static_cast<std::int64_t>(at.ns));
  std::size_t const first_row = all_.runs().rows();
  bench::arm<row> tried = one;
  tried.is_decided = [&] {
    auto const all = efficiencies(first_row);
    auto const enough = std::ranges::count_if(all, [](double e) { return e >= target; });
    auto const most = std::max<std::ptrdiff_t>(enough, std::ssize(all) - enough);
    return 2 * most > app_.common().repeat;
  };
  try {
    all_.run({tried});
  } catch (grid_error const& error) {
    std::fprintf(stderr, "%s: %s\n", one.name.c_str(), printable(error.what()).c_str());
  } catch (unsupported const& error) {
    std::fprintf(stderr, "%s: %s\n", one.name.c_str(), printable(error.what()).c_str());
  }
  auto const all = efficiencies(first_row);
  if (!all.empty()) at.efficiency = median(all);
  return all_.runs().texts("status").back();
}

std::vector<double> metg_search::efficiencies(std::size_t first_row) const {
  std::vector<double> const& all = all_.runs().reals("efficiency");
  std::vector<double> found(all.begin() + static_cast<std::ptrdiff_t>(first_row), all.end());
  std::erase_if(found, [](double one) { return std::isnan(one); });
  return found;
}

void metg_search::print() const {
  bench::text_table shown({"graph", "durations", "scheduler", "METG ns", "efficiency", "steps", "status"});
  for (std::size_t k = 0; k < found().rows(); ++k) {
    shown.add_row({found().texts("graph")[k], found().texts("durations")[k],
                   found().texts("scheduler")[k], bench::shown_number(found().reals("metg_ns")[k]),
                   bench::shown_number(found().reals("upper_efficiency")[k]),
                   std::to_string(found().integers("steps")[k]), found().texts("status")[k]});
  }
  shown.print(stdout);
}

}  // namespace gridloom::schedulers
