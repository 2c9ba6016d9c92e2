#include "experiment.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>

#include "arm.hpp"
#include "gridloom/bench/balanced_order.hpp"
#include "gridloom/error.hpp"
#include "gridloom/bench/progress.hpp"
#include "gridloom/sparse/measures.hpp"
#include "gridloom/sparse/transform.hpp"
#include "levels/level_arm.hpp"
#include "published/published_arms.hpp"
#include "serial_arm.hpp"
#include "serial_order.hpp"
#include "tables.hpp"
#include "validate.hpp"

namespace gridloom::mhive::rcm {
namespace {

struct prepared_arm {
  std::string name;
  std::unique_ptr<order_arm> arm;
  std::string same = "off";
  std::string verified = "off";
  std::uint64_t bandwidth = 0;
  std::uint32_t half_bandwidth = 0;
  bool usable = true;
};

struct measurement {
  arm_result done;
  std::string status = "ok";
};

// cuSOLVER has start nodes of its own, and the order of its components is not ours.
bool has_own_starts(std::string const& arm) { return arm == "cusolver"; }

class arm_runner {
 public:
  arm_runner(device& machine, problem const& given, request const& wanted,
             common_options const& common)
      : machine_{machine},
        given_{given},
        wanted_{wanted},
        common_{common},
        graph_{given.graph()},
        expected_{order_from(graph_, nodes_of(find_starts(graph_, wanted.starts)))},
        bandwidth_before_{sparse::thesis_bandwidth(given.pattern)} {
    for (std::string const& name : wanted.arms) arms_.emplace_back().name = name;
  }

  outcome run() {
    auto const repetitions = static_cast<std::size_t>(common_.repeat);
    progress_bar progress("mhive-rcm", arms_.size() * (repetitions + 1), common_.quiet);
    for (prepared_arm& a : arms_) {
      prepare(a);
      progress.advance(a.name);
    }
    for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
      auto const order = balanced_order(arms_.size(), repetition, common_.seed);
      for (std::size_t place = 0; place < order.size(); ++place) {
        prepared_arm& a = arms_[order[place]];
        if (!a.usable) continue;
        record(a, measure(a), repetition, place);
        progress.advance(a.name);
      }
    }
    progress.finish();
    for (prepared_arm& a : arms_) {
      if (wanted_.with_parts && a.usable) add_parts(a);
    }
    return std::move(result_);
  }

 private:
  std::unique_ptr<order_arm> make(std::string const& name) {
    arm_setup const setup{machine_, graph_, wanted_.starts, common_.workers, common_.timeout_s};
    if (name == "serial") return make_serial_arm(setup, 1);
    if (name == "two_threads") return make_serial_arm(setup, 2);
    if (name == "levels") return make_level_arm(setup);
    if (machine_.is_host()) return make_published_arm(name, setup);
    return make_published_arm(name, setup, make_level_start_search(setup));
  }

  // The first run warms up, too, and is looked at.
  void prepare(prepared_arm& a) {
    a.arm = make(a.name);
    measurement const first = measure(a);
    if (first.status != "ok") return record(a, first, 0, 0);
    auto const& order = first.done.cuthill_mckee;
    if (!check(a, order)) return record(a, {first.done, "wrong"}, 0, 0);
    std::vector<std::uint32_t> reversed(order.rbegin(), order.rend());
    auto const permuted = sparse::permute(given_.pattern, reversed);
    a.bandwidth = sparse::thesis_bandwidth(permuted);
    a.half_bandwidth = sparse::band_of(permuted).half();
    if (result_.order.empty()) result_.order = std::move(reversed);
    for (int k = 1; k < common_.warmup && a.usable; ++k) {
      if (auto const m = measure(a); m.status != "ok") record(a, m, 0, 0);
    }
  }

  bool check(prepared_arm& a, std::vector<std::uint32_t> const& order) {
    if (!common_.verify) return true;
    bool const own = has_own_starts(a.name);
    a.same = order == expected_.cuthill_mckee ? "yes" : "no";
    validity const wanted = own ? validity{} : validity{.starts = wanted_.starts, .strict = true};
    auto const faults = faults_of(graph_, order, wanted);
    a.verified = faults.empty() ? "yes" : "no";
    // cuSOLVER is taken as it is: that its order is not one in our sense is a result.
    if (own) return true;
    for (std::string const& fault : faults) fail(a, fault);
    if (faults.empty() && a.same == "no") fail(a, "another order than the serial one");
    return a.usable;
  }

