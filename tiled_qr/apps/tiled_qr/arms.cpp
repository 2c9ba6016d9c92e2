#include "arms.hpp"

#include <algorithm>
#include <optional>

#include "check/householder.hpp"
#include "check/lapack.hpp"
#include "configurations.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "input_of.hpp"
#include "panel_work.hpp"
#include "tiled_qr/apply_q.hpp"
#include "tiled_qr/task.hpp"
#include "weight.hpp"

namespace gridloom::tiled_qr {

namespace {

struct entry : method {
  /// Tiled, and by whom scheduled; empty for methods that take the matrix as a whole.
  std::optional<scheduling> how;
};

constexpr entry entries[] = {
    {{"fr1", "report, FR1: one worker goes through the task grid"}, scheduling::serial},
    {{"fr2", "report, FR2: workers share the task grid under a lock"}, scheduling::shared},
    {{"fr3", "report, FR3: a scheduling kernel beside an execution kernel"},
     scheduling::two_kernels},
    {{"fr3_joined", "FR3 in one launch, whose first block is the scheduler"}, scheduling::joined},
    {{"in_block", "beyond: a warp of each block schedules for it, without a lock"},
     scheduling::in_block},
    {{"static_lists", "beyond: a list a block, computed on the host before the runs"},
     scheduling::static_lists},
    {{"ticket", "beyond: one list for all, tickets to its places"}, scheduling::ticket},
    {{"launches", "rival: a launch a step of independent tasks"}, scheduling::launches},
    {{"graph", "rival: the same as a CUDA graph, a node a step"}, scheduling::graph},
    {{"graph_pdl", "rival: the same with programmatic dependent launch"}, scheduling::graph_pdl},
    {{"omp_tasks", "rival of fr2: OpenMP's tasks, on the host only"}, scheduling::omp_tasks},
    {{"gram_panels", "beyond: resident teams, reflectors of 32 columns from their Gram matrix"},
     {}},
    {{"cusolver", "rival: cuSOLVER's geqrf, on the device"}, {}},
    {{"lapack", "rival: LAPACKE geqrf of OpenBLAS, one thread", true}, {}},
    {{"lapack_all", "rival: the same with all threads", true}, {}},
    {{"householder", "rival: Algorithm 1 of the report, on the whole matrix, one thread", true},
     {}},
};

/// The program's machine, or the host for what only runs there.
device& machine_for(bench::program& app, scheduling how) {
  if (how != scheduling::omp_tasks || app.machine().is_host()) return app.machine();
  static device host("host", 0);
  return host;
}

/// A scheduler of tasks on tiles.
template <class T>
class tiled_work final : public bench::work<row> {
 public:
  tiled_work(input_of<T> const& of, factorization_settings const& settings)
      : of_(of),
        machine_(machine_for(of.app, settings.how)),
        cut_(make_tiling(of.rows, of.cols, of.wanted.tile)),
        settings_(weighted(settings)),
        matrix_(machine_, cut_),
        qr_(machine_, cut_, settings_) {
    qr_.prepare(matrix_.ref());
  }

