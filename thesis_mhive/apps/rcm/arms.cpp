#include "arms.hpp"

#include <chrono>
#include <utility>
#include <variant>

#include "gridloom/error.hpp"
#include "gridloom/host_time_limit.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/sparse/measures.hpp"
#include "gridloom/sparse/transform.hpp"
#include "published/level_sorter.hpp"
#include "published/mhive_arm.hpp"
#include "thesis_mhive/ours/rcm/level_arm.hpp"
#include "thesis_mhive/rivals/rcm/cusolver.hpp"
#include "validate.hpp"

namespace gridloom::mhive::rcm {
namespace {

/// One host thread, which is the timed reference; with two threads, it searches from two candidates
/// for a start node at the same time.
class serial_arm : public order_arm {
 public:
  serial_arm(arm_setup const& setup, int threads)
      : graph_{setup.graph}, starts_{setup.starts}, threads_{threads} {}

  arm_result run(bool /*with_parts*/) override {
    using clock = std::chrono::steady_clock;
    auto const ms = [](clock::duration passed) {
      return std::chrono::duration<double, std::milli>(passed).count();
    };
    arm_result result;
    auto const begin = clock::now();
    std::vector<start_node> const starts = find_starts(graph_, starts_, threads_);
    auto const found = clock::now();
    order_ = order_from(graph_, nodes_of(starts)).cuthill_mckee;
    auto const ordered = clock::now();
    result.start_ms = ms(found - begin);
    result.order_ms = ms(ordered - found);
    result.both_ms = ms(ordered - begin);
    for (start_node const& start : starts) result.searches += start.num_searches;
    return result;
  }

  std::vector<std::uint32_t> copy_out() override { return std::move(order_); }
  [[nodiscard]] std::size_t bytes() const override { return 0; }

 private:
  graph_ref graph_;
  start_options starts_;
  int threads_;
  std::vector<std::uint32_t> order_;
};
template <int Threads>
std::unique_ptr<order_arm> make_serial_arm(arm_setup const& setup) {
  return std::make_unique<serial_arm>(setup, Threads);
}

/// Runs one version on the matrix of the scene. faults_of checks its order, which is then compared
/// with the serial order.
class order_work : public bench::work<row> {
 public:
  order_work(scene& of, row const& what, std::unique_ptr<order_arm> arm)
      : scene_(of), name_(what.method), own_starts_(what.own_starts), arm_(std::move(arm)) {}

  void prepare() override { run_ = {}; }
  void copy_in() override { arm_->copy_in(); }
  double timed_run(device& /*machine*/) override {
    host_time_limit const limit(scene_.app.common().timeout_s);
    run_ = arm_->run(false);
    return run_.both_ms;
  }
  void run() override { (void)timed_run(scene_.app.machine()); }
  void copy_out() override { order_ = arm_->copy_out(); }
  void check() override {
    arm_->measure_order(run_);
    if (!scene_.app.common().verify) accept();
  }

  void verify() override {
    same_ = order_ == scene_.expected.cuthill_mckee ? "yes" : "no";
    if (is_accepted_) {
      if (same_ == "no") throw wrong_result("the order differs from that of the first run");
      return;
    }
    auto const faults =
        faults_of(scene_.given.graph(), order_,
                  own_starts_ ? validity{} : validity{.starts = scene_.starts, .strict = true});
    // cuSOLVER's order need not be one by our definition. So its bandwidths are measured before its
    // faults are reported.
    if (own_starts_) accept();
    if (!faults.empty()) throw wrong_result(joined(faults, "\n  "));
    if (same_ == "no" && !own_starts_)
      throw wrong_result("the order differs from the serial order");
    accept();
  }

  void record(row& to) const override {
    to.run = run_;
    to.bandwidth = bandwidth_;
    to.half_bandwidth = half_bandwidth_;
    to.bytes = arm_->bytes();
    to.same = same_;
  }

  bool observe() override {
    arm_->copy_in();
    std::size_t place = 0;
    host_time_limit const limit(scene_.app.common().timeout_s);
    for (part_time& part : arm_->run(true).parts) {
      scene_.parts.add({name_, scene_.given.name, place++, std::move(part)});
    }
    return true;
  }

 private:
  /// Accepts the order of the first run, and measures its bandwidths.
  void accept() {
    if (std::exchange(is_accepted_, true)) return;
    std::vector<std::uint32_t> reversed(order_.rbegin(), order_.rend());
    auto const permuted = sparse::permute(scene_.given.pattern, reversed);
    bandwidth_ = sparse::thesis_bandwidth(permuted);
    half_bandwidth_ = sparse::band_of(permuted).half();
    if (scene_.order.empty()) scene_.order = std::move(reversed);
  }

