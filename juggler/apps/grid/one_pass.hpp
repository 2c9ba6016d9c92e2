#pragma once
// The executor of a rival that launches its own kernel once, without tasks. Only sources that
// launch kernels include this header.

#include <cstdint>
#include <utility>
#include <vector>

#include "gridloom/taskgraph/executed_counts.hpp"
#include "gridloom/taskgraph/one_launch.hpp"
#include "juggler/executor.hpp"

namespace gridloom::juggler {

/// Words in device memory, 0 at first. Runs are numbered from 1, so no word begins with the number
/// of a run.
class word_store {
 public:
  explicit word_store(device& machine) : machine_(&machine) {}
  template <class T>
  T* make(std::int64_t count) {
    std::size_t const bytes = static_cast<std::size_t>(count) * sizeof(T);
    all_.push_back(machine_->allocate<std::uint64_t>((bytes + 7) / 8));
    machine_->fill_bytes(all_.back(), 0);
    return reinterpret_cast<T*>(all_.back().data());
  }
  /// Sets all words to 0.
  void clear() {
    for (auto const& one : all_) machine_->fill_bytes(one, 0);
  }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    for (auto const& one : all_) sum += one.bytes();
    return sum;
  }

 private:
  device* machine_;
  std::vector<buffer<std::uint64_t>> all_;
};

/// This class sets the members of `Kernel`: `dog`; `executed`, an array in which each worker stores
/// how many parts it executed; `trace`, if there is one; and `run`, the number of the run from 1 on.
/// For a kernel without `run`, all words are 0 before a run. At the end of a run, the numbers of
/// executed parts must add up to `parts`.
template <class Kernel>
class one_pass final : public one_launch<Kernel> {
 public:
  one_pass(device& machine, execution_settings const& settings, std::uint64_t parts,
           word_store words, Kernel const& kernel)
      : one_launch<Kernel>(machine, settings),
        parts_(parts),
        words_(std::move(words)),
        kernel_(kernel),
        executed_(machine, settings.workers) {
    kernel_.executed = executed_.data();
  }

  void run([[maybe_unused]] trace_ref trace) override {
    if constexpr (requires { kernel_.run; }) {
      ++kernel_.run;
    } else {
      words_.clear();
    }
    if constexpr (requires { kernel_.trace; }) kernel_.trace = trace;
    kernel_.dog = this->dog_.arm();
    this->launch(kernel_);
  }
  void require_done() override { require_all(this->dog_, finished(), parts_); }
  std::uint64_t finished() override { return executed_.finished(); }
  load_range loads() override { return executed_.loads(); }
  std::size_t bytes() const override { return words_.bytes() + executed_.bytes(); }

 private:
  std::uint64_t parts_;
  word_store words_;
  Kernel kernel_;
  executed_counts executed_;
};

}  // namespace gridloom::juggler
