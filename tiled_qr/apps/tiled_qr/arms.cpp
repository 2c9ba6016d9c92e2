#include "arms.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <tuple>

#include "cholesky_work.hpp"
#include "configurations.hpp"
#include "host_work.hpp"
#include "panel_work.hpp"
#include "tiled_work.hpp"

namespace gridloom::tiled_qr {

namespace {

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
      method const& what = method_of(name);
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
  std::vector<configuration> configurations_for(method const& what) {
    auto const& common = input_.app.common();
    // The report's blocks have 32 threads, one a column of a tile.
    launch_shape shape = input_.app.shape(32);
    request wanted = input_.wanted;
    if (device const& machine = machine_for(input_.app, *what.how);
        &machine != &input_.app.machine()) {
      shape = {common.workers != 0 ? common.workers : machine.properties().multiprocessors, 1};
      wanted.blocks.clear();  // they are blocks of the other machine
    }
    auto all = configurations_of(wanted, common.timeout_s, what.name, *what.how, shape);
    for (configuration& one : all)
      one.settings.bounded_steps = common.workers != 0 || !wanted.blocks.empty();
    return all;
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
          machine, rows, cols, batch,
          tall_settings{.blocks = common.workers, .forms_q = input_.wanted.form_q});
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
  row facts_of_whole(method const& what) {
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
  row facts_of_panels(method const& what) {
    row facts = facts_of_whole(what);
    facts.tile = panels::panel_width;
    facts.threads = panel_threads();
    return facts;
  }
  row facts_of(method const& what, factorization_settings const& settings) {
    row facts = facts_of_whole(what);
    if (!what.how) {
      facts.blocks = what.name == "lapack_all" ? set_lapack_threads(0) : 1;
      if (what.name.starts_with("lapack")) facts.blas_core = blas_core();
      return facts;
    }
    tiling const cut = make_tiling(input_.rows, input_.cols, input_.wanted.tile);
    facts.tile = cut.tile;
    facts.tasks = static_cast<std::int64_t>(count_tasks(cut)) * input_.batch;
    bool const block_a_task =
        launches_steps(settings.how) && !settings.bounded_steps && !input_.app.machine().is_host();
    facts.blocks = block_a_task ? int{bench::missing_integer} : settings.blocks;
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

double bytes_of_methods(request const& wanted, subject const& what, std::size_t element,
                        bool on_host) {
  auto const least = static_cast<double>(std::min(what.rows, what.cols));
  double const matrix = static_cast<double>(what.rows) * static_cast<double>(what.cols);
  double const q = wanted.form_q ? static_cast<double>(what.rows) * least : 0;
  double elements = on_host ? matrix : 0;  // the input itself
  for (std::string const& name : wanted.methods) {
    bool const of_host = method_of(name).on_host;
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
