#include "arms.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "gridloom/bench/catalogue.hpp"
#include "gridloom/error.hpp"
#include "solver.hpp"
#include "support/cluster.hpp"

namespace gridloom::wavefront::sptrsv {

namespace {

/// Row after row on the host.
class serial_work final : public bench::work<row> {
 public:
  explicit serial_work(lower_system const& of) : of_(of) {}
  void prepare() override { x_.assign(of_.rows(), std::numeric_limits<double>::quiet_NaN()); }
  void run() override { solve_serially(of_, of_.right_side, x_); }
  void verify() override { require_solution(of_, of_.right_side, x_); }
  void record(row& r) const override {
    r.memory_bytes = static_cast<std::int64_t>(of_.matrix.bytes() + 16 * std::uint64_t{of_.rows()});
  }

 private:
  lower_system const& of_;
  std::vector<double> x_;
};

class solver_work final : public bench::work<row> {
 public:
  solver_work(lower_system const& of, std::unique_ptr<solver> by) : of_(of), by_(std::move(by)) {}
  void prepare() override { by_->forget(); }
  void copy_in() override { by_->load(of_.right_side); }
  void run() override { by_->run(); }
  void copy_out() override { x_ = by_->x(); }
  void check() override { by_->require_done(); }
  void verify() override { require_solution(of_, of_.right_side, x_); }
  void record(row& r) const override {
    solver_facts const facts = by_->facts();
    r.memory_bytes = static_cast<std::int64_t>(facts.bytes);
    if (facts.rounds == 0) return;
    r.rounds = facts.rounds;
    r.padded_entries = static_cast<std::int64_t>(facts.padded_entries);
    r.near_rows = static_cast<std::int64_t>(facts.near_rows);
    r.blocks = facts.blocks;
  }

 private:
  lower_system const& of_;
  std::unique_ptr<solver> by_;
  std::vector<double> x_;
};

class arm_maker {
 public:
  arm_maker(bench::program& app, request const& wanted, scene const& of)
      : app_(app), wanted_(wanted), scene_(of) {}

  std::vector<bench::arm<row>> make() {
    bool const host = app_.machine().is_host();
    std::vector<std::string> names = wanted_.methods;
    if (names.empty()) {
      for (method const& one : all_methods) {
        if (host ? one.on_host : one.on_cuda) names.emplace_back(one.name);
      }
    }
    for (std::string const& name : names) {
      method const& one = bench::named<method>(all_methods, name, "--method");
      if (!(host ? one.on_host : one.on_cuda))
        throw unsupported("--method " + name + ": expected a CUDA device, got the host");
      add(one);
    }
    return std::move(arms_);
  }

 private:
  void add(method const& one) {
    row base = scene_.base;
    base.method = one.name;
    lower_system const& of = scene_.of;
    if (one.name == "serial") {
      arms_.push_back({"serial", base, [&of] { return std::make_unique<serial_work>(of); }, true});
    } else if (one.name == "cusparse_spsv") {
      arms_.push_back({"cusparse_spsv", base, [&of, &machine = app_.machine()] {
                         return std::make_unique<solver_work>(of, make_cusparse(machine, of));
                       }});
    } else if (one.name == "sync_free") {
      for (std::int64_t const threads : block_sizes(one)) {
        solver_options options;
        options.shape = {blocks_of(one, threads), static_cast<int>(threads)};
        options.timeout_s = app_.common().timeout_s;
        base.blocks = options.shape.blocks;
        base.threads = options.shape.threads;
        std::string name = base.method;
        if (wanted_.block_sizes.size() > 1) name += " " + std::to_string(threads);
        arms_.push_back({name, base, [&of, &machine = app_.machine(), options] {
                           return std::make_unique<solver_work>(
                               of, make_sync_free(machine, of, options));
                         }});
      }
    } else {
      for (std::int64_t const threads : block_sizes(one)) {
        for (int const blocks : grids_of(one, threads)) {
          for (std::int64_t const entries : wanted_.entries_a_lane)
            add_planned(one, {blocks, static_cast<int>(threads)}, entries);
        }
      }
    }
  }

