#pragma once
// Methods with tasks on tiles, under any scheduler.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "apps/tiled_qr/input_of.hpp"
#include "apps/tiled_qr/qr_work.hpp"
#include "apps/tiled_qr/tables.hpp"
#include "gridloom/bench/statistics.hpp"
#include "inputs/host_vector.hpp"
#include "rivals/schedulers.hpp"
#include "tiled_qr/apply_q.hpp"
#include "tiled_qr/factorization.hpp"
#include "tiled_qr/task.hpp"

namespace gridloom::tiled_qr {

// The measured weight of double tasks (report, II.D, point 4). It is the time of a task on two
// tiles divided by that of a task on one tile. Both are measured in a run of the method itself.

/// Mean times of tasks in microseconds; missing where none was measured.
struct task_times {
  double single_us = bench::missing_real;
  double double_us = bench::missing_real;

  /// The weight, limited to the range that schedulers accept.
  [[nodiscard]] double weight() const { return std::clamp(double_us / single_us, 1.0, 100.0); }
};

/// Measures the first tasks of each worker in the trace of one run. Uses the median of each
/// operation, which ignores interruptions of the host. If there is a single row of tiles, no task
/// is double, and the weight is 2.
template <class T>
task_times measure_tasks(input_of<T> const& of, tiling const& cut,
                         factorization_settings settings) {
  constexpr std::uint32_t most_events = 1U << 12U;
  settings.double_weight = 2;
  device& machine = of.app.machine();
  device_matrix<T> matrix(machine, cut);
  matrix.load(of.matrix(0));
  factorization<T> qr(machine, cut, settings);
  trace_buffer events(machine, qr.observers(), most_events);
  trace_ref const trace = events.arm();
  qr.reset();
  qr.run(matrix.ref(), trace);
  qr.require_done();
  std::vector<double> us[std::size(task_type_names)];
  for (traced_task const& one : events.events())
    us[one.event.type].push_back(static_cast<double>(one.event.end_ns - one.event.begin_ns) * 1e-3);
  auto const mean = [&](task_type first, task_type second) {
    auto const& a = us[static_cast<int>(first)];
    auto const& b = us[static_cast<int>(second)];
    auto const sum_us = [](std::vector<double> const& all) {
      return all.empty() ? 0 : median(all) * static_cast<double>(all.size());
    };
    return (sum_us(a) + sum_us(b)) / static_cast<double>(a.size() + b.size());
  };
  double const single_us = mean(task_type::dgeqt2, task_type::dlarfb);
  double const double_us = mean(task_type::dtsqt2, task_type::dssrfb);
  return {single_us, cut.p() == 1 ? 2 * single_us : double_us};
}

/// Returns the program's machine, or the host for OpenMP tasks.
inline device& machine_for(bench::program& app, scheduling how) {
  bool const here = how != by::omp_tasks || app.machine().is_host();
  return here ? app.machine() : bench::host_machine();
}

/// Tasks on tiles under one scheduler. The matrices of a batch run one after the other.
template <class T>
class tiled_work final : public qr_work<T> {
 public:
  tiled_work(input_of<T> const& of, factorization_settings const& settings)
      : qr_work<T>(of),
        machine_(machine_for(of.app, settings.how)),
        cut_(make_tiling(of.rows, of.cols, of.wanted.tile)),
        settings_(weighted(settings)),
        q_(machine_.template allocate<T>(of.wanted.form_q ? this->batch() * of.q_size() : 0)) {
    for (std::int64_t number = 0; number < of.batch; ++number) {
      matrices_.push_back(std::make_unique<device_matrix<T>>(machine_, cut_));
      qrs_.push_back(std::make_unique<factorization<T>>(machine_, cut_, settings_));
      qrs_.back()->prepare(matrices_.back()->ref());
    }
  }

