// On a GPU, tasks take some microseconds with the smaller tiles and some tens of microseconds with
// the larger ones. On host threads, tiles are so small that an experiment takes one minute on two
// cores.

#include "plan.hpp"

#include <algorithm>
#include <cmath>

#include "apps/juggler/problem.hpp"
#include "gridloom/error.hpp"

namespace gridloom::juggler {

namespace {

/// Tiles in a row that give the task count of Table 1, and rows per tile: two sizes on each
/// machine.
struct table_1_row {
  std::string_view app;
  int tiles;
  int gpu[2];
  int host[2];
};
constexpr table_1_row table_1[] = {
    {"dtw", 72, {64, 256}, {8, 16}},   {"heat", 90, {32, 64}, {8, 16}},
    {"int_hist", 90, {8, 16}, {4, 8}}, {"jacobi", 30, {32, 64}, {8, 16}},
    {"lud", 15, {64, 128}, {8, 16}},   {"sat", 90, {32, 64}, {8, 16}},
    {"sw", 72, {64, 256}, {8, 16}},
};
/// Tiles for `wide`. With the smaller ones, tasks take a few microseconds, which is where the gain
/// over barriers is and where it ends.
struct wide_row {
  std::string_view app;
  int gpu[2];
  int host[2];
};
constexpr wide_row wide_tiles[] = {
    {"dtw", {16, 64}, {4, 8}},    {"heat", {16, 32}, {4, 8}}, {"int_hist", {4, 8}, {2, 4}},
    {"jacobi", {16, 32}, {4, 8}}, {"lud", {32, 64}, {4, 8}},  {"sat", {16, 32}, {4, 8}},
    {"sw", {16, 64}, {4, 8}},
};
constexpr int jacobi_tiles = 30;
constexpr int jacobi_steps = 2;

template <class Row, std::size_t Rows>
Row const& row_of(std::string const& app, Row const (&table)[Rows]) {
  auto const* const found = std::find_if(std::begin(table), std::end(table),
                                         [&](Row const& one) { return one.app == app; });
  if (found == std::end(table)) throw run_error("no row of " + app);
  return *found;
}
table_1_row const& row_of(std::string const& app) { return row_of(app, table_1); }

/// Tiles in a row with this number of tasks at once, or the next number that has more.
int tiles_of_wave(std::string const& app, int wave) {
  int const side = static_cast<int>(std::ceil(std::sqrt(wave)));
  if (app == "jacobi") return side;
  // All tiles except the first row and column.
  return app == "lud" ? side + 1 : wave;
}

class planner {
 public:
  planner(request const& wanted, inputs const& given, device_properties const& machine)
      : wanted_(wanted), given_(given), machine_(machine), host_(machine.backend == "host") {}

  void add_paper() {
    for (std::string const& app : wanted_.apps)
      for (std::int64_t const tile : tiles_or(row_of(app), 2)) add(app, row_of(app).tiles, tile);
  }
  void add_wide() {
    int const wave = static_cast<int>(std::lround(1.6 * machine_.multiprocessors));
    for (std::string const& app : wanted_.apps)
      for (std::int64_t const tile : tiles_or(row_of(app, wide_tiles), 2))
        add(app, tiles_of_wave(app, wave), tile);
  }
  void add_scaling() {
    for (int steps = jacobi_steps; steps <= 18; steps += 2)
      for (std::int64_t const tile : tiles_or(row_of("jacobi"), 1))
        add("jacobi", jacobi_tiles, tile, steps);
  }
  void add_timeline() {
    for (std::int64_t const tile : tiles_or(row_of("lud"), 1))
      add("lud", row_of("lud").tiles, tile);
  }
  void add_grain() {
    subject first{.app = "graph"};
    if (given_.is_from_file("graph")) {
      given_.describe(first);
    } else {
      device own("host", 0);
      int const tiles = host_ ? 10 : jacobi_tiles;
      first.graph = std::make_shared<csr_graph const>(
          make_jacobi(own, tiles, 1, jacobi_steps, 1)->dag().children);
      first.input = "jacobi of " + std::to_string(tiles) + " x " + std::to_string(tiles) + " tiles";
    }
    static std::vector<std::int64_t> const lengths{100,   250,   500,   1000,   2500,   5000,
                                                   10000, 25000, 50000, 100000, 250000, 1000000};
    for (std::int64_t const ns : wanted_.work_ns_given ? wanted_.work_ns : lengths) {
      all_.push_back(first);
      all_.back().work_ns = ns;
    }
  }

  [[nodiscard]] std::vector<subject> made() {
    for (subject& one : all_) one.experiment = wanted_.experiment;
    return std::move(all_);
  }

 private:
  /// The tiles that the user named, or the first of the table's.
  template <class Row>
  [[nodiscard]] std::vector<std::int64_t> tiles_or(Row const& row, int count) const {
    if (wanted_.tiles_given) return wanted_.tiles;
    auto const& own = host_ ? row.host : row.gpu;
    return {own, own + count};
  }
  void add(std::string const& app, int tiles, std::int64_t tile, int steps = 0) {
    std::int64_t const n = tiles * tile;
    subject made{.app = app, .rows = n, .cols = n, .tile = static_cast<int>(tile)};
    if (app == "heat") made.steps = 1;
    if (app == "jacobi") made.steps = steps == 0 ? jacobi_steps : steps;
    if (app == "int_hist") made.bins = wanted_.bins;
    given_.describe(made);
    all_.push_back(made);
  }

  request const& wanted_;
  inputs const& given_;
  device_properties const& machine_;
  bool host_;
  std::vector<subject> all_;
};

}  // namespace

std::vector<experiment> const& experiments() {
  static std::vector<std::string> const apps{"dtw", "heat", "int_hist", "jacobi",
                                             "lud", "sat",  "sw"};
  static std::vector<experiment> const all{
      {"paper", apps, {}, {"tile", "bins"}},
      {"wide", apps, {}, {"tile", "bins"}},
      {"scaling", {"jacobi"}, {"lrr", "grr", "lf", "lts", "barriers"}, {"tile"}},
      {"grain",
       {"graph"},
       {"lrr", "grr", "lf", "lts", "lts-slots", "barriers", "graph", "graph_pdl", "grid_sync",
        "static_lists", "ticket", "chains"},
       {"graph", "work-ns"}},
      {"timeline", {"lud"}, {"barriers", "grr", "lts"}, {"tile"}},
  };
  return all;
}

experiment const* experiment_of(std::string_view name) {
  if (name == "custom") return nullptr;
  auto const& all = experiments();
  auto const found =
      std::find_if(all.begin(), all.end(), [&](experiment const& one) { return one.name == name; });
  if (found == all.end()) throw usage_error("--experiment: no " + std::string(name));
  return &*found;
}

std::vector<subject> planned(request const& wanted, inputs const& given,
                             device_properties const& machine) {
  planner make(wanted, given, machine);
  if (wanted.experiment == "paper") make.add_paper();
  if (wanted.experiment == "wide") make.add_wide();
  if (wanted.experiment == "scaling") make.add_scaling();
  if (wanted.experiment == "grain") make.add_grain();
  if (wanted.experiment == "timeline") make.add_timeline();
  return make.made();
}

}  // namespace gridloom::juggler
