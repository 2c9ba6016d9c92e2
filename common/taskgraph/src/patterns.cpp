#include "gridloom/taskgraph/patterns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/random.hpp"

namespace gridloom {
namespace {

/// All numbers are below 2^32, so products of two fit.
struct setting {
  std::int64_t width;
  std::int64_t steps;
  std::uint64_t seed;
  std::int64_t radix;
  std::int64_t period;
  double fraction;
};

/// The places of one step that have a task.
struct places {
  std::int64_t first;
  std::int64_t count;
};

places all_places(setting const& of, std::int64_t /*step*/) { return {0, of.width}; }

places sweep_places(setting const& of, std::int64_t step) {
  return {std::max<std::int64_t>(0, step + of.width - of.steps),
          std::min({of.width, step + 1, of.steps - step})};
}

places tree_places(setting const& of, std::int64_t step) {
  return {0, std::min(of.width, std::int64_t{1} << std::min<std::int64_t>(step, 32))};
}

/// Places of the next step that depend on one task, in any order, with places that have no task.
using place_list = std::vector<std::int64_t>;

void trivial(setting const&, std::int64_t, std::int64_t, place_list&) {}

void no_comm(setting const&, std::int64_t, std::int64_t place, place_list& next) {
  next.push_back(place);
}

void stencil_1d(setting const&, std::int64_t, std::int64_t place, place_list& next) {
  next.insert(next.end(), {place - 1, place, place + 1});
}

void stencil_1d_periodic(setting const& of, std::int64_t, std::int64_t place, place_list& next) {
  next.insert(next.end(), {(place + of.width - 1) % of.width, place, (place + 1) % of.width});
}

void sweep(setting const&, std::int64_t, std::int64_t place, place_list& next) {
  next.insert(next.end(), {place, place + 1});
}

void fft(setting const& of, std::int64_t step, std::int64_t place, place_list& next) {
  auto const distances = std::bit_width(static_cast<std::uint64_t>(of.width - 1));
  if (distances == 0) return next.push_back(place);
  std::int64_t const distance = std::int64_t{1} << (step % distances);
  next.insert(next.end(), {place - distance, place, place + distance});
}

void tree(setting const&, std::int64_t, std::int64_t place, place_list& next) {
  next.insert(next.end(), {2 * place, 2 * place + 1});
}

void all_to_all(setting const& of, std::int64_t, std::int64_t, place_list& next) {
  for (std::int64_t to = 0; to < of.width; ++to) next.push_back(to);
}

void nearest(setting const& of, std::int64_t, std::int64_t place, place_list& next) {
  std::int64_t const last = std::min(of.width - 1, place + of.radix / 2);
  for (std::int64_t to = std::max<std::int64_t>(0, place - (of.radix - 1) / 2); to <= last; ++to)
    next.push_back(to);
}

void spread(setting const& of, std::int64_t step, std::int64_t place, place_list& next) {
  std::int64_t const radix = std::min(of.radix, of.width);
  std::int64_t const period = std::min(of.period, (of.width + radix - 1) / radix);
  next.push_back(place);
  for (std::int64_t i = 1; i < radix; ++i) {
    std::int64_t const distance = i * of.width / radix + (step + 1) % period;
    next.push_back((place + of.width - distance) % of.width);
  }
}

void random_nearest(setting const& of, std::int64_t step, std::int64_t place, place_list& next) {
  nearest(of, step, place, next);
  // One sequence of numbers serves all edges; each task of a period has a part of its own.
  random_source random(of.seed);
  auto const task = static_cast<std::uint64_t>(step % of.period * of.width + place);
  random.skip(task * static_cast<std::uint64_t>(of.radix));
  std::erase_if(next,
                [&](std::int64_t to) { return !(random.unit() < of.fraction) && to != place; });
}

struct pattern {
  std::string_view name;
  places (*places_of)(setting const&, std::int64_t step);
  void (*add_next)(setting const&, std::int64_t step, std::int64_t place, place_list& next);
};

constexpr std::array patterns{
    pattern{"trivial", all_places, trivial},
    pattern{"no_comm", all_places, no_comm},
    pattern{"stencil_1d", all_places, stencil_1d},
    pattern{"stencil_1d_periodic", all_places, stencil_1d_periodic},
    pattern{"sweep", sweep_places, sweep},
    pattern{"fft", all_places, fft},
    pattern{"tree", tree_places, tree},
    pattern{"all_to_all", all_places, all_to_all},
    pattern{"nearest", all_places, nearest},
    pattern{"spread", all_places, spread},
    pattern{"random_nearest", all_places, random_nearest},
};

csr_graph make(pattern const& from, setting const& of) {
  csr_graph graph{{0}, {}};
  place_list next;
  std::int64_t first_task = 0;  // of the next step
  places here = from.places_of(of, 0);
  for (std::int64_t step = 0; step < of.steps; ++step) {
    first_task += here.count;
    places const after = step + 1 < of.steps ? from.places_of(of, step + 1) : places{0, 0};
    for (std::int64_t place = here.first; place < here.first + here.count; ++place) {
      next.clear();
      from.add_next(of, step, place, next);
      std::sort(next.begin(), next.end());
      next.erase(std::unique(next.begin(), next.end()), next.end());
      for (std::int64_t const to : next) {
        if (to >= after.first && to < after.first + after.count)
          graph.columns.push_back(static_cast<std::uint32_t>(first_task + to - after.first));
      }
      graph.row_offsets.push_back(graph.columns.size());
    }
    here = after;
  }
  return graph;
}

}  // namespace

std::vector<std::string_view> pattern_names() {
  std::vector<std::string_view> names;
  for (pattern const& one : patterns) names.push_back(one.name);
  return names;
}

csr_graph make_pattern(std::string_view name, std::uint64_t width, std::uint64_t steps,
                       std::uint64_t seed, pattern_parameters const& parameters) {
  auto const found = std::find_if(patterns.begin(), patterns.end(),
                                  [&](pattern const& one) { return one.name == name; });
  std::string const place = "pattern " + std::string(name) + ": ";
  if (found == patterns.end()) {
    std::string all;
    for (pattern const& one : patterns) all.append(all.empty() ? "" : ", ").append(one.name);
    throw usage_error(place + "expected one of " + all);
  }
  if (width < 1 || steps < 1 || width > most_tasks / steps) {
    throw usage_error(place + "width and steps must be at least 1, and their product at most " +
                      std::to_string(most_tasks) + "; got " + std::to_string(width) + " and " +
                      std::to_string(steps));
  }
  auto const [radix, period, fraction] = parameters;
  if (radix < 1 || period < 1 || !(fraction >= 0 && fraction <= 1)) {
    throw usage_error(place + "radix and period must be at least 1, and fraction from 0 to 1");
  }
  // Larger values mean the same, and would not fit into products.
  auto const most = [](std::uint64_t value, std::uint64_t bound) {
    return static_cast<std::int64_t>(std::min(value, bound));
  };
  return make(*found, {static_cast<std::int64_t>(width), static_cast<std::int64_t>(steps), seed,
                       most(radix, 2 * width), most(period, steps), fraction});
}

}  // namespace gridloom
