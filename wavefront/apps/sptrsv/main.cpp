// wavefront-sptrsv: sparse triangular solve, whose levels are the waves of a real graph.

#include <cmath>
#include <limits>

#include "gridloom/bench/catalogue.hpp"
#include "gridloom/bench/harness.hpp"
#include "gridloom/bench/inputs.hpp"
#include "solver.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::wavefront::sptrsv;

struct method {
  std::string_view name, what;
  bool on_host;
  bool on_cuda;
  /// In rounds of warps, so that --entries-a-lane and block sizes matter.
  bool in_rounds;
};
constexpr method all_methods[] = {
    {"serial", "rival: row after row, one thread of the host", true, true, false},
    {"sync_free", "published: a warp a row, a flag a row; no analysis", true, true, false},
    {"in_order", "ours: rows in order, x polled, no barrier", true, true, true},
    {"waves_stream", "rival: a kernel a level", false, true, true},
    {"waves_graph", "rival: the same in a CUDA graph", false, true, true},
    {"waves_graph_pdl", "rival: the same with programmatic dependent launch", false, true, true},
    {"waves_barrier", "rival: one kernel, a barrier a level", true, true, true},
    {"cusparse_spsv", "rival: cuSPARSE's SpSV; its analysis is the set-up", false, true, false}};

struct request {
  bench::matrix_input matrix;
  std::string factor = "lower";
  std::string values = "stored";
  std::vector<std::string> methods;
  std::vector<std::int64_t> block_sizes;
  std::vector<std::int64_t> narrow{8};
  std::vector<std::int64_t> gate{0};
  std::vector<std::int64_t> flat_warps{2};
  std::vector<std::int64_t> entries_a_lane{4};
};

struct row {
  std::string method;
  std::string matrix;
  std::string factor;
  std::string values;
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  std::int64_t levels = 0;
  std::int64_t widest_level = 0;
  std::int64_t longest_row = 0;
  std::int64_t bytes = 0;
  std::optional<int> blocks;
  std::optional<int> threads;
  std::optional<std::int64_t> narrow;
  std::optional<std::int64_t> gate;
  std::optional<std::int64_t> flat_warps;
  std::optional<std::int64_t> entries_a_lane;
  // After it ran:
  std::int64_t memory_bytes = 0;
  std::optional<std::int64_t> rounds;
  std::optional<std::int64_t> padded_entries;
  std::optional<std::int64_t> near_rows;
};

bench::schema<row> columns() {
  return {
      {"method", "1", "who solves, see --list", &row::method},
      {"matrix", "1", "file or generator", &row::matrix},
      {"factor", "1", "what L is made of", &row::factor},
      {"values", "1", "stored or made", &row::values},
      {"rows", "1", "rows of L", &row::rows},
      {"entries", "1", "entries of L with its diagonal", &row::entries},
      {"levels", "1", "rows on the longest path", &row::levels},
      {"widest_level", "1", "rows of the largest level", &row::widest_level},
      {"longest_row", "1", "entries of the longest row", &row::longest_row},
      {"bytes", "B", "L, b and x once, in compressed rows", &row::bytes},
      {"blocks", "1", "thread blocks or host threads", &row::blocks},
      {"threads", "1", "threads of a block", &row::threads},
      {"narrow", "1", "rounds of a level that is put into a pack", &row::narrow},
      {"gate", "1", "levels ahead of a round that waits by one word", &row::gate},
      {"flat_warps", "1", "warps of a block for rounds outside packs; 0: all", &row::flat_warps},
      {"entries_a_lane", "1", "entries above which a row has more lanes", &row::entries_a_lane},
      {"memory_bytes", "B", "L as stored, the vectors, and what else it took", &row::memory_bytes},
      {"rounds", "1", "rounds of a warp", &row::rounds},
      {"padded_entries", "1", "entries that are none", &row::padded_entries},
      {"near_rows", "1", "rows in packs", &row::near_rows}};
}

/// L, made once, and what is known of it.
struct scene {
  lower_system of;
  row base;
};

