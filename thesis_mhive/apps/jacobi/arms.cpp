#include "arms.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "device_system.hpp"
#include "gridloom/bench/text_table.hpp"
#include "gridloom/error.hpp"

namespace gridloom::mhive::jacobi {
namespace {

double distance(std::vector<double> const& a, std::vector<double> const& b) {
  if (a.size() != b.size()) return bench::missing_real;
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

}  // namespace

template <typename Value>
std::vector<double> const& reference<Value>::x(std::uint32_t iteration) {
  auto const [at, is_new] = known_.try_emplace(iteration);
  if (!is_new) return at->second;
  if (serial_->iteration() > iteration) serial_.emplace(of_, entries_);
  while (serial_->iteration() < iteration) serial_->step();
  at->second.assign(serial_->x().begin(), serial_->x().end());
  return at->second;
}

/// A version under a scheduler.
template <typename Value>
class solver_work final : public bench::work<row> {
 public:
  solver_work(system_scene<Value>& scene, version_info const& version, std::string const& scheduler)
      : scene_(scene),
        version_(version),
        solver_(make_solver(scene.of_,
                            {scene.app_.machine(), scene.plan_, scene.rules_,
                             static_cast<std::uint32_t>(scene.wanted_.check_every),
                             scene.app_.common().workers, scene.app_.common().timeout_s},
                            version.name, scheduler)) {}

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
    if (!scene_.app_.common().verify) accept();
  }

  void verify() override {
    std::vector<double> const& serial = scene_.serial_.x(run_.iterations);
    double size = 0;
    for (double const x : serial) size += std::abs(x);
    // Sums in another order differ in the last digits, which the iteration does not blow up.
    double const rounding = 64.0 * std::numeric_limits<Value>::epsilon() * size;
    double const allowed = version_.exact ? 0.0 : rounding;
    serial_difference_ = distance(x_, serial);
    if (!scene_.of_.known.empty()) known_difference_ = distance(x_, scene_.of_.known);
    if (!(serial_difference_ <= allowed)) {
      throw wrong_result("x(" + std::to_string(run_.iterations) +
                         ") differs from the serial reference by " +
                         bench::shown_number(serial_difference_) + " in the 1-norm");
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
    if (scene_.x_.empty()) scene_.x_ = x_;
  }

  system_scene<Value>& scene_;
  version_info const& version_;
  std::unique_ptr<solver> solver_;
  jacobi_result run_;
  std::vector<double> x_;
  double serial_difference_ = bench::missing_real;
  double known_difference_ = bench::missing_real;
};

template <typename Value>
system_scene<Value>::system_scene(bench::program& app, system<Value> const& of,
                                  request const& wanted)
    : app_(app),
      of_(of),
      wanted_(wanted),
      serial_(of, static_cast<std::uint32_t>(wanted.entries_per_task)) {
  task_limits limits;
  limits.entries = static_cast<std::uint32_t>(wanted.entries_per_task);
  auto const begin = std::chrono::steady_clock::now();
  plan_ = make_tasks(of.matrix, limits);
  std::chrono::duration<double, std::milli> const preprocessing =
      std::chrono::steady_clock::now() - begin;
  rules_.max_iterations = static_cast<std::uint32_t>(wanted.max_iterations);
  rules_.tolerance = wanted.tolerance;
  serial_iteration<Value> first{of, limits.entries};
  rules_.divergence = divergence_bound(first.step(), of.num_rows());

  facts_.matrix = of.name;
  facts_.rows = of.num_rows();
  facts_.entries = of.num_entries();
  facts_.precision = wanted.precision;
  facts_.workers = app.common().workers;
  facts_.tasks = plan_.tasks.size();
  facts_.split_rows = plan_.splits.size();
  facts_.max_iterations = wanted.max_iterations;
  facts_.tolerance = wanted.tolerance;
  facts_.check_every = wanted.check_every;
  facts_.preprocess_ms = preprocessing.count();
  facts_.floor_bytes = floor_bytes(of);
}

template <typename Value>
std::vector<bench::arm<row>> system_scene<Value>::arms() {
  auto const& schedulers = wanted_.schedulers.empty() ? all_schedulers() : wanted_.schedulers;
  auto const& methods = wanted_.methods;
  std::vector<bench::arm<row>> made;
  for (version_info const& version : all_versions()) {
    std::string const name{version.name};
    bool const asked = std::find(methods.begin(), methods.end(), name) != methods.end();
    if (!methods.empty() && !asked) continue;
    if (version.needs_cuda && app_.machine().is_host()) {
      if (!asked) continue;
      throw usage_error("--method: expected one that the host has, got \"" + name + "\"");
    }
    if (!version.scheduled) {
      add(made, version, "none");
      continue;
    }
    for (std::string const& scheduler : schedulers) add(made, version, scheduler);
  }
  return made;
}

template <typename Value>
void system_scene<Value>::add(std::vector<bench::arm<row>>& arms, version_info const& version,
                              std::string const& scheduler) {
  row facts = facts_;
  facts.version = version.name;
  facts.scheduler = scheduler;
  arms.push_back({facts.version + ", " + scheduler, facts, [this, &version, scheduler] {
                    return std::make_unique<solver_work<Value>>(*this, version, scheduler);
                  }});
}

template class system_scene<float>;
template class system_scene<double>;

}  // namespace gridloom::mhive::jacobi
