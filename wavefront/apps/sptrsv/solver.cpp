// Host side of in_order, of the methods that run level by level, and of sync_free.

#include "solver.hpp"

#include <algorithm>

#include "wavefront/ours/sptrsv/in_order_solve.hpp"
#include "wavefront/rivals/sptrsv/sync_free.hpp"
#include "wavefront/rivals/sptrsv/wave_solve.hpp"

namespace gridloom::wavefront::sptrsv {

solver::solver(device& machine, std::uint32_t rows)
    : machine_(machine),
      right_side_(machine.allocate<double>(rows)),
      x_(machine.allocate<double>(rows)) {}

void solver::load(std::span<double const> right_side) {
  machine_.copy_to_device(right_side_, right_side);
}

void solver::forget() { machine_.fill_bytes(x_, 0xff); }

namespace {

/// Throws usage_error unless blocks have whole warps and at most `most` threads.
void require_threads(launch_shape shape, int most) {
  if (shape.threads % 32 != 0 || shape.threads > most) {
    throw usage_error("--threads, --block-sizes: expected a multiple of 32, at most " +
                      std::to_string(most) + ", got " + std::to_string(shape.threads));
  }
}

/// Base of solvers that copy a plan to the device.
class planned_solver : public solver {
 public:
  /// The derived class fills `from_`.
  planned_solver(device& machine, lower_system const& of, solver_options const& options)
      : solver(machine, of.rows()),
        options_(with_lanes(machine, options)),
        entries_(of.matrix.num_entries() - of.rows()),
        plan_(make_plan(of, options_.plan)),
        numbers_(machine.allocate_copy(plan_.numbers)),
        inverses_(machine.allocate_copy(plan_.inverses)),
        factors_(machine.allocate_copy(plan_.factors)),
        dog_(machine, options_.shape.blocks * warps_of_block(), options.timeout_s) {}

  void load(std::span<double const> right_side) override {
    solver::load(right_side);
    stopper_ = dog_.arm();
  }
  void require_done() override { dog_.require_in_time("triangular solve"); }
  solver_facts facts() const override {
    return {numbers_.bytes() + inverses_.bytes() + from_.bytes() + factors_.bytes() +
                right_side_.bytes() + x_.bytes(),
            static_cast<std::uint32_t>(plan_.rounds.size()), from_.size() - entries_, 0,
            options_.shape.blocks};
  }

 protected:
  int warps_of_block() const {
    return machine_.is_host() ? 1 : options_.shape.threads / options_.plan.lanes;
  }
  system_ref system() const {
    return {numbers_.data(), inverses_.data(),   from_.data(),
            factors_.data(), right_side_.data(), x_.data()};
  }

  solver_options options_;
  std::uint64_t entries_;
  solve_plan plan_;
  buffer<std::uint32_t> numbers_;
  buffer<double> inverses_;
  buffer<std::uint32_t> from_;
  buffer<double> factors_;
  watchdog dog_;
  watchdog_ref stopper_{};

 private:
  static solver_options with_lanes(device const& machine, solver_options options) {
    options.plan.lanes = machine.is_host() ? 1 : 32;
    if (!machine.is_host()) require_threads(options.shape, most_planned_threads);
    return options;
  }
};

class in_order final : public planned_solver {
 public:
  in_order(device& machine, lower_system const& of, solver_options const& options)
      : planned_solver(machine, of, options) {
    dealt_rounds const dealt =
        deal(plan_, {options_.shape.blocks, warps_of_block(), options_.flat_warps, options_.gate});
    near_rows_ = dealt.near_rows;
    options_.shape.blocks = dealt.blocks;
    from_ = machine.allocate_copy(dealt.from);
    rounds_ = machine.allocate_copy(dealt.rounds);
    offsets_ = machine.allocate_copy(dealt.offsets);
    for (auto& words : words_) {
      words = machine.allocate<value_word>(of.rows());
      machine.fill_bytes(words, 0xff);  // IS.R2 of in_order_solve.hpp: all are empty
    }
  }

  void run() override {
    in_order_ref const shared{system(), rounds_.data(), offsets_.data(), words_[turn_].data(),
                              words_[1 - turn_].data()};
    if (near_rows_ == 0)
      machine_.launch(options_.shape, in_order_kernel<false>{shared, stopper_});
    else
      machine_.launch(options_.shape, in_order_kernel<true>{shared, stopper_});
    turn_ = 1 - turn_;
  }
  void require_done() override {
    try {
      planned_solver::require_done();
    } catch (timeout_error const&) {
      for (auto& words : words_) machine_.fill_bytes(words, 0xff);
      throw;
    }
  }
  solver_facts facts() const override {
    solver_facts result = planned_solver::facts();
    result.bytes += rounds_.bytes() + offsets_.bytes() + words_[0].bytes() + words_[1].bytes();
    result.near_rows = near_rows_;
    return result;
  }