/// Row after row on the host.
class serial_work final : public bench::work<row> {
 public:
  explicit serial_work(lower_system const& of) : of_(of) {}
  void prepare() override { x_.assign(of_.rows(), std::numeric_limits<double>::quiet_NaN()); }
  void run() override { solve_serially(of_, of_.right_side, x_); }
  void verify() override { require_solution(of_, of_.right_side, x_); }
  void record(row& r) const override {
    r.memory_bytes = static_cast<std::int64_t>(of_.matrix.bytes() + 16 * std::uint64_t{of_.rows()});
  }

 private:
  lower_system const& of_;
  std::vector<double> x_;
};

class solver_work final : public bench::work<row> {
 public:
  solver_work(lower_system const& of, std::unique_ptr<solver> by) : of_(of), by_(std::move(by)) {}
  void prepare() override { by_->forget(); }
  void copy_in() override { by_->load(of_.right_side); }
  void run() override { by_->run(); }
  void copy_out() override { x_ = by_->x(); }
  void check() override { by_->require_done(); }
  void verify() override { require_solution(of_, of_.right_side, x_); }
  void record(row& r) const override {
    solver_facts const facts = by_->facts();
    r.memory_bytes = static_cast<std::int64_t>(facts.bytes);
    if (facts.rounds == 0) return;
    r.rounds = facts.rounds;
    r.padded_entries = static_cast<std::int64_t>(facts.padded_entries);
    r.near_rows = static_cast<std::int64_t>(facts.near_rows);
  }

 private:
  lower_system const& of_;
  std::unique_ptr<solver> by_;
  std::vector<double> x_;
};

scene make_scene(request const& wanted, std::uint64_t seed) {
  factor_kind const kind = wanted.factor == "lower"   ? factor_kind::lower
                           : wanted.factor == "given" ? factor_kind::given
                                                      : factor_kind::ilu0;
  sparse::any_csr const matrix = wanted.matrix.read();
  bool const own = wanted.values == "stored" &&
                   !std::holds_alternative<sparse::csr_matrix<sparse::no_value>>(matrix);
  scene result{make_lower(wanted.matrix.name(), matrix, kind, own, seed, wanted.matrix.option()),
               {}};
  lower_system const& of = result.of;
  row& base = result.base;
  base.matrix = of.name;
  base.factor = wanted.factor;
  base.values = own ? "stored" : "made";
  base.rows = of.rows();
  base.entries = static_cast<std::int64_t>(of.matrix.num_entries());
  base.bytes = static_cast<std::int64_t>(of.least_bytes());
  for (std::uint32_t r = 0; r < of.rows(); ++r)
    base.longest_row =
        std::max(base.longest_row, static_cast<std::int64_t>(of.matrix.row(r).size()));
  for (std::uint32_t const size : level_sizes(of)) {
    ++base.levels;
    base.widest_level = std::max(base.widest_level, std::int64_t{size});
  }
  return result;
}

class arm_maker {
 public:
  arm_maker(bench::program& app, request const& wanted, scene const& of)
      : app_(app), wanted_(wanted), scene_(of) {}

  std::vector<bench::arm<row>> make() {
    bool const host = app_.machine().is_host();
    std::vector<std::string> names = wanted_.methods;
    if (names.empty()) {
      for (method const& one : all_methods) {
        if (host ? one.on_host : one.on_cuda) names.emplace_back(one.name);
      }
    }
    for (std::string const& name : names) {
      method const& one = bench::named<method>(all_methods, name, "--method");
      if (!(host ? one.on_host : one.on_cuda))
        throw unsupported("--method " + name + ": expected a CUDA device, got the host");
      add(one);
    }
    return std::move(arms_);
  }

