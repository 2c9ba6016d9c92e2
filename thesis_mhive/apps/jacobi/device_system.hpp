#pragma once
// A system and its tasks in the memory of a device.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gridloom/device.hpp"
#include "preprocess.hpp"
#include "problem.hpp"

namespace gridloom::mhive::jacobi {

/// The kernels' view. The iterate x(k) is in x[k % 2].
template <class Value>
struct system_ref {
  std::uint32_t num_rows;
  std::uint32_t num_entries;
  std::uint32_t num_tasks;
  /// Largest number of entries that are summed at once (row_sum.hpp).
  std::uint32_t segment;
  /// Array of num_rows + 1 words.
  std::uint32_t const* row_offsets;
  /// Array of num_entries words.
  std::uint32_t const* columns;
  /// Array of num_entries values.
  Value const* values;
  /// Array of num_rows values.
  Value const* diagonal;
  /// Array of num_rows values.
  Value const* right_side;
  /// Two arrays of num_rows values.
  Value* x[2];
  task const* tasks;
  split_row const* splits;
  /// Array of the sums of segments.
  Value* partials;
  /// Array with the number of finished segments of each split row; zero between iterations.
  std::uint32_t* arrived;
};

/// Owns the arrays. Used by one thread; `machine` outlives it.
template <class Value>
class device_system {
 public:
  device_system(device& machine, system<Value> const& of, task_plan const& plan)
      : machine_(&machine),
        segment_(plan.limits.entries),
        row_offsets_(machine.allocate_copy(narrow(of.matrix.row_offsets))),
        columns_(machine.allocate_copy(of.matrix.columns)),
        values_(machine.allocate_copy(of.matrix.values)),
        diagonal_(machine.allocate_copy(of.diagonal)),
        right_side_(machine.allocate_copy(of.right_side)),
        start_(machine.allocate_copy(std::vector<Value>(of.num_rows(), Value{1}))),
        x_{machine.allocate<Value>(of.num_rows()), machine.allocate<Value>(of.num_rows())},
        tasks_(machine.allocate_copy(plan.tasks)),
        splits_(machine.allocate_copy(plan.splits)),
        partials_(machine.allocate<Value>(plan.num_partials)),
        arrived_(machine.allocate<std::uint32_t>(plan.splits.size())) {}

  /// Sets x to 1 and clears the state of a failed run. Does not wait for the device.
  void reset() {
    machine_->copy_on_device(x_[0], start_);
    machine_->fill_bytes(arrived_, 0);
  }
  [[nodiscard]] system_ref<Value> ref() const {
    return {static_cast<std::uint32_t>(start_.size()),
            static_cast<std::uint32_t>(columns_.size()),
            static_cast<std::uint32_t>(tasks_.size()),
            segment_,
            row_offsets_.data(),
            columns_.data(),
            values_.data(),
            diagonal_.data(),
            right_side_.data(),
            {x_[0].data(), x_[1].data()},
            tasks_.data(),
            splits_.data(),
            partials_.data(),
            arrived_.data()};
  }
  /// Returns this iterate, which must be one of the last two.
  [[nodiscard]] std::vector<double> x(std::uint32_t iteration) const {
    std::vector<Value> const values = machine_->copy_to_host(x_[iteration % 2]);
    return {values.begin(), values.end()};
  }
  [[nodiscard]] std::size_t bytes() const {
    return row_offsets_.bytes() + columns_.bytes() + values_.bytes() + diagonal_.bytes() +
           right_side_.bytes() + 3 * start_.bytes() + tasks_.bytes() + splits_.bytes() +
           partials_.bytes() + arrived_.bytes();
  }
  [[nodiscard]] device& machine() const { return *machine_; }

 private:
  static std::vector<std::uint32_t> narrow(std::vector<std::uint64_t> const& offsets) {
    std::vector<std::uint32_t> result(offsets.size());
    std::transform(offsets.begin(), offsets.end(), result.begin(),
                   [](std::uint64_t at) { return static_cast<std::uint32_t>(at); });
    return result;
  }

  device* machine_;
  std::uint32_t segment_;
  buffer<std::uint32_t> row_offsets_;
  buffer<std::uint32_t> columns_;
  buffer<Value> values_;
  buffer<Value> diagonal_;
  buffer<Value> right_side_;
  buffer<Value> start_;
  buffer<Value> x_[2];
  buffer<task> tasks_;
  buffer<split_row> splits_;
  buffer<Value> partials_;
  buffer<std::uint32_t> arrived_;
};

/// Returns the bytes that an iteration must read and write if no cache keeps them: values, columns,
/// row offsets, right side, and x twice. The bandwidth sets a lower bound on the time for these
/// bytes.
template <class Value>
[[nodiscard]] std::uint64_t floor_bytes(system<Value> const& of) {
  return of.num_entries() * (sizeof(Value) + sizeof(std::uint32_t)) +
         of.num_rows() * (3 * sizeof(Value) + sizeof(std::uint32_t)) + sizeof(std::uint32_t);
}

}  // namespace gridloom::mhive::jacobi