  scene& scene_;
  std::string const name_;
  bool const own_starts_;
  std::unique_ptr<order_arm> arm_;
  arm_result run_;
  std::vector<std::uint32_t> order_;
  bool is_accepted_ = false;
  std::uint64_t bandwidth_ = 0;
  std::uint32_t half_bandwidth_ = 0;
  std::string same_ = "off";
};

template <auto Make>
struct ordering final : order_work {
  ordering(scene& of, row const& what) : order_work(of, what, Make(of.setup())) {}
};

std::unique_ptr<order_arm> by_scheduler(arm_setup const& setup, std::string_view scheduler,
                                        bool merge_narrow_levels = false) {
  start_search const search =
      setup.machine.is_host() ? find_starts_on_host : make_level_start_search(setup);
  return make_mhive_arm(setup, scheduler, search, merge_narrow_levels);
}

using bench::makes;
using bench::origin;
constexpr method table[] = {
    {.name = "serial",
     .what = "one host thread; the reference for the other arms",
     .by = origin::rival,
     .host_code = true,
     .make = makes<ordering<make_serial_arm<1>>>},
    {.name = "two_threads",
     .what = "two host threads, which search from two candidate start nodes at the same time",
     .by = origin::rival,
     .host_code = true,
     .make = makes<ordering<make_serial_arm<2>>>},
    {.name = "tsk",
     .what = "task types (7.3.2) under TSK: the host launches one kernel per task type",
     .by = origin::published,
     .make = makes<ordering<[](arm_setup const& of) { return by_scheduler(of, "time_sliced"); }>>},
    {.name = "mk",
     .what = "task types (7.3.2) under MK: one persistent kernel",
     .by = origin::published,
     .make = makes<ordering<[](arm_setup const& of) { return by_scheduler(of, "megakernel"); }>>},
    {.name = "pdc",
     .what = "task types (7.3.2) under PDC: a controller launches kernels from the device",
     .by = origin::published,
     .make = makes<
         ordering<[](arm_setup const& of) { return by_scheduler(of, "device_controller"); }>>},
    {.name = "resident",
     .what = "task types (7.3.2) under PDC with workers that stay resident",
     .by = origin::ours,
     .make = makes<
         ordering<[](arm_setup const& of) { return by_scheduler(of, "resident_controller"); }>>},
    {.name = "tsk_merged",
     .what = "as tsk, but one task orders narrow levels one after the other",
     .by = origin::ours,
     .make = makes<
         ordering<[](arm_setup const& of) { return by_scheduler(of, "time_sliced", true); }>>},
    {.name = "mk_merged",
     .what = "as mk, but one task orders narrow levels one after the other",
     .by = origin::ours,
     .make =
         makes<ordering<[](arm_setup const& of) { return by_scheduler(of, "megakernel", true); }>>},
    {.name = "pdc_merged",
     .what = "as pdc, but one task orders narrow levels one after the other",
     .by = origin::ours,
     .make = makes<ordering<[](arm_setup const& of) {
       return by_scheduler(of, "device_controller", true);
     }>>},
    {.name = "resident_merged",
     .what = "as resident, but one task orders narrow levels one after the other",
     .by = origin::ours,
     .make = makes<ordering<[](arm_setup const& of) {
       return by_scheduler(of, "resident_controller", true);
     }>>},
    {.name = "cpu_gpu",
     .what = "the host does everything except the sorting (7.3.3)",
     .by = origin::published,
     .make = makes<ordering<make_cpu_gpu_arm>>},
    {.name = "cusolver",
     .what = "cuSOLVER's csrsymrcmHost, which chooses its own start nodes",
     .by = origin::rival,
     .on_host = false,
     .host_code = true,
     .as_it_is = true,
     .stops = false,
     .traits = {.own_starts = true},
     .make = makes<ordering<make_cusolver_arm>>},
    {.name = "levels",
     .what = "breadth-first searches and ordering, level by level",
     .by = origin::ours,
     .make = makes<ordering<make_level_arm>>}};

serial_order reference_within(double seconds, graph_ref graph, start_options const& starts) {
  host_time_limit const limit(seconds);
  return order_from(graph, nodes_of(find_starts(graph, starts)));
}

bench::schema<part_row> part_columns() {
  return {
      {"arm", "", "name of the arm, as in --arm", &part_row::arm},
      {"matrix", "", "name of the file or generator", &part_row::matrix},
      {"place", "1", "position of the part in the order of phases", &part_row::place},
      {"part", "", "task type or step", &part_row::of, &part_time::part},
      {"tasks", "1", "number of tasks of this type", &part_row::of, &part_time::tasks},
      {"busy_ms", "ms", "sum of the times of these tasks", &part_row::of, &part_time::busy_ms},
      {"elapsed_ms", "ms", "time during which at least one of these tasks ran", &part_row::of,
       &part_time::elapsed_ms},
  };
}

}  // namespace

problem read_problem(bench::matrix_input const& input, bool symmetrise) {
  std::string const option = input.option();
  sparse::any_csr const matrix = input.read();
  problem result;
  result.name = input.name();
  result.pattern = std::visit([](auto const& of) { return sparse::pattern_of(of); }, matrix);
  sparse::csr_matrix<sparse::no_value>& pattern = result.pattern;
  std::string const size =
      std::to_string(pattern.num_rows) + " x " + std::to_string(pattern.num_cols);
  if (!pattern.is_square()) {
    throw usage_error(option + ": expected a square matrix, got one of " + size);
  }
  if (pattern.num_rows == 0) throw usage_error(option + ": expected at least one row, got none");
  if (symmetrise) {
    pattern = sparse::symmetrise(pattern);
  } else if (sparse::symmetry_of(pattern) == sparse::symmetry::none) {
    throw usage_error(option +
                      ": expected a symmetric pattern, got an unsymmetric one; use --symmetrize to "
                      "order the pattern of A + A^T");
  }
  return result;
}

std::span<method const> all_methods() { return table; }

scene::scene(bench::program& frame, problem matrix, start_options how)
    : app(frame),
      given(std::move(matrix)),
      starts(how),
      expected(reference_within(app.common().timeout_s, given.graph(), starts)),
      bandwidth_before(sparse::thesis_bandwidth(given.pattern)),
      parts("parts", part_columns()) {}

arm_setup scene::setup() const {
  return {app.machine(), given.graph(), starts, app.common().workers, app.common().timeout_s};
}

std::uint64_t scene::levels() const {
  std::uint64_t sum = 0;
  for (component_order const& one : expected.components) sum += one.num_levels;
  return sum;
}

bench::schema<row> columns() {
  return {
      {"matrix", "", "name of the file or generator", &scene::given, &problem::name},
      {"rows", "1", "number of rows and columns",
       [](scene const& s) { return s.given.pattern.num_rows; }},
      {"entries", "1", "number of stored entries, including the diagonal",
       [](scene const& s) { return s.given.pattern.num_entries(); }},
      {"components", "1", "number of connected components",
       [](scene const& s) { return s.expected.components.size(); }},
      {"levels", "1",
       "number of levels of all components together, from the serial arm's start nodes",
       &scene::levels},
      {"start", "", "how start nodes were chosen", &row::start},
      {"candidates", "1", "how many vertices of the last level the start node search tries",
       [](scene const& s) { return s.starts.most_candidates; }},
      {"workers", "1", "requested number of thread blocks or host threads; 0: all that fit",
       [](scene const& s) { return s.app.common().workers; }},
      {"searches", "1", "number of breadth-first searches for the start nodes", &row::run,
       &arm_result::searches},
      {"start_ms", "ms", "time to find the start nodes; NaN: not measured separately", &row::run,
       &arm_result::start_ms},
      {"order_ms", "ms", "time to order from given start nodes; NaN: not measured separately",
       &row::run, &arm_result::order_ms},
      {"both_ms", "ms", "time of search and ordering together, equal to elapsed_ms",
       [](row const&, double elapsed_ms) { return elapsed_ms; }},
      {"bandwidth_before", "1",
       "bandwidth before ordering: max - min + 1 of row - column (thesis, Eq. 8.1)",
       &scene::bandwidth_before},
      {"bandwidth", "1", "bandwidth after ordering", &row::bandwidth},
      {"half_bandwidth", "1", "largest |row - column| after ordering", &row::half_bandwidth},
      {"bytes", "bytes", "device memory of the arm", &row::bytes},
      {"equation_bytes", "bytes", "peak memory by Eq. 8.2 of the thesis",
       [](scene const& s) {
         return bytes_by_equation_8_2(s.given.pattern.num_rows, s.given.pattern.num_entries());
       }},
      {"same", "", "whether the order equals the serial arm's: yes, no, off", &row::same},
  };
}

}  // namespace gridloom::mhive::rcm
