#pragma once
// What the problems of heat, jacobi, sat and int_hist share: one input and one result on a grid of
// tiles, and the checks of results. Only sources that launch kernels include this header.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/grid/large.hpp"
#include "apps/grid/tiling.hpp"
#include "apps/juggler/methods.hpp"
#include "apps/juggler/problem.hpp"

namespace gridloom::juggler {

/// `source(row, col)` is a cell of an input that is made on the machine (checking::sampled).
template <class In, class Out, class Source>
class grid_problem : public problem {
 public:
  task_dag const& dag() const final { return graph_.context.dag(); }
  void load() final {
    if (is_sampled_) {
      fill_tiles(*machine_, input_, cut_, source_);
    } else {
      if (tiles_.empty()) tiles_ = input_by_tiles();
      machine_->copy_to_device(input_, std::span<In const>(tiles_));
    }
    clear();
  }
  void fetch() final {
    if (!is_sampled_) found_ = machine_->copy_to_host(result());
  }
  double verify() final {
    if (is_sampled_) {
      hashes_.require(hashes_of(*machine_, result(), cut_.tiles()), cut_.tile_rows(),
                      cut_.tile_cols(), [&](std::int64_t i, std::int64_t j) { check_tile(i, j); });
    } else {
      checked_.require([&] { check_all(); }, found_);
    }
    return 0;
  }

 protected:
  /// The derived class sets `graph_`.
  grid_problem(device& machine, tiling const& cut, Source const& source, kernel_kind kernels,
               bool is_sampled)
      : machine_(&machine),
        cut_(cut),
        source_(source),
        kernels_(kernels),
        is_sampled_(is_sampled),
        input_(machine.allocate<In>(static_cast<std::size_t>(cut.cells()))) {}

  /// The whole input for the host. Here it is made on the machine.
  virtual std::vector<In> input_by_tiles() {
    fill_tiles(*machine_, input_, cut_, source_);
    return machine_->copy_to_host(input_);
  }
  /// Overwrites what a run must not find.
  virtual void clear() {}
  [[nodiscard]] virtual buffer<Out> const& result() const = 0;
  /// Compares `found_` with the serial version. Throws wrong_result, as check_tile() does.
  virtual void check_all() const = 0;
  /// Computes a tile of the result again from its neighbours and the source.
  virtual void check_tile(std::int64_t i, std::int64_t j) const = 0;

  /// A tile of a result with one element per cell.
  [[nodiscard]] std::vector<Out> tile_at(std::int64_t i, std::int64_t j) const {
    return copied(*machine_, result(), cut_.begin(i, j), cut_.tile_cells());
  }
  template <class Loops>
  std::unique_ptr<executor> by_loops(std::string_view method, execution_settings const& how,
                                     Loops const& loops) const {
    return methods_of_loops::make(method, *machine_, dag(), graph_.context.data(), how, loops);
  }
  template <class App, class... Own>
  std::unique_ptr<executor> by_tasks(std::string_view method, execution_settings const& how,
                                     App const& app,
                                     std::pair<char const*, Own> const&... own) const {
    return make_method(method, *machine_, dag(), graph_.context.data(), how, app, own...);
  }

  device* machine_;
  tiling cut_;
  Source source_;
  kernel_kind kernels_;
  bool is_sampled_;
  std::vector<In> tiles_;
  buffer<In> input_;
  inspected<tile_place> graph_;
  std::vector<Out> found_;

 private:
  checked_results<Out> checked_;
  checked_hashes hashes_;
};

}  // namespace gridloom::juggler
