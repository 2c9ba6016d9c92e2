#include "arms.hpp"

#include <utility>

#include "gridloom/bench/catalogue.hpp"
#include "gridloom/error.hpp"
#include "gridloom/host_time_limit.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/sparse/measures.hpp"
#include "gridloom/sparse/transform.hpp"
#include "levels/level_arm.hpp"
#include "published/published_arms.hpp"
#include "serial_arm.hpp"
#include "validate.hpp"

namespace gridloom::mhive::rcm {
namespace {

std::unique_ptr<order_arm> published(std::string_view name, arm_setup const& setup) {
  if (setup.machine.is_host()) return make_published_arm(name, setup);
  return make_published_arm(name, setup, make_level_start_search(setup));
}

std::unique_ptr<order_arm> cusolver(std::string_view name, arm_setup const& setup) {
  if (setup.machine.is_host()) {
    throw unsupported(
        "--arm: expected one that runs here, got cusolver, which needs a CUDA device");
  }
  return make_published_arm(name, setup);
}

constexpr method all_methods[] = {
    {"serial", "one host thread, the reference",
     [](std::string_view, arm_setup const& setup) { return make_serial_arm(setup, 1); }, true},
    {"two_threads", "the same, two candidates for a start node searched from side by side",
     [](std::string_view, arm_setup const& setup) { return make_serial_arm(setup, 2); }, true},
    {"tsk", "the published task types (7.3.2) by time-sliced kernels", published},
    {"mk", "the same by a megakernel", published},
    {"pdc", "the same by the published controller, which launches from the device", published},
    {"resident", "the same by a controller that stays", published},
    {"cpu_gpu", "the host does all but the sorting (7.3.3)", published},
    {"cusolver", "cusolverSpXcsrsymrcmHost, with start nodes of its own; needs a CUDA device",
     cusolver, true, true},
    {"levels", "searches and an ordering by levels: what goes beyond",
     [](std::string_view, arm_setup const& setup) { return make_level_arm(setup); }},
};

serial_order reference_within(double seconds, graph_ref graph, start_options const& starts) {
  host_time_limit const limit(seconds);
  return order_from(graph, nodes_of(find_starts(graph, starts)));
}

}  // namespace

/// One version on the matrix of the scene.
class order_work final : public bench::work<row> {
 public:
  order_work(order_scene& scene, method const& how)
      : scene_(scene),
        how_(how),
        arm_(how.make(how.name, {scene.app_.machine(), scene.given_.graph(), scene.starts_,
                                 scene.app_.common().workers, scene.app_.common().timeout_s})) {}

  void prepare() override { run_ = {}; }
  void copy_in() override { arm_->copy_in(); }
  void run() override {
    host_time_limit const limit(scene_.app_.common().timeout_s);
    run_ = arm_->run(false);
  }
  double timed_run(device& /*machine*/) override {
    run();
    return run_.both_ms;
  }
  void copy_out() override { order_ = arm_->copy_out(); }
  void check() override {
    arm_->measure_order(run_);
    if (!scene_.app_.common().verify) accept();
  }

  void verify() override {
    std::vector<std::uint32_t> const& expected = scene_.expected_.cuthill_mckee;
    same_ = order_ == expected ? "yes" : "no";
    if (is_accepted_) {
      if (same_ == "no") throw wrong_result("another order than in the first run");
      return;
    }
    auto const faults = faults_of(
        scene_.given_.graph(), order_,
        how_.own_starts ? validity{} : validity{.starts = scene_.starts_, .strict = true});
    // cuSOLVER is taken as it is: that its order is not one in our sense is a result.
    if (how_.own_starts) accept();
    if (!faults.empty()) throw wrong_result(joined(faults, "\n  "));
    if (same_ == "no" && !how_.own_starts) {
      throw wrong_result("another order than the serial one");
    }
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
    host_time_limit const limit(scene_.app_.common().timeout_s);
    for (part_time& part : arm_->run(true).parts) {
      scene_.parts_.add({std::string(how_.name), scene_.given_.name, place++, std::move(part)});
    }
    return true;
  }

 private:
  /// Measures the order, once.
  void accept() {
    if (std::exchange(is_accepted_, true)) return;
    std::vector<std::uint32_t> reversed(order_.rbegin(), order_.rend());
    auto const permuted = sparse::permute(scene_.given_.pattern, reversed);
    bandwidth_ = sparse::thesis_bandwidth(permuted);
    half_bandwidth_ = sparse::band_of(permuted).half();
    if (scene_.order_.empty()) scene_.order_ = std::move(reversed);
  }

  order_scene& scene_;
  method const& how_;
  std::unique_ptr<order_arm> arm_;
  arm_result run_;
  std::vector<std::uint32_t> order_;
  bool is_accepted_ = false;
  std::uint64_t bandwidth_ = 0;
  std::uint32_t half_bandwidth_ = 0;
  std::string same_ = "off";
};

std::span<method const> methods() { return all_methods; }

std::vector<std::string> default_methods(device const& machine) {
  std::vector<std::string> names = bench::names_of(methods());
  // cuSOLVER works on the host, but wants a device.
  if (machine.is_host() || !has_published_arm("cusolver")) std::erase(names, "cusolver");
  return names;
}

order_scene::order_scene(bench::program& app, problem const& given, start_options const& starts,
                         std::string start_text, bench::table<part_row>& parts)
    : app_(app),
      given_(given),
      starts_(starts),
      parts_(parts),
      expected_(reference_within(app.common().timeout_s, given.graph(), starts)) {
  facts_.matrix = given.name;
  facts_.rows = given.pattern.num_rows;
  facts_.entries = given.pattern.num_entries();
  facts_.components = expected_.components.size();
  for (component_order const& one : expected_.components) facts_.levels += one.num_levels;
  facts_.start = std::move(start_text);
  facts_.candidates = starts.most_candidates;
  facts_.workers = app.common().workers;
  facts_.bandwidth_before = sparse::thesis_bandwidth(given.pattern);
}

std::vector<bench::arm<row>> order_scene::arms(std::vector<std::string> const& names) {
  std::vector<bench::arm<row>> made;
  for (std::string const& name : names) {
    method const& how = bench::named(methods(), name, "--arm");
    bench::arm<row> one{name, facts_,
                        [this, &how] { return std::make_unique<order_work>(*this, how); }};
    if (how.own_starts) one.row.start = "own";
    one.on_host = how.on_host;
    one.as_it_is = how.own_starts;
    one.verify_each = !how.own_starts;
    made.push_back(std::move(one));
  }
  return made;
}

}  // namespace gridloom::mhive::rcm
