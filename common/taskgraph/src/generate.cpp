#include "gridloom/taskgraph/generate.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/generator_arguments.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/random.hpp"
#include "gridloom/taskgraph/graph_view.hpp"
#include "gridloom/taskgraph/orders.hpp"
#include "gridloom/taskgraph/patterns.hpp"
#include "tile_tasks.hpp"

namespace gridloom {
namespace {

using arguments = generator_arguments;
using numbers = std::vector<std::uint32_t>;

/// Makes a graph whose task t has the successors that append(t, columns) appends, in any order.
template <class Append>
csr_graph graph_of(std::uint64_t tasks, std::uint64_t most_edges, Append const& append) {
  csr_graph graph;
  graph.row_offsets.reserve(tasks + 1);
  graph.row_offsets.push_back(0);
  // Without memory for all edges, this fails at once.
  if (most_edges > graph.columns.max_size()) throw std::bad_alloc();
  graph.columns.reserve(most_edges);
  for (std::uint32_t task = 0; task < tasks; ++task) {
    append(task, graph.columns);
    std::sort(graph.columns.begin() + static_cast<std::ptrdiff_t>(graph.row_offsets.back()),
              graph.columns.end());
    graph.row_offsets.push_back(graph.columns.size());
  }
  return graph;
}

/// The number of tasks: the product of the values of `keys`.
std::uint64_t tasks_of(arguments const& given, std::initializer_list<std::string_view> keys) {
  std::uint64_t tasks = 1;
  bool fits = true;
  std::string names, sizes;
  for (std::string_view const key : keys) {
    std::uint64_t const size = given.whole(key, 1);
    fits = fits && tasks <= most_tasks / size;
    tasks *= size;
    names.append(names.empty() ? "" : " * ").append(key);
    sizes.append(sizes.empty() ? "" : " * ").append(std::to_string(size));
  }
  if (fits) return tasks;
  throw usage_error(given.generator() + ": " + names + ": expected at most " +
                    std::to_string(most_tasks) + " tasks in all, got " + sizes);
}

/// Calls take(x) for `count` distinct numbers x below `bound`, without rejection (Floyd's method).
template <class Take>
void distinct(std::uint64_t count, std::uint64_t bound, random_source& random, Take const& take) {
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t top = bound - count; top < bound; ++top) {
    std::uint64_t const drawn = random.below(top + 1);
    bool const taken = std::find(chosen.begin(), chosen.end(), drawn) != chosen.end();
    chosen.push_back(taken ? top : drawn);
    take(chosen.back());
  }
}

csr_graph make_lattice(arguments const& given) {
  std::uint64_t const rows = given.whole("rows", 1), cols = given.whole("cols", 1),
                      depth = given.whole("depth", 1);
  std::uint64_t const tasks = tasks_of(given, {"rows", "cols", "depth"});
  lattice const cells(static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(cols),
                      static_cast<std::uint32_t>(depth));
  return graph_of(tasks, 3 * tasks, [&](std::uint32_t task, numbers& next) {
    auto const after = cells.successors(task);
    for (std::uint32_t k = 0; k < after.size(); ++k) next.push_back(after[k]);
  });
}

csr_graph make_random(arguments const& given) {
  std::uint64_t const tasks = given.whole("tasks", 1), window = given.whole("window", 1),
                      degree = given.whole("degree", 0, window),
                      least = given.whole("least", 0, degree);
  random_source random(given.word("seed"));
  return graph_of(tasks, tasks * degree, [&](std::uint32_t task, numbers& next) {
    std::uint64_t const reach = std::min(window, tasks - 1 - task);
    std::uint64_t const count = least + random.below(degree - least + 1);
    distinct(std::min(count, reach), reach, random, [&](std::uint64_t step) {
      next.push_back(task + 1 + static_cast<std::uint32_t>(step));
    });
  });
}

csr_graph make_layered(arguments const& given) {
  std::uint64_t const width = given.whole("width", 1), degree = given.whole("degree", 1, width);
  std::uint64_t const tasks = tasks_of(given, {"layers", "width"});
  random_source random(given.word("seed"));
  return graph_of(tasks, (tasks - width) * degree, [&](std::uint32_t task, numbers& next) {
    if (task >= tasks - width) return;
    auto const add = [&](std::uint64_t step) {
      next.push_back(
          static_cast<std::uint32_t>(task - task % width + width + (task + step) % width));
    };
    // This edge keeps every task at the level of its layer.
    add(0);
    distinct(degree - 1, width - 1, random, [&](std::uint64_t step) { add(step + 1); });
  });
}

csr_graph make_star(arguments const& given) {
  std::uint64_t const tasks = 1 + given.whole("leaves", 0, most_tasks - 1);
  return graph_of(tasks, tasks - 1, [&](std::uint32_t task, numbers& next) {
    for (std::uint32_t leaf = 1; task == 0 && leaf < tasks; ++leaf) next.push_back(leaf);
  });
}

csr_graph make_chain(arguments const& given) {
  std::uint64_t const tasks = given.whole("tasks", 1);
  return graph_of(tasks, tasks - 1, [&](std::uint32_t task, numbers& next) {
    if (task + 1 < tasks) next.push_back(task + 1);
  });
}

csr_graph pattern(arguments const& given, pattern_parameters const& parameters) {
  std::uint64_t const steps = given.whole("steps", 1), width = given.whole("width", 1);
  return make_pattern(given.generator(), width, steps, given.word("seed"), parameters);
}
csr_graph make_plain(arguments const& given) { return pattern(given, {}); }
csr_graph make_nearest(arguments const& given) {
  return pattern(given, {.radix = given.whole("radix", 1)});
}
csr_graph make_spread(arguments const& given) {
  return pattern(given, {.radix = given.whole("radix", 1), .period = given.whole("period", 1)});
}
csr_graph make_random_nearest(arguments const& given) {
  return pattern(given, {.radix = given.whole("radix", 1),
                         .period = given.whole("period", 1),
                         .fraction = given.real("fraction", 0, 1)});
}

std::uint64_t tiles(arguments const& given, std::string_view key) {
  return given.whole(key, 1, most_tiles);
}
csr_graph make_cholesky(arguments const& given) { return cholesky_tasks(tiles(given, "tiles")); }
csr_graph make_lu(arguments const& given) { return lu_tasks(tiles(given, "tiles")); }
csr_graph make_qr(arguments const& given) {
  return qr_tasks(tiles(given, "rows"), tiles(given, "cols"));
}

struct generator {
  std::string_view name;
  /// Keys with their defaults; see generator_arguments.
  std::string_view keys;
  csr_graph (*make)(arguments const&);
  /// The tasks that depend on a task, or the tasks on which it depends.
  std::string_view what;
};

constexpr std::array generators{
    generator{"lattice", "rows=100,cols=rows,depth=1", make_lattice,
              "A cell precedes the next cell in its row, column and depth."},
    generator{"random", "tasks=1000,window=100,degree=4,least=degree", make_random,
              "A task precedes `least` to `degree` of the `window` tasks after it."},
    generator{"layered", "layers=100,width=100,degree=3", make_layered,
              "A task precedes its place in the next layer and degree - 1 others there."},
    generator{"star", "leaves=100", make_star, "Task 0 precedes all others."},
    generator{"chain", "tasks=100", make_chain, "A task precedes the next one."},
    generator{"trivial", "width=100,steps=100", make_plain, "No task depends on another."},
    generator{"no_comm", "width=100,steps=100", make_plain,
              "A task depends on its own place in the step before."},
    generator{"stencil_1d", "width=100,steps=100", make_plain,
              "A task depends on its place and both neighbours in the step before."},
    generator{"stencil_1d_periodic", "width=100,steps=100", make_plain,
              "The same, where the last place is next to the first."},
    generator{"sweep", "width=100,steps=199", make_plain,
              "A task depends on its place and the place before; steps grow and shrink."},
    generator{"fft", "width=100,steps=100", make_plain,
              "A task depends on its place and both places at distance 1, 2, 4, ..."},
    generator{"tree", "width=100,steps=100", make_plain,
              "A task precedes two tasks of the next step, up to `width`."},
    generator{"all_to_all", "width=100,steps=100", make_plain,
              "A task depends on the whole step before."},
    generator{"nearest", "width=100,steps=100,radix=3", make_nearest,
              "A task depends on the `radix` nearest places of the step before."},
    generator{"spread", "width=100,steps=100,radix=3,period=3", make_spread,
              "A task depends on `radix` places at equal distances, which move by step."},
    generator{"random_nearest", "width=100,steps=100,radix=3,period=3,fraction=0.25",
              make_random_nearest,
              "A task depends on its place and a random fraction of the nearest ones."},
    generator{"cholesky", "tiles=20", make_cholesky,
              "A task updates a tile, right-looking. Tasks have relative durations."},
    generator{"lu", "tiles=20", make_lu, "The same for LU without pivoting."},
    generator{"qr", "rows=20,cols=rows", make_qr, "The same for QR with flat trees."},
};

/// The graph in which order[i] has the number i.
csr_graph renumbered(csr_graph const& graph, numbers const& order) {
  numbers number(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  auto made = graph_of(graph.tasks(), graph.edges(), [&](std::uint32_t task, numbers& next) {
    for (std::uint32_t const after : graph.of(order[task])) next.push_back(number[after]);
  });
  if (graph.durations.empty()) return made;
  for (std::uint32_t const task : order) made.durations.push_back(graph.durations[task]);
  return made;
}

numbers random_order(std::uint64_t tasks, std::uint64_t seed) {
  // The numbers must differ from those of the generator.
  random_source random{random_source{~seed}.next()};
  auto const order = random_permutation(tasks, random);
  return {order.begin(), order.end()};
}

}  // namespace

csr_graph generate_graph(std::string_view specification) {
  std::string_view const name = specification.substr(0, specification.find(':'));
  std::vector<std::string> names;
  for (generator const& one : generators) names.emplace_back(one.name);
  (void)parse_choice("generator", name, names);
  generator const& found = *std::find_if(generators.begin(), generators.end(),
                                         [&](generator const& one) { return one.name == name; });
  std::string_view const tail = specification.substr(name.size());
  if (tail == ":") throw usage_error(std::string(name) + ": expected KEY=VALUE, got \"\"");
  arguments const given(name, std::string(found.keys) + ",seed=1,shuffle=0,levels=0", "",
                        tail.substr(tail.empty() ? 0 : 1));
  bool const shuffle = given.whole("shuffle", 0, 1) == 1, levels = given.whole("levels", 0, 1) == 1;
  csr_graph graph = found.make(given);
  if (shuffle) graph = renumbered(graph, random_order(graph.tasks(), given.word("seed")));
  if (levels) graph = renumbered(graph, by_number(group_of_task(levels_of(graph))).tasks);
  return graph;
}

std::string list_graph_generators() {
  std::string text;
  for (generator const& one : generators)
    text.append(one.name).append(":").append(one.keys).append("\n    ").append(one.what).append(
        "\n");
  return text + "Every generator also takes seed=1, shuffle=0 and levels=0.\n";
}

}  // namespace gridloom