 private:
  void add(method const& one) {
    row base = scene_.base;
    base.method = one.name;
    lower_system const& of = scene_.of;
    if (one.name == "serial") {
      arms_.push_back({"serial", base, [&of] { return std::make_unique<serial_work>(of); }, true});
    } else if (one.name == "cusparse_spsv") {
      arms_.push_back({"cusparse_spsv", base, [&of, &machine = app_.machine()] {
                         return std::make_unique<solver_work>(of, make_cusparse(machine, of));
                       }});
    } else if (one.name == "sync_free") {
      for (std::int64_t const threads : block_sizes(one)) {
        solver_options options;
        options.shape = {blocks_of(one, threads), static_cast<int>(threads)};
        options.timeout_s = app_.common().timeout_s;
        base.blocks = options.shape.blocks;
        base.threads = options.shape.threads;
        std::string name = base.method;
        if (wanted_.block_sizes.size() > 1) name += " " + std::to_string(threads);
        arms_.push_back({name, base, [&of, &machine = app_.machine(), options] {
                           return std::make_unique<solver_work>(
                               of, make_sync_free(machine, of, options));
                         }});
      }
    } else {
      for (std::int64_t const threads : block_sizes(one)) {
        for (std::int64_t const entries : wanted_.entries_a_lane)
          add_planned(one, threads, entries);
      }
    }
  }

  /// An arm for each setting of what was asked for.
  void add_planned(method const& one, std::int64_t threads, std::int64_t entries) {
    static std::vector<std::int64_t> const none{0};
    bool const in_order = one.name == "in_order";
    for (std::int64_t const narrow : in_order ? wanted_.narrow : none) {
      for (std::int64_t const flat : in_order ? wanted_.flat_warps : none) {
        for (std::int64_t const gate : in_order ? wanted_.gate : none) {
          solver_options options;
          options.shape = {blocks_of(one, threads), static_cast<int>(threads)};
          options.plan.entries_a_lane = static_cast<std::uint32_t>(entries);
          options.plan.narrow = static_cast<std::uint32_t>(narrow);
          options.flat_warps = static_cast<int>(flat);
          options.gate = static_cast<std::uint32_t>(gate);
          options.timeout_s = app_.common().timeout_s;
          add_planned(one, options);
        }
      }
    }
  }
  void add_planned(method const& one, solver_options const& options) {
    bool const in_order = one.name == "in_order";
    row base = scene_.base;
    std::string name(one.name);
    base.method = name;
    base.blocks = options.shape.blocks;
    base.threads = options.shape.threads;
    base.entries_a_lane = options.plan.entries_a_lane;
    if (in_order) {
      base.narrow = options.plan.narrow;
      base.flat_warps = options.flat_warps;
      base.gate = options.gate;
    }
    auto const say = [&](std::vector<std::int64_t> const& list, char const* letter,
                         std::int64_t value) {
      if (list.size() > 1) name += std::string(" ") + letter + std::to_string(value);
    };
    say(wanted_.block_sizes, "", options.shape.threads);
    say(wanted_.entries_a_lane, "e", options.plan.entries_a_lane);
    if (in_order) {
      say(wanted_.narrow, "n", options.plan.narrow);
      say(wanted_.flat_warps, "f", options.flat_warps);
      say(wanted_.gate, "g", options.gate);
    }
    arms_.push_back(
        {name, base,
         [&of = scene_.of, &machine = app_.machine(), options, in_order, how = one.name] {
           return std::make_unique<solver_work>(of, in_order
                                                        ? make_in_order(machine, of, options)
                                                        : make_waves(machine, of, options, how));
         }});
  }

  /// On one H200 a block a multiprocessor for in_order; eight where nobody polls, and 1,024 threads
  /// where a row that waits has a whole warp.
  int blocks_of(method const& one, std::int64_t threads) {
    auto const& properties = app_.machine().properties();
    if (app_.common().workers > 0) return app_.common().workers;
    bool const launches = one.name.starts_with("waves_") && one.name != "waves_barrier";
    int const resident =
        one.name == "sync_free" ? std::max(1, 1024 / static_cast<int>(threads)) : 1;
    return properties.multiprocessors * (launches ? 8 : resident);
  }
  std::vector<std::int64_t> block_sizes(method const&) {
    if (app_.machine().is_host()) return {1};
    if (!wanted_.block_sizes.empty()) return wanted_.block_sizes;
    return {app_.common().threads > 0 ? app_.common().threads : 256};
  }

  bench::program& app_;
  request const& wanted_;
  scene const& scene_;
  std::vector<bench::arm<row>> arms_;
};