  /// An arm for each setting of what was asked for.
  void add_planned(method const& one, launch_shape shape, std::int64_t entries) {
    static std::vector<std::int64_t> const none{0};
    bool const in_order = one.name == "in_order";
    for (std::int64_t const narrow : in_order ? wanted_.narrow : none) {
      for (std::int64_t const flat : in_order ? wanted_.flat_warps : none) {
        for (std::int64_t const gate : in_order ? wanted_.gate : none) {
          solver_options options;
          options.shape = shape;
          options.plan.entries_a_lane = static_cast<std::uint32_t>(entries);
          options.plan.narrow = static_cast<std::uint32_t>(narrow);
          options.flat_warps = static_cast<int>(flat);
          options.gate = static_cast<std::uint32_t>(gate);
          options.timeout_s = app_.common().timeout_s;
          add_planned(one, options);
        }
      }
    }
  }
  void add_planned(method const& one, solver_options const& options) {
    bool const in_order = one.name == "in_order";
    row base = scene_.base;
    std::string name(one.name);
    base.method = name;
    base.blocks = options.shape.blocks;
    base.threads = options.shape.threads;
    base.entries_a_lane = options.plan.entries_a_lane;
    if (in_order) {
      base.narrow = options.plan.narrow;
      base.flat_warps = options.flat_warps;
      base.gate = options.gate;
    }
    auto const say = [&](std::vector<std::int64_t> const& list, char const* letter,
                         std::int64_t value) {
      if (list.size() > 1) name += std::string(" ") + letter + std::to_string(value);
    };
    say(wanted_.block_sizes, "", options.shape.threads);
    if (several_grids(one)) {
      if (one.name == "waves_cluster")
        name += " in " + std::to_string(options.shape.blocks) + " blocks";
      if (options.shape.blocks == 1) name += " in one block";
    }
    say(wanted_.entries_a_lane, "e", options.plan.entries_a_lane);
    if (in_order) {
      say(wanted_.narrow, "n", options.plan.narrow);
      say(wanted_.flat_warps, "f", options.flat_warps);
      say(wanted_.gate, "g", options.gate);
    }
    arms_.push_back(
        {name, base,
         [&of = scene_.of, &machine = app_.machine(), options, in_order, how = one.name] {
           return std::make_unique<solver_work>(of, in_order
                                                        ? make_in_order(machine, of, options)
                                                        : make_waves(machine, of, options, how));
         }});
  }

  /// On one H200 a block a multiprocessor for in_order; eight where nobody polls, and 1,024 threads
  /// where a row that waits has a whole warp. On the host a thread a core, but for launches.
  int blocks_of(method const& one, std::int64_t threads) {
    auto const& properties = app_.machine().properties();
    if (app_.common().workers > 0) return app_.common().workers;
    bool const launches = one.name.starts_with("waves_") && !is_persistent(one);
    bool const many = one.name == "sync_free" && !app_.machine().is_host();
    int const resident = many ? std::max(1, 1024 / static_cast<int>(threads)) : 1;
    return properties.multiprocessors * (launches ? 8 : resident);
  }
  static bool is_persistent(method const& one) {
    return one.name == "waves_barrier" || one.name == "waves_cluster";
  }
  /// Narrow levels need no other multiprocessor, and a block or a cluster meets far sooner than a grid
  /// does. Launches have as many blocks as a level needs.
  bool several_grids(method const& one) {
    return is_persistent(one) && !app_.machine().is_host() && app_.common().workers == 0;
  }
  std::vector<int> grids_of(method const& one, std::int64_t threads) {
    int const blocks = blocks_of(one, threads);
    if (several_grids(one)) {
      return one.name == "waves_barrier" ? std::vector<int>{blocks, 1}
                                         : std::vector<int>{4, 8, most_cluster_blocks};
    }
    // Of the workers that all methods are given, a cluster takes no more than it may have.
    bool const named = !wanted_.methods.empty();
    return {one.name == "waves_cluster" && !named ? std::min(blocks, most_cluster_blocks) : blocks};
  }
  /// in_order wants more warps a block: one solves a pack.
  std::vector<std::int64_t> block_sizes(method const& one) {
    if (app_.machine().is_host()) return {1};
    if (!wanted_.block_sizes.empty()) return wanted_.block_sizes;
    if (app_.common().threads > 0) return {app_.common().threads};
    return {one.name == "in_order" ? 512 : 256};
  }

  bench::program& app_;
  request const& wanted_;
  scene const& scene_;
  std::vector<bench::arm<row>> arms_;
};

}  // namespace

std::vector<bench::arm<row>> make_arms(bench::program& app, request const& wanted,
                                       scene const& of) {
  return arm_maker(app, wanted, of).make();
}

}  // namespace gridloom::wavefront::sptrsv
