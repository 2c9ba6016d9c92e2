#include "arms.hpp"

#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "device_system.hpp"
#include "gridloom/bench/text_table.hpp"
#include "gridloom/error.hpp"
#include "serial.hpp"

namespace gridloom::mhive::jacobi {
namespace {

double distance(std::vector<double> const& a, std::vector<double> const& b) {
  if (a.size() != b.size()) return bench::missing_real;
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

/// The iterates of the serial reference, by number.
template <typename Value>
class reference {
 public:
  reference(system<Value> const& of, std::uint32_t entries_per_task)
      : of_(of), entries_(entries_per_task), serial_(std::in_place, of, entries_per_task) {}

  std::vector<double> const& x(std::uint32_t iteration) {
    auto const [at, is_new] = known_.try_emplace(iteration);
    if (!is_new) return at->second;
    if (serial_->iteration() > iteration) serial_.emplace(of_, entries_);
    while (serial_->iteration() < iteration) serial_->step();
    at->second.assign(serial_->x().begin(), serial_->x().end());
    return at->second;
  }

 private:
  system<Value> const& of_;
  std::uint32_t entries_;
  std::optional<serial_iteration<Value>> serial_;
  std::map<std::uint32_t, std::vector<double>> known_;
};

/// Runs a version. Its x is compared with the serial reference.
class solver_work final : public bench::work<row> {
 public:
  solver_work(scene& of, row const& what)
      : scene_(of),
        is_exact_(what.version->exact),
        solver_(of.make(*what.version, what.scheduler)) {}

  void prepare() override { run_ = {}; }
  void copy_in() override { solver_->reset(); }
  double timed_run(device& /*machine*/) override {
    run_ = solver_->run();
    return run_.elapsed_ms;
  }
  void copy_out() override { x_ = solver_->x(run_.iterations); }

  void check() override {
    if (run_.verdict == outcome::diverged) {
      throw run_error("diverges: the residual is " + bench::shown_number(run_.residual) +
                      " in iteration " + std::to_string(run_.iterations));
    }
    if (!scene_.app.common().verify) accept();
  }

  void verify() override {
    std::vector<double> const& serial = scene_.serial_x(run_.iterations);
    double size = 0;
    for (double const x : serial) size += std::abs(x);
    // Sums in another order differ in the last digits. The iteration does not amplify the
    // difference.
    double const allowed = is_exact_ ? 0.0 : 64.0 * scene_.epsilon() * size;
    double const difference = distance(x_, serial);
    serial_difference_ = difference;
    if (!scene_.known_x().empty()) known_difference_ = distance(x_, scene_.known_x());
    if (!(difference <= allowed)) {
      throw wrong_result("x(" + std::to_string(run_.iterations) +
                         ") differs from the serial reference by " +
                         bench::shown_number(difference) + " in the 1-norm");
    }
    accept();
  }

  void record(row& to) const override {
    to.run = run_;
    to.serial_difference = serial_difference_;
    to.known_difference = known_difference_;
    to.device_bytes = solver_->bytes();
  }

 private:
  void accept() {
    if (scene_.x.empty()) scene_.x = x_;
  }

  scene& scene_;
  bool is_exact_;
  std::unique_ptr<solver> solver_;
  jacobi_result run_;
  std::vector<double> x_;
  std::optional<double> serial_difference_, known_difference_;
};

std::string converged(row const& r) { return r.run.verdict == outcome::converged ? "yes" : "no"; }

double per_iteration_us(row const& r, double elapsed_ms) {
  return r.run.iterations == 0 ? bench::missing_real : elapsed_ms * 1e3 / r.run.iterations;
}

}  // namespace

scene::scene(bench::program& frame, any_system system, std::string its_precision,
             limits const& asked)
    : app(frame), of(std::move(system)), precision(std::move(its_precision)), wanted(asked) {
  auto const in_a_task = static_cast<std::uint32_t>(wanted.entries_per_task);
  rules.max_iterations = static_cast<std::uint32_t>(wanted.max_iterations);
  rules.tolerance = wanted.tolerance;
  std::visit(
      [&]<typename Value>(mhive::jacobi::system<Value> const& one) {
        task_limits most;
        most.entries = in_a_task;
        auto const begin = std::chrono::steady_clock::now();
        plan = make_tasks(one.matrix, most);
        std::chrono::duration<double, std::milli> const passed =
            std::chrono::steady_clock::now() - begin;
        preprocess_ms = passed.count();
        serial_iteration<Value> first{one, in_a_task};
        rules.divergence = divergence_bound(first.step(), one.num_rows());
        name = one.name;
        rows = one.num_rows();
        entries = one.num_entries();
        bytes_floor = floor_bytes(one);
        serial_ = [iterates = std::make_shared<reference<Value>>(one, in_a_task)](
                      std::uint32_t k) -> std::vector<double> const& { return iterates->x(k); };
      },
      of);
}

std::unique_ptr<solver> scene::make(version_info const& version, std::string const& scheduler) {
  solver_options const options{app.machine(),
                               plan,
                               rules,
                               static_cast<std::uint32_t>(wanted.check_every),
                               app.common().workers,
                               app.common().timeout_s};
  return std::visit([&](auto const& one) { return make_solver(one, options, version, scheduler); },
                    of);
}

std::vector<double> const& scene::known_x() const {
  return std::visit(
      [](auto const& one) -> auto const& { return one.known; }, of);
}

double scene::epsilon() const {
  return std::visit(
      []<typename Value>(mhive::jacobi::system<Value> const&) {
        return static_cast<double>(std::numeric_limits<Value>::epsilon());
      },
      of);
}

std::vector<method> const& all_methods() {
  static auto const all = [] {
    std::vector<method> made;
    for (version_info const& version : all_versions()) {
      made.push_back({.name = version.name,
                      .what = version.what,
                      .takes = version.scheduled ? "scheduler" : "",
                      .on_host = !version.needs_cuda,
                      .traits = {&version},
                      .make = bench::makes<solver_work>});
    }
    return made;
  }();
  return all;
}

bench::schema<row> columns() {
  return {
      {"version", "", "version of the method, as in --method", &row::method},
      {"scheduler", "", "MHive's scheduler; empty: the version uses none", &row::scheduler},
      {"matrix", "", "name of the file or generator", &scene::name},
      {"rows", "1", "number of rows and columns", &scene::rows},
      {"entries", "1", "number of stored entries, including the diagonal", &scene::entries},
      {"precision", "", "float or double", &scene::precision},
      {"workers", "1", "requested number of thread blocks or host threads; 0: all that fit",
       [](scene const& s) { return s.app.common().workers; }},
      {"tasks", "1", "tasks per iteration", [](scene const& s) { return s.plan.tasks.size(); }},
      {"split_rows", "1", "number of rows that are split into several tasks",
       [](scene const& s) { return s.plan.splits.size(); }},
      {"max_iterations", "1", "largest number of iterations", &scene::wanted,
       &limits::max_iterations},
      {"tolerance", "1", "x has converged if the residual is below this number", &scene::wanted,
       &limits::tolerance},
      {"check_every", "1", "iterations between two checkpoints or two reads by the host",
       &scene::wanted, &limits::check_every},
      {"iterations", "1", "number of iterations until the returned x", &row::run,
       &jacobi_result::iterations},
      {"per_iteration_us", "us", "elapsed_ms divided by the number of iterations",
       per_iteration_us},
      {"preprocess_ms", "ms", "time to divide the rows among tasks, on the host",
       &scene::preprocess_ms},
      {"residual", "1", "1-norm of the last checked change of x", &row::run,
       &jacobi_result::residual},
      {"serial_difference", "1",
       "1-norm of the difference from the serial result; NaN: not verified",
       &row::serial_difference},
      {"known_difference", "1",
       "1-norm of the difference from the x that the right side was computed from; NaN: unknown",
       &row::known_difference},
      {"device_bytes", "bytes", "device memory that the version holds", &row::device_bytes},
      {"thesis_bytes", "bytes", "peak memory by Eq. 8.3 of the thesis",
       [](scene const& s) { return thesis_bytes(s.rows, s.entries); }},
      {"floor_bytes", "bytes", "least memory: the matrix in CSR form, the right side and x",
       &scene::bytes_floor},
      {"launches", "1", "number of kernel launches; 0: not counted", &row::run,
       &jacobi_result::launches},
      {"rounds", "1", "rounds of the controller; 0: the version has none", &row::run,
       &jacobi_result::rounds},
      {"phase_changes", "1", "number of phase changes", &row::run, &jacobi_result::phase_changes},
      {"registers", "1", "registers per thread of the largest kernel; host: 0",
       [](row const& r) { return r.run.largest; }, &kernel_facts::registers},
      {"blocks_per_multiprocessor", "1",
       "blocks of that kernel that fit on a multiprocessor at once; host: 0",
       [](row const& r) { return r.run.largest; }, &kernel_facts::blocks_per_multiprocessor},
      {"converged", "", "yes; no: the run ended at max_iterations or failed", converged},
  };
}

void show_figures(bench::harness<row>& all) {
  all.show("iterations", [](row const& r, double) { return r.run.iterations; });
  all.show("converged", [](row const& r, double) { return converged(r); });
  all.show("us/iteration", per_iteration_us);
  all.show("residual", [](row const& r, double) { return r.run.residual; });
}

}  // namespace gridloom::mhive::jacobi