void add_options(bench::program& app, request& wanted) {
  wanted.matrix.add_to(app);
  app.options()(
      "factor", choice_option("factor", wanted.factor, {"lower", "given", "ilu0"}),
      "lower: the lower triangle; given: the matrix, which is lower triangular; ilu0: the "
      "unit lower factor of the incomplete LU decomposition without fill")(
      "values", choice_option("values", wanted.values, {"stored", "made"}),
      "of the matrix; made: random ones that dominate by rows, which patterns get anyway")(
      "method", choice_list_option("method", wanted.methods, bench::names_of<method>(all_methods)),
      "who solves, see --list; default: all that the machine has")(
      "block-sizes", int_list_option("block-sizes", wanted.block_sizes, 32, 1024),
      "threads of a block, an arm each")(
      "narrow", int_list_option("narrow", wanted.narrow, 0, 1 << 20),
      "in_order: levels of at most so many rounds are put into packs, a block each; 0: none")(
      "gate", int_list_option("gate", wanted.gate, 0, 1 << 20),
      "in_order: a warp waits by one word for the level so many before its own; 0: it does not")(
      "flat-warps", int_list_option("flat-warps", wanted.flat_warps, 0, 32),
      "in_order: warps of a block that take rounds outside packs; 0: all")(
      "entries-a-lane", int_list_option("entries-a-lane", wanted.entries_a_lane, 1, 1 << 20),
      "a row gets twice the lanes as long as one has more entries");
}

void check_options(bench::program& app, request const& wanted) {
  command_line const& line = app.line();
  wanted.matrix.check(app);
  if (line.given("block-sizes") && line.given("threads"))
    throw usage_error("--block-sizes: cannot go with --threads");
  if (line.given("block-sizes") && app.machine().is_host())
    throw usage_error("--block-sizes: a worker of the host is one thread");
  auto const asked = [&](auto const& property) {
    return wanted.methods.empty() ||
           std::any_of(wanted.methods.begin(), wanted.methods.end(), [&](std::string const& name) {
             return property(bench::named<method>(all_methods, name, "--method"));
           });
  };
  for (auto const* option : {"narrow", "gate", "flat-warps"}) {
    if (line.given(option) && !asked([](method const& m) { return m.name == "in_order"; }))
      throw usage_error(std::string("--") + option + ": goes with --method in_order");
  }
  for (auto const* option : {"entries-a-lane", "block-sizes"}) {
    bool const shaped = option == std::string_view("block-sizes");
    if (line.given(option) &&
        !asked([&](method const& m) { return m.in_rounds || (shaped && m.name == "sync_free"); }))
      throw usage_error(std::string("--") + option +
                        ": goes with a --method that takes it, such as in_order");
  }
  for (auto const& [list, option] :
       {std::pair{&wanted.block_sizes, "--block-sizes"}, std::pair{&wanted.narrow, "--narrow"},
        std::pair{&wanted.gate, "--gate"}, std::pair{&wanted.flat_warps, "--flat-warps"},
        std::pair{&wanted.entries_a_lane, "--entries-a-lane"}}) {
    auto sorted = *list;
    std::sort(sorted.begin(), sorted.end());
    if (auto const twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
      throw usage_error(std::string(option) + ": " + std::to_string(*twice) + " is there twice");
  }
}

int body(int argc, char** argv) {
  request wanted;
  bench::program app("wavefront-sptrsv",
                     "Solves sparse triangular systems, whose levels are waves of rows.",
                     {.threads = true});
  add_options(app, wanted);
  app.line().add_example("--generate poisson2d:nx=300,ny=300 --method serial,in_order",
                         "the lower triangle of a generated matrix");
  app.line().add_example("--matrix bcsstk13.mtx.gz --factor ilu0",
                         "an incomplete factor of a matrix from a file");
  app.line().set_list(bench::list_of<method>(all_methods));
  if (!app.parse(argc, argv)) return exit_done;
  check_options(app, wanted);
  scene const of = make_scene(wanted, app.common().seed);
  auto const arms = arm_maker(app, wanted, of).make();
  bench::harness<row> all(app, columns());
  all.show("GB/s",
           [](row const& r, double ms) { return 1e-6 * static_cast<double>(r.bytes) / ms; });
  all.show("ns a level",
           [](row const& r, double ms) { return 1e6 * ms / static_cast<double>(r.levels); });
  all.run(arms);
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