  void copy_in() override {
    for (std::size_t at = 0; at < matrices_.size(); ++at)
      matrices_[at]->load(this->of_.matrix(static_cast<std::int64_t>(at)));
  }
  void run() override {
    for (std::size_t at = 0; at < qrs_.size(); ++at) {
      // Counted as part of the run, because rivals do the same inside their call.
      qrs_[at]->reset();
      qrs_[at]->run(matrices_[at]->ref());
      if (this->forms_q())
        form_q(machine_, matrices_[at]->ref(), this->of_.vectors(),
               q_.data() + at * this->of_.q_size(), shape());
    }
  }
  void copy_out() override {
    factors_.clear();
    for (auto const& one : matrices_) factors_.push_back(one->fetch());
    if (this->forms_q()) fetch(machine_, q_, qs_);
  }
  void check() override {
    for (auto const& one : qrs_) one->require_done();
  }
  bool observe() override {
    if (&machine_ != &this->of_.app.machine()) return false;
    std::uint64_t const tasks = count_tasks(cut_);
    auto& qr = *qrs_.front();
    // A worker rarely executes many more tasks than the others, so large graphs get less room per
    // worker than there are tasks.
    std::uint64_t const most_events =
        (std::uint64_t{1} << 24U) / static_cast<unsigned>(qr.observers());
    trace_ref const events = this->of_.app.arm_trace(
        qr.observers(), static_cast<std::uint32_t>(std::min(tasks, most_events)), graph_of(cut_));
    copy_in();
    qr.reset();
    qr.run(matrices_.front()->ref(), events);
    machine_.synchronize();
    return true;
  }
  void record(row& to) const override {
    qr_work<T>::record(to);
    to.executed = 0;
    to.extra_bytes = -to.matrix_bytes;
    for (std::size_t at = 0; at < qrs_.size(); ++at) {
      to.executed += static_cast<std::int64_t>(qrs_[at]->finished());
      to.extra_bytes += static_cast<std::int64_t>(matrices_[at]->bytes() + qrs_[at]->bytes());
    }
    to.formed_bytes = static_cast<std::int64_t>(q_.bytes());
    to.kernel = qrs_.front()->facts();
    if (times_.single_us == times_.single_us) to.measured_weight_of_run = settings_.double_weight;
    to.single_us = times_.single_us;
    to.double_us = times_.double_us;
  }

 private:
  factorization_settings weighted(factorization_settings settings) {
    if (settings.double_weight == measured_weight) {
      times_ = measure_tasks(this->of_, cut_, settings);
      settings.double_weight = times_.weight();
    }
    return settings;
  }
  [[nodiscard]] launch_shape shape() const { return {settings_.blocks, settings_.threads}; }

  found_factors<T> result_of(std::int64_t number) override {
    auto const at = static_cast<std::size_t>(number);
    auto const& of = this->of_;
    if (this->forms_q())
      return this->q_found(part_of(qs_, of.q_size(), number), factors_[at], of.rows);
    // Only the operations on tiles can apply vectors that are stored by tiles.
    auto const apply = [this, at](bool transposed, T* c, std::int64_t columns) {
      auto const size = static_cast<std::size_t>(this->of_.rows * columns);
      buffer<T> const on = machine_.template allocate<T>(size);
      machine_.copy_to_device(on, std::span<T const>(c, size));
      apply_q(machine_, matrices_[at]->ref(), transposed ? side::q_transposed : side::q, on.data(),
              this->of_.rows, columns, shape());
      machine_.copy_to_host(std::span<T>(c, size), static_cast<T const*>(on.data()));
    };
    return {{factors_[at], of.rows, apply}, [this, at] {
              return form_q(machine_, matrices_[at]->ref(), this->of_.vectors(), shape());
            }};
  }

  device& machine_;
  task_times times_;
  tiling cut_;
  factorization_settings settings_;
  std::vector<std::unique_ptr<device_matrix<T>>> matrices_;
  std::vector<std::unique_ptr<factorization<T>>> qrs_;
  buffer<T> q_;
  std::vector<std::vector<T>> factors_;
  host_vector<T> qs_;
};

}  // namespace gridloom::tiled_qr
