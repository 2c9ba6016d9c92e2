// Host side of the version `neighbours`.

#include "neighbours.hpp"

#include <algorithm>
#include <vector>

#include "residual_memory.hpp"
#include "thesis_mhive/apps/jacobi/solver.hpp"

namespace gridloom::mhive::jacobi {
namespace {

template <class Value, bool Local>
class neighbours_solver final : public solver {
  using kernel = neighbours_kernel<Value, Local>;
  using index = typename kernel::index;

 public:
  neighbours_solver(solver_options const& options, std::uint32_t num_rows,
                    neighbour_plan<Value> const& plan)
      : machine_(options.machine),
        segment_(options.plan.limits.entries),
        num_exports_(plan.num_exports),
        shape_(shape(plan)),
        parts_(machine_.allocate_copy(plan.parts)),
        values_(machine_.allocate_copy(plan.values)),
        columns_(machine_.allocate_copy(indices(plan.columns))),
        slice_offsets_(machine_.allocate_copy(plan.slice_offsets)),
        rows_(machine_.allocate_copy(indices(plan.rows))),
        right_side_(machine_.allocate_copy(plan.right_side)),
        long_rows_(machine_.allocate_copy(plan.long_rows)),
        halo_(machine_.allocate_copy(plan.halo)),
        neighbours_(machine_.allocate_copy(plan.neighbours)),
        start_(machine_.allocate_copy(std::vector<Value>(num_rows, Value{1}))),
        x_{machine_.allocate<Value>(num_rows), machine_.allocate<Value>(num_rows)},
        exports_(machine_.allocate<tagged<Value>>(Local ? 2 * std::size_t{num_exports_} : 0)),
        flags_(machine_.allocate<std::uint32_t>(blocks() * (line_bytes / sizeof(std::uint32_t)))),
        residuals_(options, shape_.blocks) {}

  void reset() override {
    machine_.copy_on_device(x_[0], start_);
    machine_.fill_bytes(exports_, 0);
    machine_.fill_bytes(flags_, 0);
    residuals_.reset();
  }
  jacobi_result run() override {
    kernel const whole{{parts_.data(),
                        values_.data(),
                        columns_.data(),
                        slice_offsets_.data(),
                        rows_.data(),
                        right_side_.data(),
                        long_rows_.data(),
                        halo_.data(),
                        neighbours_.data(),
                        {x_[0].data(), x_[1].data()},
                        {exports_.data(), exports_.data() + (Local ? num_exports_ : 0)},
                        flags_.data()},
                       residuals_.ref(),
                       segment_,
                       residuals_.arm()};
    return run_persistent(machine_, shape_, residuals_, whole);
  }
  [[nodiscard]] std::vector<double> x(std::uint32_t iterations) const override {
    std::vector<Value> const values = machine_.copy_to_host(x_[iterations % 2]);
    return {values.begin(), values.end()};
  }
  [[nodiscard]] std::size_t bytes() const override {
    return parts_.bytes() + values_.bytes() + columns_.bytes() + slice_offsets_.bytes() +
           rows_.bytes() + right_side_.bytes() + long_rows_.bytes() + halo_.bytes() +
           neighbours_.bytes() + 3 * start_.bytes() + exports_.bytes() + flags_.bytes() +
           residuals_.bytes();
  }

 private:
  [[nodiscard]] std::size_t blocks() const { return static_cast<std::size_t>(shape_.blocks); }
  static std::vector<index> indices(std::vector<std::uint32_t> const& numbers) {
    std::vector<index> result(numbers.size());
    std::transform(numbers.begin(), numbers.end(), result.begin(),
                   [](std::uint32_t number) { return static_cast<index>(number); });
    return result;
  }
  // Returns a launch with as many threads as the largest part keeps busy.
  launch_shape shape(neighbour_plan<Value> const& plan) const {
    std::uint32_t threads = 32;
    for (block_part const& part : plan.parts) {
      threads = std::max(
          {threads, slice_rows * part.num_slices, part.num_halo, sum_lanes * part.num_long});
    }
    return {static_cast<int>(plan.parts.size()),
            threads_for(machine_, threads, kernel::max_threads)};
  }

  device& machine_;
  std::uint32_t segment_;
  std::uint32_t num_exports_;
  launch_shape shape_;
  buffer<block_part> parts_;
  buffer<Value> values_;
  buffer<index> columns_;
  buffer<std::uint32_t> slice_offsets_;
  buffer<index> rows_;
  buffer<Value> right_side_;
  buffer<long_row<Value>> long_rows_;
  buffer<std::uint32_t> halo_;
  buffer<std::uint32_t> neighbours_;
  buffer<Value> start_;
  buffer<Value> x_[2];
  buffer<tagged<Value>> exports_;
  buffer<std::uint32_t> flags_;
  residual_memory residuals_;
};

}  // namespace

template <typename Value>
std::unique_ptr<solver> make_neighbours(system<Value> const& of, solver_options const& options) {
  using tuning = neighbours_tuning;
  auto const plan_with = [&](std::uint32_t least_entries, std::size_t local_bytes) {
    return make_neighbour_plan(of, num_blocks(of, options, least_entries),
                               options.plan.limits.entries, local_bytes);
  };
  auto plan = plan_with(tuning::least_entries, tuning::local_bytes);
  bool const has_many = std::any_of(
      plan.parts.begin(), plan.parts.end(),
      [](block_part const& part) { return part.num_neighbours > tuning::most_neighbours; });
  if (has_many) plan = plan_with(tuning::least_entries_with_many, 0);
  std::size_t const index_bytes = plan.local ? sizeof(std::uint16_t) : sizeof(std::uint32_t);
  fit(plan, plan.local ? tuning::cache_bytes : tuning::cache_bytes_beside_x, index_bytes);
  std::uint32_t const n = of.num_rows();
  if (!plan.local) return std::make_unique<neighbours_solver<Value, false>>(options, n, plan);
  return std::make_unique<neighbours_solver<Value, true>>(options, n, plan);
}

template std::unique_ptr<solver> make_neighbours(system<float> const&, solver_options const&);
template std::unique_ptr<solver> make_neighbours(system<double> const&, solver_options const&);

}  // namespace gridloom::mhive::jacobi
