#include "apps/tiled_qr/arms.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "apps/tiled_qr/cholesky_work.hpp"
#include "apps/tiled_qr/host_work.hpp"
#include "apps/tiled_qr/panel_work.hpp"
#include "apps/tiled_qr/tiled_work.hpp"
#include "gridloom/bench/harness.hpp"
#include "gridloom/parse.hpp"
#include "ours/schedulers.hpp"

namespace gridloom::tiled_qr {

namespace {

using work = std::unique_ptr<bench::work<row>>;

/// A factory of works. It calls the lambda `Make` with the input in the precision of the scene.
template <auto Make>
work in_precision(scene& of, row const& what) {
  if (of.is_float) return Make(std::get<input_of<float>>(of.input), what);
  return Make(std::get<input_of<double>>(of.input), what);
}

constexpr auto tiled = in_precision<[]<class T>(input_of<T> const& of, row const& what) -> work {
  return std::make_unique<tiled_work<T>>(of, what.tiled);
}>;
template <template <class> class Batch>
constexpr auto panels_by =
    in_precision<[]<class T>(input_of<T> const& of, row const& what) -> work {
      return std::make_unique<panel_work<T>>(of, Batch<T>::make(of, what.threads), what.threads);
    }>;
template <library_method How>
constexpr auto library = in_precision<[]<class T>(input_of<T> const& of, row const& what) -> work {
  return std::make_unique<library_work<T>>(of, How, what.blocks);
}>;
template <product_maker How>
constexpr auto cholesky_qr2_by =
    in_precision<[]<class T>(input_of<T> const& of, row const&) -> work {
      return std::make_unique<cholesky_work<T>>(of, How);
    }>;
template <host_method How>
constexpr auto on_host = in_precision<[]<class T>(input_of<T> const& of, row const&) -> work {
  return std::make_unique<host_work<T>>(of, How);
}>;

using enum bench::origin;
constexpr method_entry entries[] = {
    {.name = "fr1",
     .what = "FR1: one worker goes through the task grid",
     .by = published,
     .takes = "tile dag priority",
     .traced = true,
     .traits = {.how = by::serial},
     .make = tiled},
    {.name = "fr2",
     .what = "FR2: workers share the task grid under a lock",
     .by = published,
     .takes = "tile dag blocks priority",
     .traced = true,
     .traits = {.how = by::shared},
     .make = tiled},
    {.name = "fr3",
     .what = "FR3: a scheduling kernel and an execution kernel run at the same time",
     .by = published,
     .takes = "tile dag blocks priority weight queue-slots",
     .traced = true,
     .traits = {.how = by::two_kernels, .other_workers = 1},
     .make = tiled},
    {.name = "fr3_joined",
     .what = "FR3 in one launch, whose first block is the scheduler",
     .by = ours,
     .takes = "tile dag blocks priority weight queue-slots",
     .traced = true,
     .traits = {.how = by::joined},
     .make = tiled},
    {.name = "in_block",
     .what = "one warp of each block schedules the block's tasks, without a lock",
     .by = ours,
     .takes = "tile dag blocks priority",
     .traced = true,
     .traits = {.how = by::in_block},
     .make = tiled},
    {.name = "static_lists",
     .what = "one list of tasks per block, computed on the host before the runs",
     .by = ours,
     .takes = "tile dag blocks priority weight",
     .traced = true,
     .traits = {.how = by::static_lists},
     .make = tiled},
    {.name = "ticket",
     .what = "one list of tasks for all blocks; a ticket per task says which block runs it",
     .by = ours,
     .takes = "tile dag blocks priority weight",
     .traced = true,
     .traits = {.how = by::ticket},
     .make = tiled},
    {.name = "launches",
     .what = "one launch per level of independent tasks",
     .by = rival,
     .takes = "tile dag blocks",
     .traced = true,
     .stops = false,
     .traits = {.how = by::launches},
     .make = tiled},
    {.name = "graph",
     .what = "the kernels of launches as a CUDA graph, one node per level",
     .by = rival,
     .takes = "tile dag blocks",
     .traced = true,
     .stops = false,
     .traits = {.how = by::graph},
     .make = tiled},
    {.name = "graph_pdl",
     .what = "the CUDA graph of graph with programmatic dependent launch",
     .by = rival,
     .takes = "tile dag blocks",
     .traced = true,
     .stops = false,
     .traits = {.how = by::graph_pdl},
     .make = tiled},
    {.name = "omp_tasks",
     .what = "OpenMP tasks on host threads, a rival of fr2",
     .by = rival,
     .takes = "tile dag blocks",
     .traced = true,
     .host_code = true,
     .traits = {.how = by::omp_tasks},
     .make = tiled},
    {.name = "gram_panels",
     .what =
         "panels of 32 columns; teams of resident blocks compute the reflectors from Gram matrices",
     .by = ours,
     .takes = "tall-from",
     .traits = {.by_panels = true},
     .make = panels_by<gram_batch>},
    {.name = "blocked_panels",
     .what = "panels as in gram_panels, with passes over the rows and matrix products of cuBLAS",
     .by = ours,
     .takes = "tall-from",
     .traits = {.by_panels = true},
     .make = panels_by<blocked_batch>},
    {.name = "cholesky_panels",
     .what = "CholeskyQR with as many steps as the matrix needs, then the reflectors of Q; up to "
             "256 columns",
     .by = ours,
     .traits = {.by_panels = true},
     .make = panels_by<cholesky_batch>},
    {.name = "cusolver",
     .what = "cuSOLVER's geqrf on the device, one call per matrix",
     .by = rival,
     .stops = false,
     .make = library<library_method::cusolver>},
    {.name = "cusolver_streams",
     .what = "cuSOLVER's geqrf in several streams at once (--streams)",
     .by = rival,
     .takes = "streams",
     .stops = false,
     .make = library<library_method::cusolver_streams>},
    {.name = "cublas_batched",
     .what = "cuBLAS's geqrfBatched",
     .by = rival,
     .stops = false,
     .make = library<library_method::cublas_batched>},
    {.name = "cholesky_qr2",
     .what = "CholeskyQR2 with cuBLAS and cuSOLVER, or OpenBLAS on the host; needs --form-q",
     .by = rival,
     .as_it_is = true,
     .stops = false,
     .traits = {.needs_q = true},
     .make = cholesky_qr2_by<product_maker::library>},
    {.name = "cholesky_qr2_mma",
     .what = "CholeskyQR2 with our own products of tall matrices, for up to 256 columns; needs "
             "--form-q",
     .by = rival,
     .as_it_is = true,
     .stops = false,
     .traits = {.needs_q = true},
     .make = cholesky_qr2_by<product_maker::own>},
    {.name = "lapack",
     .what = "LAPACKE geqrf of OpenBLAS, one thread",
     .by = rival,
     .host_code = true,
     .stops = false,
     .traits = {.by_blas = true},
     .make = on_host<host_method::lapack>},
    {.name = "lapack_all",
     .what = "LAPACKE geqrf of OpenBLAS, all threads; one matrix per thread if the batch is large "
             "enough",
     .by = rival,
     .host_code = true,
     .stops = false,
     .traits = {.by_blas = true, .all_threads = true},
     .make = on_host<host_method::lapack_all>},
    {.name = "householder",
     .what = "Algorithm 1 of the report on the whole matrix, one thread",
     .by = rival,
     .host_code = true,
     .make = on_host<host_method::householder>},
};

std::string name_of(double weight) {
  return weight == measured_weight ? "measured" : shown(weight);
}

struct variant {
  std::string label;
  settings values;
};

std::vector<variant> tiled_variants(scene const& of, settings base) {
  auto const& common = of.app.common();
  request const& wanted = of.wanted;
  scheduling const how = *base.is->how;
  // The report's blocks have 32 threads, one per column of a tile.
  launch_shape shape = of.app.shape(32);
  std::vector<std::int64_t> blocks = wanted.blocks;
  if (device const& machine = machine_for(of.app, how); &machine != &of.app.machine()) {
    shape = {common.workers != 0 ? common.workers : machine.properties().multiprocessors, 1};
    // --blocks is for the program's machine, and not for the host.
    blocks.clear();
  }
  bool const bounded = common.workers != 0 || !blocks.empty();
  if (blocks.empty()) blocks = {shape.blocks};
  if (how->one_worker) blocks = {1};

  std::vector<std::string> const orders =
      has_priority(how) ? wanted.priorities : std::vector{wanted.priorities.front()};
  std::vector<variant> all;
  for (std::int64_t const count : blocks) {
    for (std::string const& name : orders) {
      priority const order =
          name == priority_names[0] ? priority::factorisations_first : priority::fifo;
      std::vector<double> const weights =
          has_weight(how, order) ? wanted.weights : std::vector<double>{1};
      for (double const weight : weights) {
        variant one{"", base};
        if (blocks.size() > 1) one.label += " by " + std::to_string(count);
        if (orders.size() > 1) one.label += " " + name;
        if (weights.size() > 1) one.label += " weight " + name_of(weight);
        one.values.blocks = static_cast<int>(count);
        one.values.threads = shape.threads;
        one.values.tiled = {.how = how,
                            .order = order,
                            .double_weight = weight,
                            .queue_slots = static_cast<std::uint32_t>(wanted.queue_slots),
                            .blocks = static_cast<int>(count),
                            .bounded_steps = bounded,
                            .threads = shape.threads,
                            .timeout_s = common.timeout_s};
        all.push_back(std::move(one));
      }
    }
  }
  return all;
}

std::vector<variant> variants_of(scene const& of, method_entry const& one) {
  settings base{.is = &one.traits};
  if (base.is->how) return tiled_variants(of, base);
  if (base.is->by_panels) base.threads = panel_threads(of.app);
  if (base.is->all_threads) base.blocks = set_lapack_threads(0);
  if (!one.takes_option("streams")) return {{"", base}};
  // More streams than matrices are useless. The set keeps each number of streams once.
  std::set<int> counts;
  for (std::int64_t const streams : of.wanted.streams)
    counts.insert(static_cast<int>(std::min(of.batch, streams)));
  std::vector<variant> all;
  for (int const streams : counts) {
    all.push_back({counts.size() > 1 ? " by " + std::to_string(streams) : "", base});
    all.back().values.blocks = streams;
  }
  return all;
}

/// Reads the environment, because OpenMP's runtime has no function to query the policy.
std::string omp_wait_policy() {
  char const* const policy = std::getenv("OMP_WAIT_POLICY");
  return policy == nullptr || *policy == '\0' ? "default" : policy;
}

double gflops(row const& r, double ms) {
  scene const& of = *r.problem;
  auto const m = static_cast<double>(of.rows);
  auto const n = static_cast<double>(std::min(of.rows, of.cols));
  double const q = of.wanted.form_q ? 2 * m * n * n - 2 * n * n * n / 3 : 0;
  return static_cast<double>(of.batch) * (flops_of(of.rows, of.cols) + q) / ms * 1e-6;
}

/// Returns the number of workers; missing if each task has its own block.
int shown_blocks(row const& r) {
  bool const per_task = r.is->how && (*r.is->how)->launches_steps && !r.tiled.bounded_steps &&
                        !r.problem->app.machine().is_host();
  return per_task ? int{bench::missing_integer} : r.blocks;
}

std::string precision_of(scene const& of) { return of.is_float ? "float" : "double"; }

}  // namespace

std::span<method_entry const> all_methods() { return entries; }

std::vector<bench::arm<row>> arms_of(bench::methods<row, traits> const& methods, scene& of) {
  std::vector<bench::arm<row>> made;
  for (method_entry const* one : methods.entries()) {
    for (auto& [label, values] : variants_of(of, *one))
      made.push_back(bench::arm_of(*one, of, std::string(one->name) + label, values));
  }
  return made;
}

std::vector<double> parse_weights(std::string const& text) {
  std::vector<double> weights;
  for (std::string_view const word : split_at_commas(text)) {
    try {
      weights.push_back(word == "measured" ? measured_weight
                                           : parse_real("--weight", word, 1, 100));
    } catch (usage_error const&) {
      throw usage_error("--weight: expected numbers from 1 to 100 or the word measured, got " +
                        in_quotes(word));
    }
  }
  bench::require_distinct("weight", weights, name_of);
  return weights;
}

bench::schema<row> columns() {
  return {
      {"method", "", "name of the method, as in --method", &row::method},
      {"input", "", "family of the matrix, or name of its file", &scene::name},
      {"condition", "1", "condition number; only for the family conditioned", &scene::condition},
      {"precision", "", "float or double", precision_of},
      {"rows", "1", "number of rows", &scene::rows},
      {"cols", "1", "number of columns", &scene::cols},
      {"batch", "1", "number of matrices of this size that a run factorises", &scene::batch},
      {"q", "", "formed: the run forms explicit Q; implicit: Q is left as reflectors",
       [](row const& r) { return r.problem->wanted.form_q ? "formed" : "implicit"; }},
      {"former", "",
       "how panels formed Q: steps: during the factorisation; tall: in two passes over the rows of "
       "the reflectors; groups: several panels at a time",
       &row::former},
      {"tile", "1", "rows and columns of a tile; 0: the method has no tiles",
       [](row const& r) {
         return r.is->how ? r.problem->wanted.tile : r.is->by_panels ? panels::panel_width : 0;
       }},
      {"tasks", "1", "number of tasks of the whole batch; 0: the method has no tasks",
       [](row const& r) {
         scene const& of = *r.problem;
         if (!r.is->how) return std::int64_t{0};
         tiling const cut = make_tiling(of.rows, of.cols, of.wanted.tile);
         return static_cast<std::int64_t>(count_tasks(cut)) * of.batch;
       }},
      {"workers", "1",
       "number of workers that execute tasks: thread blocks or host threads; missing if there is "
       "one block per task",
       shown_blocks},
      {"threads", "1", "threads per block", &row::threads},
      {"priority", "", "rule that selects the next ready task",
       [](row const& r) {
         return r.is->how && has_priority(*r.is->how)
                    ? std::string(priority_names[static_cast<int>(r.tiled.order)])
                    : "";
       }},
      {"weight", "1", "weight of a task on two tiles, relative to a task on one tile",
       [](row const& r) {
         if (!r.is->how || !has_weight(*r.is->how, r.tiled.order)) return bench::missing_real;
         return r.tiled.double_weight == measured_weight ? r.measured_weight_of_run
                                                         : r.tiled.double_weight;
       }},
      {"single_us", "us", "mean time of a task on one tile; only if the weight was measured",
       &row::single_us},
      {"double_us", "us", "mean time of a task on two tiles; only if the weight was measured",
       &row::double_us},
      {"blas_core", "", "lapack: processor type whose kernels OpenBLAS selected",
       [](row const& r) { return r.is->by_blas ? blas_core() : std::string(); }},
      {"omp_wait", "",
       "omp_tasks: value of OMP_WAIT_POLICY; default: not set, so threads sleep after some "
       "milliseconds without work",
       [](row const& r) { return r.is->how == by::omp_tasks ? omp_wait_policy() : std::string(); }},
      {"executed", "1", "number of executed tasks that the scheduler counted", &row::executed},
      {"matrix_bytes", "bytes", "memory of the matrices of the batch", &row::matrix_bytes},
      {"extra_bytes", "bytes", "memory of the factors tau, the task grid, queues and workspace",
       &row::extra_bytes},
      {"formed_bytes", "bytes", "memory of explicit Q or R, if they do not overwrite the matrix",
       &row::formed_bytes},
      {"members", "1", "number of blocks that share a panel", &row::members},
      {"chains", "1", "number of sums over the rows, for all panels of 32 columns together",
       &row::chains},
      {"steps", "1",
       "number of CholeskyQR steps, with one sum over the rows per step; for a batch the maximum. "
       "Panels (see chains) finish what the steps leave",
       &row::steps},
      {"registers", "1", "registers per thread of the kernel that executes tasks",
       bench::kernel_fact(&kernel_facts::registers)},
      {"shared_bytes", "bytes", "shared memory per block of that kernel",
       bench::kernel_fact(&kernel_facts::shared_bytes)},
      {"blocks_per_multiprocessor", "1",
       "blocks of that kernel that fit on a multiprocessor at once",
       bench::kernel_fact(&kernel_facts::blocks_per_multiprocessor)},
      {"factors_residual", "1", "|A - QR| / (|A| max(m, n) eps) of the verified run",
       &row::factors_residual},
      {"orthogonality", "1", "|I - Q'Q| / (n eps) of the verified run", &row::orthogonality},
      {"diagonal_residual", "1", "difference of R's diagonal from LAPACK's, in the verified run",
       &row::diagonal_residual},
      {"verification", "",
       "how residuals were computed: full: with all of Q and R; sample: with random vectors, for "
       "the longest column; none: not computed",
       &row::verification},
      {"verification_vectors", "1", "number of random vectors of a sample",
       &row::verification_vectors},
      {"verified_matrices", "1",
       "number of matrices of the batch that were verified; the residuals are the largest among "
       "them",
       &row::verified_matrices},
      {"scale_exponent", "1",
       "exponent s: the run multiplied matrices by 2^s and divided R by 2^s; for a batch the s "
       "furthest from 0",
       &row::scale_exponent},
      {"broke_down", "1",
       "number of Cholesky factorisations of the batch that found no positive pivot, in the "
       "verified run",
       &row::broke_down},
      {"gflops", "Gflop/s",
       "floating-point operations of QR, and of forming Q if it is formed, by LAPACK's count, "
       "divided by elapsed_ms",
       gflops},
  };
}

void show_figures(bench::harness<row>& all) {
  all.show("matrix", [](row const& r, double) {
    scene const& of = *r.problem;
    bool const is_scaled = r.scale_exponent != 0 && r.scale_exponent != bench::missing_integer;
    return (of.batch > 1 ? std::to_string(of.batch) + " of " : "") + std::to_string(of.rows) +
           " x " + std::to_string(of.cols) + " " + precision_of(of) +
           (is_scaled ? " scaled by 2^" + std::to_string(r.scale_exponent) : "");
  });
  all.show("blocks", [](row const& r, double) {
    int const blocks = shown_blocks(r);
    return (blocks == bench::missing_integer ? "per task" : std::to_string(blocks)) + " x " +
           std::to_string(r.threads);
  });
  all.show("Gflop/s", gflops);
  all.show("residual", [](row const& r, double) { return r.factors_residual; });
  all.show("verification", [](row const& r, double) { return r.verification; });
}

}  // namespace gridloom::tiled_qr
