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

/// A scheduler of tiled QR.
constexpr method_entry by_tasks(std::string_view name, std::string_view what, bench::origin by,
                                std::string_view takes, traits its) {
  return {.name = name,
          .what = what,
          .by = by,
          .takes = takes,
          .traced = true,
          .traits = its,
          .make = tiled};
}
/// A rival with one launch per level.
constexpr method_entry by_level(std::string_view name, std::string_view what, scheduling how) {
  method_entry one = by_tasks(name, what, rival, "tile dag blocks", {.how = how});
  one.stops = false;
  return one;
}
template <template <class> class Batch>
constexpr method_entry by_panels(std::string_view name, std::string_view what) {
  return {.name = name,
          .what = what,
          .by = ours,
          .traits = {.by_panels = true},
          .make = panels_by<Batch>};
}
template <library_method How>
constexpr method_entry by_library(std::string_view name, std::string_view what,
                                  std::string_view takes = {}) {
  return {.name = name,
          .what = what,
          .by = rival,
          .takes = takes,
          .stops = false,
          .make = library<How>};
}
template <product_maker How>
constexpr method_entry by_cholesky_qr2(std::string_view name, std::string_view what) {
  return {.name = name,
          .what = what,
          .by = rival,
          .as_it_is = true,
          .stops = false,
          .traits = {.needs_q = true},
          .make = cholesky_qr2_by<How>};
}
template <host_method How>
constexpr method_entry by_host(std::string_view name, std::string_view what, traits its = {},
                               bool stops = false) {
  return {.name = name,
          .what = what,
          .by = rival,
          .host_code = true,
          .stops = stops,
          .traits = its,
          .make = on_host<How>};
}

constexpr method_entry entries[] = {
    by_tasks("fr1", "FR1: one worker goes through the task grid", published, "tile dag priority",
             {.how = by::serial}),
    by_tasks("fr2", "FR2: workers share the task grid under a lock", published,
             "tile dag blocks priority", {.how = by::shared}),
    by_tasks("fr3", "FR3: a scheduling kernel and an execution kernel run at the same time",
             published, "tile dag blocks priority weight queue-slots",
             {.how = by::two_kernels, .other_workers = 1}),
    by_tasks("fr3_one_thread", "FR3 with one scheduling thread instead of a warp", published,
             "tile dag blocks priority weight queue-slots",
             {.how = by::one_thread, .other_workers = 1}),
    by_tasks("fr3_joined", "FR3 in one launch, whose first block is the scheduler", ours,
             "tile dag blocks priority weight queue-slots", {.how = by::joined}),
    by_tasks("in_block", "one warp of each block schedules the block's tasks, without a lock", ours,
             "tile dag blocks priority", {.how = by::in_block}),
    by_tasks("static_lists", "one list of tasks per block, computed on the host before the runs",
             ours, "tile dag blocks priority weight", {.how = by::static_lists}),
    by_tasks("ticket",
             "one list of tasks for all blocks; a ticket per task says which block runs it", ours,
             "tile dag blocks priority weight", {.how = by::ticket}),
    by_level("launches", "one launch per level of independent tasks", by::launches),
    by_level("graph", "the kernels of launches as a CUDA graph, one node per level", by::graph),
    by_level("graph_pdl", "the CUDA graph of graph with programmatic dependent launch",
             by::graph_pdl),
    {.name = "omp_tasks",
     .what = "OpenMP tasks on host threads, a rival of fr2",
     .by = rival,
     .takes = "tile dag blocks",
     .traced = true,
     .host_code = true,
     .traits = {.how = by::omp_tasks},
     .make = tiled},
    by_panels<gram_batch>(
        "gram_panels",
        "panels of 32 columns; teams of resident blocks compute the reflectors from Gram "
        "matrices"),
    by_panels<blocked_batch>(
        "blocked_panels",
        "panels as in gram_panels, with passes over the rows and matrix products of cuBLAS"),
    by_panels<cholesky_batch>(
        "cholesky_panels",
        "CholeskyQR with as many steps as the matrix needs, then the reflectors of Q; up to "
        "256 columns"),
    by_library<library_method::cusolver>("cusolver",
                                         "cuSOLVER's geqrf on the device, one call per matrix"),
    by_library<library_method::cusolver_streams>(
        "cusolver_streams", "cuSOLVER's geqrf in several streams at once (--streams)", "streams"),
    by_library<library_method::cublas_batched>("cublas_batched", "cuBLAS's geqrfBatched"),
    by_cholesky_qr2<product_maker::library>(
        "cholesky_qr2",
        "CholeskyQR2 with cuBLAS and cuSOLVER, or OpenBLAS on the host; needs --form-q"),
    by_cholesky_qr2<product_maker::own>(
        "cholesky_qr2_mma",
        "CholeskyQR2 with our own products of tall matrices, for up to 256 columns; needs "
        "--form-q"),
    by_host<host_method::lapack>("lapack", "LAPACKE geqrf of OpenBLAS, one thread",
                                 {.by_blas = true}),
    by_host<host_method::lapack_all>(
        "lapack_all",
        "LAPACKE geqrf of OpenBLAS, all threads; one matrix per thread if the batch is large "
        "enough",
        {.by_blas = true, .all_threads = true}),
    by_host<host_method::householder>(
        "householder", "Algorithm 1 of the report on the whole matrix, one thread", {}, true),
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
       "the reflectors; products: by products of the identity with several panels at a time",
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
