// Makes graphs from specifications: first the structure of the kind, then costs and weights, which
// all kinds draw in the same way. Structure, mean costs, costs and weights have separate random
// streams. So another eta, ccr or number of processors leaves the rest of the graph unchanged.

#include "pets/support/generate.hpp"

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <new>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/taskgraph/generate.hpp"

namespace gridloom::pets {

namespace {

constexpr std::uint64_t most_mean_cost = 1'000'000'000;
constexpr std::uint64_t million = 1'000'000;

struct streams {
  explicit streams(std::uint64_t seed) : base{seed} {}
  random_source base;
  random_source structure{base.next()};
  random_source means{base.next()};
  random_source costs{base.next()};
  random_source weights{base.next()};
};

struct drawing {
  explicit drawing(generator_arguments const& keys)
      : mean_cost{keys.whole("w", 1, most_mean_cost)},
        eta{millionths(keys.real("eta", 0, 2))},
        most_weight{weight_bound(keys.real("ccr", 0, 1e6), mean_cost)} {}

  static std::uint64_t millionths(double value) {
    return static_cast<std::uint64_t>(std::round(value * 1e6));
  }
  // Only products, no sums, so no compiler contracts the operations.
  static std::uint64_t weight_bound(double ccr, std::uint64_t mean_cost) {
    return static_cast<std::uint64_t>(std::round(2 * ccr * static_cast<double>(mean_cost)));
  }

