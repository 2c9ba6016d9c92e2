// Host side of the version `gathered`.

#include "gathered.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "residual_memory.hpp"
#include "thesis_mhive/apps/jacobi/solver.hpp"

namespace gridloom::mhive::jacobi {
namespace {

// Returns the number of threads that the largest part keeps busy.
template <class Value>
int num_threads(gathered_plan<Value> const& plan, device const& machine) {
  std::uint32_t threads = 32;
  for (gathered_chunk const& chunk : plan.chunks) {
    threads = std::max({threads, chunk.num_entries, chunk.num_short, sum_lanes * chunk.num_long});
  }
  for (gathered_part const& part : plan.parts) {
    threads = std::max(threads, sum_lanes * part.num_giants);
  }
  return threads_for(machine, threads, gathered_tuning::threads);
}

// Returns the number of entries per thread if `threads` threads can hold the whole plan in
// registers, otherwise 0.
template <class Value>
std::uint32_t held_entries(gathered_plan<Value> const& plan, int threads) {
  auto const width = static_cast<std::uint32_t>(threads);
  if (plan.chunks.size() != plan.parts.size() || !plan.giants.empty()) return 0;
  std::uint32_t most = 0;
  for (gathered_chunk const& chunk : plan.chunks) {
    if (chunk.num_short > width || chunk.num_long > gathered_tuning::most_held_long) return 0;
    most = std::max(most, (chunk.num_entries + width - 1) / width);
  }
  return most <= gathered_tuning::most_held ? most : 0;
}

template <class Value, std::uint32_t Held>
class gathered_solver final : public solver {
  using kernel = gathered_kernel<Value, Held>;
  using word = word_of<Value>;

 public:
  gathered_solver(system<Value> const& of, solver_options const& options,
                  gathered_plan<Value> const& plan)
      : machine_(options.machine),
        num_rows_(of.num_rows()),
        segment_(options.plan.limits.entries),
        shape_(shape(plan)),
        parts_(machine_.allocate_copy(plan.parts)),
        chunks_(machine_.allocate_copy(plan.chunks)),
        rows_(machine_.allocate_copy(plan.rows)),
        giants_(machine_.allocate_copy(plan.giants)),
        values_(machine_.allocate_copy(plan.values)),
        columns_(machine_.allocate_copy(plan.columns)),
        places_(machine_.allocate_copy(plan.places)),
        start_(machine_.allocate_copy(std::vector<word>(num_rows_, word_with(Value{1})))),
        x_(machine_.allocate<word>(std::size_t{rotating} * num_rows_)),
        residuals_(options, shape_.blocks) {}

  void reset() override {
    // Marks all values as absent.
    machine_.fill_bytes(x_, 0xFF);
    machine_.copy_on_device(x_, start_);
    residuals_.reset();
  }
  jacobi_result run() override {
    kernel const whole{{parts_.data(), chunks_.data(), rows_.data(), giants_.data(), values_.data(),
                        columns_.data(), places_.data(), x_.data(), num_rows_},
                       residuals_.ref(),
                       segment_,
                       residuals_.arm()};
    return run_persistent(machine_, shape_, residuals_, whole);
  }
  [[nodiscard]] std::vector<double> x(std::uint32_t iterations) const override {
    std::vector<word> words(num_rows_);
    machine_.copy_to_host(std::span{words},
                          x_.data() + std::size_t{iterations % rotating} * num_rows_);
    std::vector<double> values(num_rows_);
    std::transform(words.begin(), words.end(), values.begin(), value_in<Value>);
    return values;
  }
  [[nodiscard]] std::size_t bytes() const override {
    return parts_.bytes() + chunks_.bytes() + rows_.bytes() + giants_.bytes() + values_.bytes() +
           columns_.bytes() + places_.bytes() + start_.bytes() + x_.bytes() + residuals_.bytes();
  }

 private:
  launch_shape shape(gathered_plan<Value> const& plan) const {
    return {static_cast<int>(plan.parts.size()), num_threads(plan, machine_)};
  }

  device& machine_;
  std::uint32_t num_rows_;
  std::uint32_t segment_;
  launch_shape shape_;
  buffer<gathered_part> parts_;
  buffer<gathered_chunk> chunks_;
  buffer<gathered_row<Value>> rows_;
  buffer<giant_row<Value>> giants_;
  buffer<Value> values_;
  buffer<std::uint32_t> columns_;
  buffer<std::uint16_t> places_;
  buffer<word> start_;
  buffer<word> x_;
  residual_memory residuals_;
};

}  // namespace

template <typename Value>
std::unique_ptr<solver> make_gathered(system<Value> const& of, solver_options const& options) {
  auto const plan =
      make_gathered_plan(of, num_blocks(of, options, gathered_tuning::least_entries),
                         options.plan.limits.entries, gathered_kernel<Value, 0>::places);
  auto const make = [&]<std::uint32_t Held>(std::integral_constant<std::uint32_t, Held>) {
    return std::make_unique<gathered_solver<Value, Held>>(of, options, plan);
  };
  std::uint32_t const held = held_entries(plan, num_threads(plan, options.machine));
  if (held == 0) return make(std::integral_constant<std::uint32_t, 0>{});
  if (held <= 2) return make(std::integral_constant<std::uint32_t, 2>{});
  if (held <= 4) return make(std::integral_constant<std::uint32_t, 4>{});
  if (held <= 7) return make(std::integral_constant<std::uint32_t, 7>{});
  return make(std::integral_constant<std::uint32_t, gathered_tuning::most_held>{});
}

template std::unique_ptr<solver> make_gathered(system<float> const&, solver_options const&);
template std::unique_ptr<solver> make_gathered(system<double> const&, solver_options const&);

}  // namespace gridloom::mhive::jacobi