  void copy_in() override { matrix_.load(of_.values); }
  void run() override {
    qr_.reset();  // what a rival does inside its call
    qr_.run(matrix_.ref());
  }
  void copy_out() override { factors_ = matrix_.fetch(); }
  void check() override { qr_.require_done(); }
  void verify() override {
    auto const q =
        form_q(machine_, matrix_.ref(), of_.vectors(), {settings_.blocks, settings_.threads});
    of_.judge(q, upper_triangle<T>(cut_, factors_), found_.emplace());
  }
  bool observe() override {
    if (&machine_ != &of_.app.machine()) return false;
    std::uint64_t const tasks = count_tasks(cut_);
    // A worker may execute all tasks, but hardly does where there are many.
    std::uint64_t const most_events =
        (std::uint64_t{1} << 24U) / static_cast<unsigned>(qr_.observers());
    trace_ref const events = of_.app.arm_trace(
        qr_.observers(), static_cast<std::uint32_t>(std::min(tasks, most_events)));
    copy_in();
    qr_.reset();
    qr_.run(matrix_.ref(), events);
    machine_.synchronize();
    return true;
  }
  void record(row& to) const override {
    to.finished = static_cast<std::int64_t>(const_cast<tiled_work*>(this)->qr_.finished());
    to.matrix_bytes = static_cast<std::int64_t>(of_.values.size() * sizeof(T));
    to.extra_bytes = static_cast<std::int64_t>(matrix_.bytes() + qr_.bytes()) - to.matrix_bytes;
    if (kernel_facts const facts = qr_.facts(); facts.registers != 0) {
      to.registers = facts.registers;
      to.shared_bytes = facts.shared_bytes;
      to.blocks_per_multiprocessor = facts.blocks_per_multiprocessor;
    }
    if (times_.single_us == times_.single_us) to.weight = settings_.double_weight;
    to.single_us = times_.single_us;
    to.double_us = times_.double_us;
    record_residuals(found_, to);
  }

 private:
  factorization_settings weighted(factorization_settings settings) {
    if (settings.double_weight == measured_weight) {
      times_ = measure_tasks(of_, cut_, settings);
      settings.double_weight = times_.weight();
    }
    return settings;
  }

  input_of<T> const& of_;
  device& machine_;
  task_times times_;
  tiling cut_;
  factorization_settings settings_;
  device_matrix<T> matrix_;
  factorization<T> qr_;
  std::vector<T> factors_;
  std::optional<residuals> found_;
};

/// A method of the host that takes the whole matrix.
template <class T>
class host_work final : public bench::work<row> {
 public:
  host_work(input_of<T> const& of, std::string_view name) : of_(of), name_(name) {}

  void prepare() override { set_lapack_threads(name_ == "lapack_all" ? 0 : 1); }
  void copy_in() override {
    factors_ = of_.values;
    taus_.resize(static_cast<std::size_t>(of_.vectors()));
  }
  void run() override {
    if (name_ == "householder") {
      householder_qr(of_.rows, of_.cols, factors_.data());
    } else {
      lapack_geqrf(of_.rows, of_.cols, factors_.data(), taus_.data());
    }
  }
  void verify() override {
    auto const r = upper_triangle<T>({of_.rows, of_.cols, 1}, factors_);
    std::vector<T> q;
    if (name_ == "householder") {
      q = householder_q(of_.rows, of_.cols, factors_.data());
    } else {
      q = factors_;
      lapack_orgqr(of_.rows, of_.cols, q.data(), taus_.data());
      q.resize(static_cast<std::size_t>(of_.rows * of_.vectors()));
    }
    of_.judge(q, r, found_.emplace());
  }
  void record(row& to) const override {
    to.matrix_bytes = static_cast<std::int64_t>(of_.values.size() * sizeof(T));
    record_residuals(found_, to);
  }

 private:
  input_of<T> const& of_;
  std::string_view name_;
  std::vector<T> factors_;
  std::vector<T> taus_;
  std::optional<residuals> found_;
};

template <class T>
class scene_of final : public scene {
 public:
  scene_of(bench::program& app, request const& wanted, std::string name, std::int64_t rows,
           std::int64_t cols, std::vector<T> values)
      : input_{app, wanted, rows, cols, std::move(values)}, name_(std::move(name)) {}