  /// W_dag, the mean cost of a task.
  std::uint64_t mean_cost;
  /// eta in millionths.
  std::uint64_t eta;
  /// Largest weight; weights are uniform from 0 to it.
  std::uint64_t most_weight;
};

std::vector<time_value> draw_costs(drawing const& how, std::uint64_t tasks,
                                   std::uint32_t processors, random_source& means,
                                   random_source& costs) {
  // A mean is below 2^41 thousandths and eta at most 2^21 millionths, so their products fit 64
  // bits.
  constexpr std::uint64_t unit = 1000;
  static_assert(2 * most_mean_cost * unit < std::uint64_t{1} << 41U && 2 * million < 1U << 21U);
  std::vector<time_value> drawn(tasks * processors);
  auto to = drawn.begin();
  for (std::uint64_t task = 0; task < tasks; ++task) {
    std::uint64_t const mean = 1 + means.below(2 * unit * how.mean_cost - 1);
    std::uint64_t const least = mean * (2 * million - how.eta) / (2 * million);
    std::uint64_t const width = mean * how.eta / million;
    for (std::uint32_t p = 0; p < processors; ++p) {
      std::uint64_t const cost = (least + costs.below(width + 1) + unit / 2) / unit;
      *to++ = std::max<std::uint64_t>(cost, 1);
    }
  }
  return drawn;
}

std::vector<time_value> draw_weights(drawing const& how, std::uint64_t edges,
                                     random_source& source) {
  std::vector<time_value> drawn(edges);
  for (time_value& weight : drawn) weight = source.below(how.most_weight + 1);
  return drawn;
}

task_graph finish(generator_arguments const& keys, csr_graph const& edges, drawing const& how,
                  std::uint32_t processors, streams& random) {
  std::vector<time_value> costs =
      draw_costs(how, edges.tasks(), processors, random.means, random.costs);
  std::vector<time_value> weights = draw_weights(how, edges.edges(), random.weights);
  return make_task_graph(edges, std::move(weights), std::move(costs), processors, keys.generator());
}

generator_arguments random_keys(std::string_view given) {
  return {"generator", "v,alpha=1,beta=4,ccr=1,eta=0.5,w=50,jump=0,degree=0", "", given};
}

/// A generator of common/taskgraph with its own keys, and the keys that costs and weights need.
struct pattern {
  std::string structure;
  generator_arguments drawn;
};

pattern pattern_of(std::string_view specification) {
  std::size_t const colon = specification.find(':');
  std::string const name(specification.substr(0, colon));
  std::string structure, drawn;
  for (std::string_view const item : split_at_commas(specification.substr(colon + 1))) {
    std::string_view const key = item.substr(0, item.find('='));
    std::string& to = key == "ccr" || key == "eta" || key == "w" ? drawn : structure;
    to.append(to.empty() ? "" : ",").append(item);
  }
  return {name + ":" + structure, {name, "ccr=1,eta=0.5,w=50", "", drawn}};
}

task_graph generate_pattern(std::string_view specification, std::uint32_t processors,
                            std::uint64_t seed, streams& random) {
  pattern const what = pattern_of(specification);
  drawing const how{what.drawn};
  bool const has_keys = !what.structure.ends_with(':');
  csr_graph const edges =
      generate_graph(what.structure + (has_keys ? ",seed=" : "seed=") + std::to_string(seed));
  require_memory(what.drawn.generator(), edges.tasks(), edges.edges(), processors);
  return finish(what.drawn, edges, how, processors, random);
}

task_graph generate_random(std::string_view given, std::uint32_t processors, streams& random) {
  generator_arguments const keys = random_keys(given);
  drawing const how{keys};
  return finish(keys, make_random(keys, processors, random.structure), how, processors, random);
}

}  // namespace

task_graph generate(std::string_view specification, std::uint32_t processors, std::uint64_t seed) {
  if (specification.empty()) {
    throw usage_error(
        "generator: expected v=V,..., GENERATOR:KEY=VALUE,... or topcuoglu, got \"\"");
  }
  if (specification == "topcuoglu") {
    task_graph example = topcuoglu_graph();
    if (processors == 0 || processors == example.num_processors) return example;
    throw usage_error("topcuoglu: expected 3 processors, got " + std::to_string(processors));
  }
  if (processors == 0) processors = 8;
  if (processors > most_processors) {
    throw usage_error("generator: expected from 1 to " + std::to_string(most_processors) +
                      " processors, got " + std::to_string(processors));
  }
  streams random{seed};
  try {
    if (specification.find(':') != std::string_view::npos)
      return generate_pattern(specification, processors, seed, random);
    return generate_random(specification, processors, random);
  } catch (std::bad_alloc const&) {
    throw usage_error("generator: expected enough memory for the graph, got " +
                      in_quotes(specification));
  }
}

graph_parameters parameters_of(std::string_view specification) {
  graph_parameters result;
  if (specification == "topcuoglu") {
    result.kind = specification;
    return result;
  }
  bool const random = specification.find(':') == std::string_view::npos;
  generator_arguments const keys =
      random ? random_keys(specification) : pattern_of(specification).drawn;
  result.kind = random ? "random" : keys.generator();
  result.ccr = keys.real("ccr", 0, 1e6);
  result.eta = keys.real("eta", 0, 2);
  if (!random) return result;
  result.v = static_cast<double>(keys.whole("v", 1, most_tasks));
  result.alpha = keys.real("alpha", 1e-6, 1e6);
  result.beta = keys.real("beta", 0, static_cast<double>(most_edges));
  result.jump = static_cast<double>(keys.whole("jump", 0, most_tasks));
  result.degree = static_cast<double>(keys.whole("degree", 0, most_tasks));
  return result;
}

std::string generator_help() {
  std::string const drawn =
      "ccr=1 (0 to 1e6), eta=0.5 (0 to 2), w=50 (1 to " + std::to_string(most_mean_cost) + ")";
  return "v=V (1 to " + std::to_string(most_tasks) +
         "), alpha=1 (1e-6 to 1e6), beta=4 (from 0), jump=0 (levels an edge may span, 0: any), " +
         "degree=0 (most children and most parents of a task, 0: any), " + drawn +
         ": random levels\n" + "GENERATOR:KEY=VALUE,... (gridloom-graph --list), " + drawn +
         ": a task graph of common/taskgraph\n" +
         "topcuoglu: the example of 10 tasks on 3 processors\n";
}

// The example of Topcuoglu, Hariri, Wu (2002): 10 tasks (from 0), 15 edges, 3 processors.

task_graph topcuoglu_graph() {
  csr_graph const edges{{0, 5, 7, 8, 10, 11, 12, 13, 14, 15, 15},
                        {1, 2, 3, 4, 5, 7, 8, 6, 7, 8, 8, 7, 9, 9, 9}};
  return make_task_graph(edges, {18, 12, 9, 11, 14, 19, 16, 23, 27, 23, 13, 15, 17, 11, 13},
                         {14, 16, 9, 13, 19, 18, 11, 13, 19, 13, 8,  17, 12, 13, 10,
                          13, 16, 9, 7,  15, 11, 5,  11, 14, 18, 12, 20, 21, 7,  16},
                         3, "topcuoglu");
}

// Bounds the memory that the graph of a specification needs.

void require_memory(std::string_view kind, std::uint64_t tasks, std::uint64_t edges,
                    std::uint32_t processors) {
  // Per task: costs, offsets of two adjacencies and of the structure, levels, scratch. Per edge:
  // neighbour and weight, three times.
  double const per_task = 8.0 * processors + 40;
  double const per_edge = 36;
  double const needed =
      per_task * static_cast<double>(tasks) + per_edge * static_cast<double>(edges);
  long const pages = sysconf(_SC_PHYS_PAGES);
  long const page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return;
  double const present = static_cast<double>(pages) * static_cast<double>(page_bytes);
  if (needed <= present) return;
  char text[96];
  std::snprintf(text, sizeof text, ": expected to need at most %.1f GiB of memory, got %.1f GiB",
                present * 0x1p-30, needed * 0x1p-30);
  throw usage_error(std::string{kind} + text);
}

}  // namespace gridloom::pets
