#include "arms.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "gridloom/taskgraph/cluster.hpp"
#include "solve_plan.hpp"
#include "solver.hpp"

namespace gridloom::wavefront::sptrsv {
namespace {

/// Forward substitution on the host.
class serial_work final : public bench::work<row> {
 public:
  serial_work(scene& in, row const& /*what*/) : of_(in.of) {}
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

solver_options options_of(scene const& in, row const& what) {
  solver_options options;
  options.shape = {what.blocks.value_or(1), what.threads.value_or(1)};
  options.plan.entries_a_lane = static_cast<std::uint32_t>(what.entries_a_lane.value_or(0));
  options.plan.narrow = static_cast<std::uint32_t>(what.narrow.value_or(0));
  options.flat_warps = static_cast<int>(what.flat_warps.value_or(0));
  options.gate = static_cast<std::uint32_t>(what.gate.value_or(0));
  options.timeout_s = in.app.common().timeout_s;
  return options;
}

/// A solver on the machine. `Make` makes it from the scene and the row.
template <std::unique_ptr<solver> (*Make)(scene&, row const&)>
class solver_work final : public bench::work<row> {
 public:
  solver_work(scene& in, row const& what) : of_(in.of), by_(Make(in, what)) {}
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
    r.blocks_taken = facts.blocks;
  }