  std::vector<bench::arm<row>> arms() override {
    std::vector<bench::arm<row>> made;
    for (std::string const& name : input_.wanted.methods) {
      entry const& what = bench::named<entry>(entries, name, "--method");
      if (what.name == "gram_panels") {
        panels::panel_settings const settings = panel_settings_of();
        made.push_back({name, facts_of_panels(what, settings), [this, settings] {
                          return std::make_unique<panel_work<T>>(input_, settings);
                        }});
        continue;
      }
      if (what.name == "cusolver") {
        made.push_back({name, facts_of_whole(what),
                        [this] { return std::make_unique<cusolver_work<T>>(input_); }});
        continue;
      }
      if (!what.how) {
        made.push_back({name, facts_of(what, {}), [this, &what] {
                          return std::make_unique<host_work<T>>(input_, what.name);
                        }});
        made.back().on_host = true;
        continue;
      }
      for (auto const& [arm, settings] : configurations_for(what)) {
        made.push_back({arm, facts_of(what, settings), [this, settings = settings] {
                          return std::make_unique<tiled_work<T>>(input_, settings);
                        }});
        made.back().on_host = what.how == scheduling::omp_tasks;
      }
    }
    return made;
  }

 private:
  std::vector<configuration> configurations_for(entry const& what) {
    auto const& common = input_.app.common();
    // The report's blocks have 32 threads, one a column of a tile.
    launch_shape shape = input_.app.shape(32);
    request wanted = input_.wanted;
    if (device const& machine = machine_for(input_.app, *what.how);
        &machine != &input_.app.machine()) {
      shape = {common.workers != 0 ? common.workers : machine.properties().multiprocessors, 1};
      wanted.blocks.clear();  // they are blocks of the other machine
    }
    return configurations_of(wanted, common.timeout_s, what.name, *what.how, shape);
  }
  panels::panel_settings panel_settings_of() {
    auto const& common = input_.app.common();
    return {.blocks = common.workers,
            .threads = common.threads == 0 ? 256 : common.threads,
            .timeout_s = common.timeout_s};
  }
  row facts_of_whole(entry const& what) {
    row facts;
    facts.method = what.name;
    facts.input = name_;
    facts.precision = sizeof(T) == sizeof(double) ? "double" : "float";
    facts.rows = input_.rows;
    facts.cols = input_.cols;
    return facts;
  }
  row facts_of_panels(entry const& what, panels::panel_settings const& settings) {
    row facts = facts_of_whole(what);
    facts.tile = panels::panel_width;
    facts.threads = input_.app.machine().is_host() ? 1 : settings.threads;
    return facts;
  }
  row facts_of(entry const& what, factorization_settings const& settings) {
    row facts = facts_of_whole(what);
    if (!what.how) {
      facts.blocks = what.name == "lapack_all" ? set_lapack_threads(0) : 1;
      return facts;
    }
    tiling const cut = make_tiling(input_.rows, input_.cols, input_.wanted.tile);
    facts.tile = cut.tile;
    facts.tasks = static_cast<std::int64_t>(count_tasks(cut));
    facts.blocks = settings.blocks;
    facts.threads = settings.threads;
    if (has_priority(settings.how))
      facts.priority = priority_names[static_cast<int>(settings.order)];
    if (has_weight(settings.how, settings.order) && settings.double_weight != measured_weight)
      facts.weight = settings.double_weight;
    return facts;
  }

  input_of<T> input_;
  std::string name_;
};

}  // namespace

std::span<method const> methods() {
  static std::vector<method> const all(std::begin(entries), std::end(entries));
  return all;
}

bool leaves_trace(std::string const& method) {
  return bench::named<entry>(entries, method, "--method").how.has_value();
}

template <class T>
std::unique_ptr<scene> make_scene(bench::program& app, request const& wanted,
                                  std::string const& input, std::int64_t rows, std::int64_t cols,
                                  std::vector<T> values) {
  return std::make_unique<scene_of<T>>(app, wanted, input, rows, cols, std::move(values));
}

template std::unique_ptr<scene> make_scene<float>(bench::program&, request const&,
                                                  std::string const&, std::int64_t, std::int64_t,
                                                  std::vector<float>);
template std::unique_ptr<scene> make_scene<double>(bench::program&, request const&,
                                                   std::string const&, std::int64_t, std::int64_t,
                                                   std::vector<double>);

}  // namespace gridloom::tiled_qr