  measurement measure(prepared_arm& a) {
    measurement m;
    try {
      m.done = a.arm->run(false);
      if (m.done.both_ms < 0) m.done.both_ms = std::max(m.done.start_ms, 0.0) + m.done.order_ms;
    } catch (run_error const& error) {
      std::string const message = error.what();
      fail(a, message);
      m.status = message.starts_with("timeout") ? "timeout" : "failed";
      constexpr double none = std::numeric_limits<double>::quiet_NaN();
      m.done.start_ms = m.done.order_ms = m.done.both_ms = m.done.elapsed_ms = none;
    }
    return m;
  }

  void fail(prepared_arm& a, std::string const& message) {
    std::fprintf(stderr, "mhive-rcm: %s: %s\n", a.name.c_str(), message.c_str());
    a.usable = false;
    result_.failed = true;
  }

  void record(prepared_arm& a, measurement m, std::size_t repetition, std::size_t place) {
    if (m.status == "ok" && common_.verify && !has_own_starts(a.name) &&
        m.done.cuthill_mckee != expected_.cuthill_mckee) {
      fail(a, "another order than in the first run");
      m.status = "wrong";
    }
    auto const whole = [](auto value) { return static_cast<std::int64_t>(value); };
    std::int64_t levels = 0;
    for (component_order const& component : expected_.components) levels += component.num_levels;
    result_.runs.add_row({a.name,
                          given_.name,
                          whole(graph_.num_rows),
                          whole(graph_.num_entries()),
                          whole(expected_.components.size()),
                          levels,
                          has_own_starts(a.name) ? std::string("own") : wanted_.start_text,
                          whole(wanted_.starts.most_candidates),
                          machine_.properties().backend,
                          whole(common_.workers),
                          whole(repetition),
                          whole(place),
                          whole(m.done.searches),
                          m.done.start_ms,
                          m.done.order_ms,
                          m.done.both_ms,
                          m.done.elapsed_ms,
                          whole(bandwidth_before_),
                          whole(a.bandwidth),
                          whole(a.half_bandwidth),
                          whole(a.arm->bytes()),
                          whole(bytes_by_equation_8_2(graph_.num_rows, graph_.num_entries())),
                          a.same,
                          a.verified,
                          m.status});
  }

  void add_parts(prepared_arm& a) {
    arm_result done;
    try {
      done = a.arm->run(true);
    } catch (run_error const& error) {
      fail(a, std::string("--parts: ") + error.what());
      return;
    }
    std::int64_t place = 0;
    for (part_time const& part : done.parts) {
      result_.parts.add_row({a.name, given_.name, place++, part.part,
                             static_cast<std::int64_t>(part.tasks), part.busy_ms, part.elapsed_ms});
    }
  }

  device& machine_;
  problem const& given_;
  request const& wanted_;
  common_options const& common_;
  graph_ref graph_;
  serial_order expected_;
  std::uint64_t bandwidth_before_;
  std::vector<prepared_arm> arms_;
  outcome result_{runs_table(), parts_table(), {}, false};
};

}  // namespace

std::vector<std::string> arm_names() {
  std::vector<std::string> names{"serial", "two_threads"};
  for (std::string const& name : published_arm_names()) names.push_back(name);
  names.emplace_back("levels");
  return names;
}

std::vector<std::string> default_arms(device const& machine) {
  std::vector<std::string> names;
  for (std::string const& name : arm_names()) {
    // cuSOLVER works on the host, but wants a device.
    bool const is_missing =
        name == "cusolver" && (machine.is_host() || !has_published_arm("cusolver"));
    if (!is_missing) names.push_back(name);
  }
  return names;
}

outcome run_arms(device& machine, problem const& given, request const& wanted,
                 common_options const& common) {
  return arm_runner{machine, given, wanted, common}.run();
}

}  // namespace gridloom::mhive::rcm
