#include "arms.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <tuple>

#include "cholesky_work.hpp"
#include "configurations.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "host_work.hpp"
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
    {{"blocked_panels",
      "beyond: the same reflectors by passes over the rows, and products of cuBLAS"},
     {}},
    {{"cholesky_panels",
      "beyond: CholeskyQR in as many steps as it takes, and its Q's reflectors; up to 256 columns"},
     {}},
    {{"cusolver", "rival: cuSOLVER's geqrf, on the device, a call a matrix"}, {}},
    {{"cusolver_streams", "rival: the same in several streams at once (--streams)"}, {}},
    {{"cublas_batched", "rival: cuBLAS's geqrfBatched"}, {}},
    {{"cholesky_qr2",
      "rival: CholeskyQR2 by cuBLAS and cuSOLVER, on the host by OpenBLAS; with --form-q", false,
      true},
     {}},
    {{"cholesky_qr2_mma", "rival: the same with tall products of our own, for up to 256 columns",
      false, true},
     {}},
    {{"lapack", "rival: LAPACKE geqrf of OpenBLAS, one thread", true}, {}},
    {{"lapack_all", "rival: the same with all threads, a matrix each where there are enough", true},
     {}},
    {{"householder", "rival: Algorithm 1 of the report, on the whole matrix, one thread", true},
     {}},
};

std::optional<library_method> library_method_of(std::string_view name) {
  if (name == "cusolver") return library_method::cusolver;
  if (name == "cusolver_streams") return library_method::cusolver_streams;
  if (name == "cublas_batched") return library_method::cublas_batched;
  return {};
}

/// What the runtime of OpenMP read when the program was started; it tells nobody.
std::string omp_wait_policy() {
  char const* const policy = std::getenv("OMP_WAIT_POLICY");
  return policy == nullptr || *policy == '\0' ? "default" : policy;
}

/// The program's machine, or the host for what only runs there.
device& machine_for(bench::program& app, scheduling how) {
  if (how != scheduling::omp_tasks || app.machine().is_host()) return app.machine();
  static device host("host", 0);
  return host;
}