 private:
  lower_system const& of_;
  std::unique_ptr<solver> by_;
  std::vector<double> x_;
};

std::unique_ptr<solver> sync_free(scene& in, row const& what) {
  return make_sync_free(in.app.machine(), in.of, options_of(in, what));
}
std::unique_ptr<solver> in_order(scene& in, row const& what) {
  return make_in_order(in.app.machine(), in.of, options_of(in, what));
}
template <level_end How>
std::unique_ptr<solver> by_levels(scene& in, row const& what) {
  return make_waves(in.app.machine(), in.of, options_of(in, what), How);
}
std::unique_ptr<solver> cusparse(scene& in, row const& /*what*/) {
  return make_cusparse(in.app.machine(), in.of);
}

}  // namespace

scene::scene(bench::program& frame, lower_system made, std::string factor_name,
             std::string values_kind)
    : app(frame),
      of(std::move(made)),
      factor(std::move(factor_name)),
      values(std::move(values_kind)) {
  for (std::uint32_t r = 0; r < of.rows(); ++r)
    longest_row = std::max(longest_row, static_cast<std::int64_t>(of.matrix.row(r).size()));
  for (std::uint32_t const size : level_sizes(of)) {
    ++depth;
    widest_level = std::max(widest_level, std::int64_t{size});
  }
}

constexpr std::string_view in_rounds = "workers threads block-sizes entries-a-lane";

/// A rival with one launch per level.
template <level_end End>
method by_launches(std::string_view name, std::string_view what) {
  return {.name = name,
          .what = what,
          .by = bench::origin::rival,
          .takes = in_rounds,
          .on_host = false,
          .stops = false,
          .traits = {.blocks_per_sm = 8},
          .make = bench::makes<solver_work<by_levels<End>>>};
}

std::vector<method> const& all_methods() {
  using enum bench::origin;
  // Default grids, for one H200. Methods that poll have one block per multiprocessor, and methods
  // by launches have eight. In sync_free a warp waits for one row, so there are more threads.
  static std::vector<method> const all{
      {.name = "serial",
       .what = "one host thread, row by row",
       .by = rival,
       .host_code = true,
       .make = bench::makes<serial_work>},
      {.name = "sync_free",
       .what = "one warp and one flag per row, without analysis",
       .by = published,
       .takes = "workers threads block-sizes",
       .traits = {.threads_per_sm = 1024},
       .make = bench::makes<solver_work<sync_free>>},
      {.name = "in_order",
       .what = "rows in topological order; warps wait for values of x, without barriers",
       .by = ours,
       .takes = "workers threads block-sizes entries-a-lane narrow gate flat-warps",
       // One warp solves a pack, so blocks are large.
       .traits = {.threads = 512},
       .make = bench::makes<solver_work<in_order>>},
      by_launches<level_end::launch>("waves_stream", "one kernel launch per level"),
      by_launches<level_end::graph>("waves_graph", "the kernels of waves_stream as one CUDA graph"),
      by_launches<level_end::graph_pdl>("waves_graph_pdl",
                                        "the CUDA graph with programmatic dependent launch"),
      {.name = "waves_barrier",
       .what = "one kernel with one grid barrier per level; also as a single block",
       .by = rival,
       .takes = "workers threads block-sizes entries-a-lane barrier-blocks",
       .make = bench::makes<solver_work<by_levels<level_end::grid_barrier>>>},
      {.name = "waves_cluster",
       .what = "as waves_barrier, on one thread block cluster",
       .by = rival,
       .takes = "workers threads block-sizes entries-a-lane cluster-blocks",
       .on_host = false,
       .traits = {.one_cluster = true},
       .make = bench::makes<solver_work<by_levels<level_end::cluster_barrier>>>},
      {.name = "cusparse_spsv",
       .what = "cuSPARSE's SpSV; the set-up is its analysis",
       .by = rival,
       .on_host = false,
       .stops = false,
       .make = bench::makes<solver_work<cusparse>>}};
  return all;
}

settings base_of(bench::program& app, method const& one) {
  settings base;
  if (!one.takes_option("workers")) return base;
  int const threads = app.common().threads;
  base.threads = app.machine().is_host() ? 1 : threads > 0 ? threads : one.traits.threads;
  base.grid = one.traits;
  return base;
}

bench::sweep<settings> sweep_of(bench::program& app, request const& wanted) {
  using numbers = std::vector<std::int64_t>;
  auto const& machine = app.machine().properties();
  bool const host = app.machine().is_host();
  int const workers = app.common().workers;
  // Narrow levels occupy one multiprocessor only, and a barrier of a block or a cluster is far
  // faster than one of a grid. So these numbers of blocks also run. They have no option.
  bool const several = !host && workers == 0;
  bench::sweep<settings> over;
  over.over("block-sizes", wanted.block_sizes, &settings::threads)
      .over("barrier-blocks", several ? numbers{0, 1} : numbers{}, &settings::grid_blocks,
            [](std::int64_t blocks) { return blocks == 1 ? " in one block" : ""; })
      .over("cluster-blocks", several ? numbers{4, 8, most_cluster_blocks} : numbers{},
            &settings::grid_blocks,
            [](std::int64_t blocks) { return " in " + std::to_string(blocks) + " blocks"; })
      .over("entries-a-lane", wanted.entries_a_lane, &settings::entries_a_lane, "e")
      .over("narrow", wanted.narrow, &settings::narrow, "n")
      .over("flat-warps", wanted.flat_warps, &settings::flat_warps, "f")
      .over("gate", wanted.gate, &settings::gate, "g")
      .then([=, sms = machine.multiprocessors, named = app.line().given("method")](settings& s) {
        if (!s.threads) return;
        int per_sm = host ? 1 : s.grid.blocks_per_sm;
        if (!host && s.grid.threads_per_sm > 0)
          per_sm = std::max(1, s.grid.threads_per_sm / *s.threads);
        s.blocks = workers > 0         ? workers
                   : s.grid_blocks > 0 ? static_cast<int>(s.grid_blocks)
                                       : sms * per_sm;
        // --workers holds for all methods, and may exceed the largest cluster.
        if (s.grid.one_cluster && !named) s.blocks = std::min(*s.blocks, most_cluster_blocks);
      });
  return over;
}

bench::schema<row> columns() {
  return {
      {"method", "1", "method, see --list", &row::method},
      {"matrix", "1", "file or generator", &scene::of, &lower_system::name},
      {"factor", "1", "how L is made from the matrix: lower, given or ilu0", &scene::factor},
      {"values", "1", "values of L: stored in the matrix, or made at random", &scene::values},
      {"rows", "1", "number of rows of L", &scene::of, &lower_system::rows},
      {"entries", "1", "number of entries of L, with its diagonal",
       [](scene const& in) { return in.of.matrix.num_entries(); }},
      {"depth", "1", "number of levels: rows on the longest path", &scene::depth},
      {"widest_level", "1", "number of rows in the largest level", &scene::widest_level},
      {"longest_row", "1", "number of entries in the longest row", &scene::longest_row},
      {"bytes", "B", "memory of L in CSR form, b and x", &scene::of, &lower_system::least_bytes},
      {"workers", "1", "number of thread blocks or host threads",
       [](row const& r) { return r.blocks_taken ? r.blocks_taken : r.blocks; }},
      {"threads", "1", "threads per block", &row::threads},
      {"narrow", "1", "largest number of rounds of a level that is put into a pack", &row::narrow},
      {"gate", "1",
       "a round outside packs first waits for one word of the level this many levels before; 0: it "
       "does not",
       &row::gate},
      {"flat_warps", "1", "least number of warps per block for rounds outside packs; 0: all",
       &row::flat_warps},
      {"entries_a_lane", "1", "largest number of entries per lane before a row gets more lanes",
       &row::entries_a_lane},
      {"memory_bytes", "B", "memory of the stored L, the vectors and the method's own data",
       &row::memory_bytes},
      {"rounds", "1", "number of rounds that warps execute", &row::rounds},
      {"padded_entries", "1", "number of padding entries", &row::padded_entries},
      {"near_rows", "1", "number of rows in packs", &row::near_rows}};
}

}  // namespace gridloom::wavefront::sptrsv