 private:
  buffer<round_info> rounds_;
  buffer<std::uint32_t> offsets_;
  buffer<value_word> words_[2];
  int turn_ = 0;
  std::uint64_t near_rows_ = 0;
};

class waves final : public planned_solver {
 public:
  waves(device& machine, lower_system const& of, solver_options const& options, level_end how)
      : planned_solver(machine, of, options),
        how_(how),
        rounds_(machine.allocate_copy(plan_.rounds)),
        level_rounds_(machine.allocate_copy(plan_.level_rounds)),
        values_(machine.allocate<double>(of.rows())),
        stop_level_(machine.allocate<std::uint32_t>(1)) {
    from_ = machine.allocate_copy(plan_.from);
    if (how_ == level_end::cluster_barrier)
      prepare_cluster<waves_kernel<cluster_barrier>>(machine, options.shape);
    if (how_ == level_end::graph) recorded_ = machine.record([this] { launch_all<false>(); });
    if (how_ == level_end::graph_pdl) recorded_ = machine.record([this] { launch_all<true>(); });
  }

  void load(std::span<double const> right_side) override {
    planned_solver::load(right_side);
    machine_.fill_bytes(stop_level_, 0xff);
  }
  void run() override {
    if (how_ == level_end::grid_barrier) {
      machine_.launch(options_.shape, persistent<grid_barrier>());
    } else if (how_ == level_end::cluster_barrier) {
      launch_as_cluster(machine_, options_.shape, persistent<cluster_barrier>());
    } else if (how_ == level_end::launch) {
      launch_all<false>();
    } else {
      machine_.replay(recorded_);
    }
  }
  solver_facts facts() const override {
    solver_facts result = planned_solver::facts();
    result.bytes += rounds_.bytes() + level_rounds_.bytes() + values_.bytes();
    return result;
  }

 private:
  wave_ref shared() const { return {system(), rounds_.data(), values_.data()}; }
  template <class Barrier>
  waves_kernel<Barrier> persistent() const {
    return {shared(), plan_.levels(), level_rounds_.data(), stop_level_.data(), stopper_};
  }

  template <bool Overlap>
  void launch_all() {
    auto const warps = static_cast<std::uint32_t>(warps_of_block());
    for (std::uint32_t level = 0; level < plan_.levels(); ++level) {
      std::uint32_t const begin = plan_.level_rounds[level];
      std::uint32_t const end = plan_.level_rounds[level + 1];
      auto const wanted = static_cast<int>((end - begin + warps - 1) / warps);
      machine_.launch({std::min(wanted, options_.shape.blocks), options_.shape.threads},
                      wave_kernel<Overlap>{shared(), begin, end});
    }
  }

  level_end how_;
  buffer<round_info> rounds_;
  buffer<std::uint32_t> level_rounds_;
  buffer<double> values_;
  buffer<std::uint32_t> stop_level_;
  launch_sequence recorded_;
};

class sync_free final : public solver {
 public:
  sync_free(device& machine, lower_system const& of, solver_options const& options)
      : solver(machine, of.rows()),
        shape_(options.shape),
        rows_(of.rows()),
        offsets_(machine.allocate_copy(std::vector<std::uint32_t>(of.matrix.row_offsets.begin(),
                                                                  of.matrix.row_offsets.end()))),
        columns_(machine.allocate_copy(of.matrix.columns)),
        values_(machine.allocate_copy(of.matrix.values)),
        flags_(machine.allocate<std::uint32_t>(of.rows())),
        dog_(machine, shape_.blocks * ((shape_.threads + 31) / 32), options.timeout_s) {
    if (!machine.is_host()) require_threads(shape_, 1024);
    machine.fill_bytes(flags_, 0);
  }

  void load(std::span<double const> right_side) override {
    solver::load(right_side);
    stopper_ = dog_.arm();
  }
  void run() override {
    if (++run_ == 0) {  // SF.R2 of sync_free.hpp
      machine_.fill_bytes(flags_, 0);
      run_ = 1;
    }
    machine_.launch(shape_,
                    sync_free_kernel{rows_, offsets_.data(), columns_.data(), values_.data(),
                                     right_side_.data(), x_.data(), flags_.data(), run_, stopper_});
  }
  void require_done() override { dog_.require_in_time("triangular solve"); }
  solver_facts facts() const override {
    return {offsets_.bytes() + columns_.bytes() + values_.bytes() + flags_.bytes() +
                right_side_.bytes() + x_.bytes(),
            0, 0, 0, shape_.blocks};
  }

 private:
  launch_shape shape_;
  std::uint32_t rows_;
  buffer<std::uint32_t> offsets_, columns_;
  buffer<double> values_;
  buffer<std::uint32_t> flags_;
  std::uint32_t run_ = 0;
  watchdog dog_;
  watchdog_ref stopper_{};
};

}  // namespace

std::unique_ptr<solver> make_sync_free(device& machine, lower_system const& of,
                                       solver_options const& options) {
  return std::make_unique<sync_free>(machine, of, options);
}

std::unique_ptr<solver> make_in_order(device& machine, lower_system const& of,
                                      solver_options const& options) {
  if (of.rows() >= near_bit) throw unsupported("in_order: expected fewer than 2^31 rows");
  return std::make_unique<in_order>(machine, of, options);
}

std::unique_ptr<solver> make_waves(device& machine, lower_system const& of,
                                   solver_options const& options, level_end how) {
  return std::make_unique<waves>(machine, of, options, how);
}

}  // namespace gridloom::wavefront::sptrsv