/// A scheduler of tasks on tiles; the matrices of a batch one after the other.
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
      qrs_[at]->reset();  // what a rival does inside its call
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
    // A worker may execute all tasks, but hardly does where there are many.
    std::uint64_t const most_events =
        (std::uint64_t{1} << 24U) / static_cast<unsigned>(qr.observers());
    trace_ref const events = this->of_.app.arm_trace(
        qr.observers(), static_cast<std::uint32_t>(std::min(tasks, most_events)));
    copy_in();
    qr.reset();
    qr.run(matrices_.front()->ref(), events);
    machine_.synchronize();
    return true;
  }
  void record(row& to) const override {
    qr_work<T>::record(to);
    to.finished = 0;
    to.extra_bytes = -to.matrix_bytes;
    for (std::size_t at = 0; at < qrs_.size(); ++at) {
      to.finished += static_cast<std::int64_t>(qrs_[at]->finished());
      to.extra_bytes += static_cast<std::int64_t>(matrices_[at]->bytes() + qrs_[at]->bytes());
    }
    to.formed_bytes = static_cast<std::int64_t>(q_.bytes());
    if (kernel_facts const facts = qrs_.front()->facts(); facts.registers != 0) {
      to.registers = facts.registers;
      to.shared_bytes = facts.shared_bytes;
      to.blocks_per_multiprocessor = facts.blocks_per_multiprocessor;
    }
    if (times_.single_us == times_.single_us) to.weight = settings_.double_weight;
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

  q_and_r<T> result_of(std::int64_t number) override {
    auto const at = static_cast<std::size_t>(number);
    auto r = upper_triangle<T>(cut_, factors_[at]);
    if (!this->forms_q())
      return {form_q(machine_, matrices_[at]->ref(), this->of_.vectors(), shape()), std::move(r)};
    auto const q = part_of(qs_, this->of_.q_size(), number);
    return {{q.begin(), q.end()}, std::move(r)};
  }
  factors_view<T> view_of(std::int64_t number) override {
    auto const at = static_cast<std::size_t>(number);
    auto const& of = this->of_;
    if (this->forms_q())
      return this->view_of_explicit(part_of(qs_, of.q_size(), number), factors_[at], of.rows);
    // Tiles have vectors of their own form, which only their own operations apply.
    return {factors_[at], of.rows, [this, at](bool transposed, T* c, std::int64_t columns) {
              auto const size = static_cast<std::size_t>(this->of_.rows * columns);
              buffer<T> const on = machine_.template allocate<T>(size);
              machine_.copy_to_device(on, std::span<T const>(c, size));
              apply_q(machine_, matrices_[at]->ref(), transposed ? side::q_transposed : side::q,
                      on.data(), this->of_.rows, columns, shape());
              machine_.copy_to_host(std::span<T>(c, size), static_cast<T const*>(on.data()));
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

template <class T>
class scene_of final : public scene {
 public:
  scene_of(bench::program& app, request const& wanted, subject const& what, input_values<T> values)
      : input_{app,
               wanted,
               what.rows,
               what.cols,
               what.batch,
               std::move(values.all),
               std::move(values.largest)},
        what_(what) {}

  std::vector<bench::arm<row>> arms() override {
    std::vector<bench::arm<row>> made;
    request const& wanted = input_.wanted;
    for (std::string const& name : wanted.methods) {
      entry const& what = bench::named<entry>(entries, name, "--method");
      if (is_of_panels(what.name)) {
        made.push_back({name, facts_of_panels(what), [this, &what] {
                          return std::make_unique<panel_work<T>>(input_, make_panels(what.name),
                                                                 former_settings_of());
                        }});
        continue;
      }
      if (auto const how = library_method_of(name)) {
        bool const in_streams = how == library_method::cusolver_streams;
        std::vector<int> const counts = in_streams ? stream_counts() : std::vector<int>{1};
        for (int const streams : counts) {
          row facts = facts_of_whole(what);
          facts.blocks = streams;
          std::string const arm =
              counts.size() > 1 ? name + " by " + std::to_string(streams) : name;
          made.push_back({arm, facts, [this, how, streams] {
                            return std::make_unique<library_work<T>>(input_, *how, streams);
                          }});
        }
        continue;
      }
      if (name.starts_with("cholesky_qr2")) {
        auto const who = name == "cholesky_qr2" ? product_maker::library : product_maker::own;
        made.push_back({name, facts_of_whole(what),
                        [this, who] { return std::make_unique<cholesky_work<T>>(input_, who); }});
        made.back().as_it_is = what.as_it_is;
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
  /// Of those asked for, as far as the batch has matrices for them; none twice.
  std::vector<int> stream_counts() {
    std::set<int> counts;
    for (std::int64_t const streams : input_.wanted.streams)
      counts.insert(static_cast<int>(std::min(input_.batch, streams)));
    return {counts.begin(), counts.end()};
  }
  int panel_threads() {
    int const asked = input_.app.common().threads;
    return input_.app.machine().is_host() ? 1 : asked == 0 ? 256 : asked;
  }
  std::unique_ptr<panel_batch<T>> make_panels(std::string_view method) {
    auto const& common = input_.app.common();
    device& machine = input_.app.machine();
    auto const [rows, cols, batch] = std::tuple(input_.rows, input_.cols, input_.batch);
    if (method == "blocked_panels")
      return std::make_unique<batch_of<T, panels::blocked_panels<T>>>(
          machine, rows, cols, batch, panels::block_settings{.blocks = common.workers});
    if (method == "cholesky_panels")
      return std::make_unique<batch_of<T, cholesky_panels<T>>>(
          machine, rows, cols, batch, tall_settings{.blocks = common.workers});
    return std::make_unique<resident_batch<T>>(machine, rows, cols, batch,
                                               panels::panel_settings{.blocks = common.workers,
                                                                      .threads = panel_threads(),
                                                                      .timeout_s = common.timeout_s,
                                                                      .batch = batch});
  }
  panels::former_settings former_settings_of() {
    return {.blocks = input_.app.machine().is_host() ? input_.app.common().workers : 0,
            .threads = panel_threads(),
            .tall_from = input_.wanted.tall_from};
  }
  row facts_of_whole(entry const& what) {
    row facts;
    facts.method = what.name;
    facts.input = what_.name;
    facts.condition = what_.condition;
    facts.batch = input_.batch;
    facts.q = input_.wanted.form_q ? "formed" : "implicit";
    facts.precision = sizeof(T) == sizeof(double) ? "double" : "float";
    facts.rows = input_.rows;
    facts.cols = input_.cols;
    return facts;
  }
  row facts_of_panels(entry const& what) {
    row facts = facts_of_whole(what);
    facts.tile = panels::panel_width;
    facts.threads = panel_threads();
    return facts;
  }
  row facts_of(entry const& what, factorization_settings const& settings) {
    row facts = facts_of_whole(what);
    if (!what.how) {
      facts.blocks = what.name == "lapack_all" ? set_lapack_threads(0) : 1;
      if (what.name.starts_with("lapack")) facts.blas_core = blas_core();
      return facts;
    }
    tiling const cut = make_tiling(input_.rows, input_.cols, input_.wanted.tile);
    facts.tile = cut.tile;
    facts.tasks = static_cast<std::int64_t>(count_tasks(cut)) * input_.batch;
    facts.blocks = settings.blocks;
    facts.threads = settings.threads;
    if (settings.how == scheduling::omp_tasks) facts.omp_wait = omp_wait_policy();
    if (has_priority(settings.how))
      facts.priority = priority_names[static_cast<int>(settings.order)];
    if (has_weight(settings.how, settings.order) && settings.double_weight != measured_weight)
      facts.weight = settings.double_weight;
    return facts;
  }

  input_of<T> input_;
  subject what_;
};

}  // namespace

std::span<method const> methods() {
  static std::vector<method> const all(std::begin(entries), std::end(entries));
  return all;
}

bool is_of_panels(std::string_view method) {
  return method == "gram_panels" || method == "blocked_panels" || method == "cholesky_panels";
}

std::optional<scheduling> scheduling_of(std::string const& method) {
  return bench::named<entry>(entries, method, "--method").how;
}

double bytes_of_methods(request const& wanted, subject const& what, std::size_t element,
                        bool on_host) {
  auto const least = static_cast<double>(std::min(what.rows, what.cols));
  double const matrix = static_cast<double>(what.rows) * static_cast<double>(what.cols);
  double const q = wanted.form_q ? static_cast<double>(what.rows) * least : 0;
  double elements = on_host ? matrix : 0;  // the input itself
  for (std::string const& name : wanted.methods) {
    bool const of_host = bench::named<entry>(entries, name, "--method").on_host;
    if (on_host || !of_host) elements += matrix + q;
  }
  return elements * static_cast<double>(what.batch) * static_cast<double>(element);
}

template <class T>
std::unique_ptr<scene> make_scene(bench::program& app, request const& wanted, subject const& what,
                                  input_values<T> values) {
  return std::make_unique<scene_of<T>>(app, wanted, what, std::move(values));
}

template std::unique_ptr<scene> make_scene<float>(bench::program&, request const&, subject const&,
                                                  input_values<float>);
template std::unique_ptr<scene> make_scene<double>(bench::program&, request const&, subject const&,
                                                   input_values<double>);

}  // namespace gridloom::tiled_qr
