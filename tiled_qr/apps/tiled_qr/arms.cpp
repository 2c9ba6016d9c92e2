#include "arms.hpp"

#include <algorithm>
#include <optional>

#include "check/householder.hpp"
#include "check/lapack.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "input_of.hpp"
#include "panel_work.hpp"
#include "tiled_qr/apply_q.hpp"
#include "tiled_qr/task.hpp"

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
    {{"gram_panels", "beyond: resident teams, reflectors of 32 columns from their Gram matrix"},
     {}},
    {{"blocked_panels",
      "beyond: the same reflectors by passes over the rows, and products of cuBLAS"},
     {}},
    {{"cusolver", "rival: cuSOLVER's geqrf, on the device"}, {}},
    {{"lapack", "rival: LAPACKE geqrf of OpenBLAS, one thread", true}, {}},
    {{"lapack_all", "rival: the same with all threads", true}, {}},
    {{"householder", "rival: Algorithm 1 of the report, on the whole matrix, one thread", true},
     {}},
};

/// A scheduler of the report.
template <class T>
class tiled_work final : public bench::work<row> {
 public:
  tiled_work(input_of<T> const& of, factorization_settings const& settings)
      : of_(of),
        settings_(settings),
        cut_(make_tiling(of.rows, of.cols, of.wanted.tile)),
        matrix_(of.app.machine(), cut_),
        qr_(of.app.machine(), cut_, settings) {}

  void copy_in() override { matrix_.load(of_.values); }
  void run() override {
    qr_.reset();  // what a rival does inside its call
    qr_.run(matrix_.ref());
  }
  void copy_out() override { factors_ = matrix_.fetch(); }
  void check() override { qr_.require_done(); }
  void verify() override {
    auto const q = form_q(of_.app.machine(), matrix_.ref(), of_.vectors(),
                          {settings_.blocks, settings_.threads});
    of_.judge(q, upper_triangle<T>(cut_, factors_), found_.emplace());
  }
  bool observe() override {
    std::uint64_t const tasks = count_tasks(cut_);
    constexpr std::uint64_t most_events = 1U << 22U;
    trace_ref const events = of_.app.arm_trace(
        qr_.observers(), static_cast<std::uint32_t>(std::min(tasks, most_events)));
    copy_in();
    qr_.reset();
    qr_.run(matrix_.ref(), events);
    of_.app.machine().synchronize();
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
    record_residuals(found_, to);
  }

 private:
  input_of<T> const& of_;
  factorization_settings settings_;
  tiling cut_;
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
      if (what.name == "blocked_panels") {
        panels::block_settings const settings{.blocks = input_.app.common().workers};
        row facts = facts_of_whole(what);
        facts.tile = panels::panel_width;
        made.push_back({name, facts, [this, settings] {
                          return std::make_unique<blocked_work<T>>(input_, settings);
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
      for (std::string const& order : input_.wanted.priorities) {
        factorization_settings const settings = settings_of(what, order);
        std::string const label = input_.wanted.priorities.size() > 1 ? name + " " + order : name;
        made.push_back({label, facts_of(what, settings), [this, settings] {
                          return std::make_unique<tiled_work<T>>(input_, settings);
                        }});
      }
    }
    return made;
  }

 private:
  factorization_settings settings_of(entry const& what, std::string const& order) {
    // The report's blocks have 32 threads, one a column of a tile.
    launch_shape const shape = input_.app.shape(32);
    factorization_settings settings;
    settings.how = *what.how;
    settings.order = order == priority_names[0] ? priority::factorisations_first : priority::fifo;
    settings.double_weight = input_.wanted.weight;
    settings.queue_slots = static_cast<std::uint32_t>(input_.wanted.queue_slots);
    settings.blocks = what.how == scheduling::serial ? 1 : shape.blocks;
    settings.threads = shape.threads;
    settings.timeout_s = input_.app.common().timeout_s;
    return settings;
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
    facts.priority = priority_names[static_cast<int>(settings.order)];
    if (settings.how == scheduling::two_kernels || settings.how == scheduling::joined)
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
