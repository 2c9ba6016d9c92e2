// Host rivals with one OpenMP task per tile of tasks, or per task: a tile of one. Dependences are
// `depend` clauses. The predecessors of each tile are computed before the run.

#include <omp.h>

#include <algorithm>

#include "wavefront/support/scheduler.hpp"

namespace gridloom::wavefront {

namespace {

/// Tiles of a lattice: cubes of cells. The tiles form a lattice, too.
class lattice_tiles {
 public:
  lattice_tiles(lattice graph, std::uint32_t side)
      : graph_(graph),
        side_(side),
        tiles_(parts(graph.rows()), parts(graph.cols()), parts(graph.depth())) {}

  std::uint32_t count() const { return tiles_.tasks(); }
  short_list predecessors(std::uint32_t tile) const { return tiles_.predecessors(tile); }
  std::uint64_t bytes() const { return 0; }

  template <class Run>
  void for_each(std::uint32_t tile, Run const& run) const {
    std::uint32_t const z = tile / tiles_.plane() * side_;
    std::uint32_t const row = tile % tiles_.plane() / tiles_.cols() * side_;
    std::uint32_t const col = tile % tiles_.cols() * side_;
    for (std::uint32_t k = z; k < end(z, graph_.depth()); ++k) {
      for (std::uint32_t i = row; i < end(row, graph_.rows()); ++i) {
        for (std::uint32_t j = col; j < end(col, graph_.cols()); ++j)
          run(k * graph_.plane() + i * graph_.cols() + j);
      }
    }
  }

 private:
  std::uint32_t parts(std::uint32_t length) const { return (length - 1) / side_ + 1; }
  std::uint32_t end(std::uint32_t begin, std::uint32_t length) const {
    return std::min(begin + side_, length);
  }

  lattice graph_;
  std::uint32_t side_;
  lattice tiles_;
};

/// Tiles of any graph: consecutive tasks of a topological order.
class listed_tiles {
 public:
  listed_tiles(dag_ref const& graph, std::vector<std::uint32_t> const& order, std::uint32_t length)
      : order_(&order), length_(length) {
    auto const n = static_cast<std::uint32_t>(order.size());
    std::vector<std::uint32_t> tile_of(n);
    for (std::uint32_t i = 0; i < n; ++i) tile_of[order[i]] = i / length;
    std::vector<std::uint32_t> seen_by(count(), no_task);
    for (std::uint32_t i = 0; i < n; ++i) {
      std::uint32_t const tile = i / length;
      if (i % length == 0) offsets_.push_back(tiles_.size());
      auto const from = graph.predecessors(order[i]);
      for (std::uint32_t k = 0; k < from.size(); ++k) {
        std::uint32_t const other = tile_of[from[k]];
        if (other == tile || seen_by[other] == tile) continue;
        seen_by[other] = tile;
        tiles_.push_back(other);
      }
    }
    offsets_.push_back(tiles_.size());
  }

  std::uint32_t count() const {
    return static_cast<std::uint32_t>((order_->size() - 1) / length_ + 1);
  }
  index_range predecessors(std::uint32_t tile) const {
    return {tiles_.data() + offsets_[tile],
            static_cast<std::uint32_t>(offsets_[tile + 1U] - offsets_[tile])};
  }
  std::uint64_t bytes() const {
    return 4 * (order_->size() + tiles_.size()) + sizeof(std::size_t) * offsets_.size();
  }

  template <class Run>
  void for_each(std::uint32_t tile, Run const& run) const {
    std::size_t const begin = std::size_t{tile} * length_;
    std::size_t const end = std::min(begin + length_, order_->size());
    for (std::size_t i = begin; i < end; ++i) run((*order_)[i]);
  }

 private:
  std::vector<std::uint32_t> const* order_;
  std::uint32_t length_;
  std::vector<std::size_t> offsets_;
  std::vector<std::uint32_t> tiles_;
};

template <class Graph, class Tiles>
class omp_tiles : public body_executor {
 public:
  omp_tiles(scheduler_setup const& setup, std::uint32_t tile, Graph const& graph, Tiles tiles)
      : body_executor(setup),
        workers_(setup.config.blocks),
        tile_(tile),
        graph_(graph),
        tiles_(std::move(tiles)),
        marks_(tiles_.count()) {}

  [[nodiscard]] std::size_t bytes() const override { return marks_.size() + tiles_.bytes(); }
  [[nodiscard]] std::uint64_t finished() override {
    std::uint64_t sum = 0;
    for (auto const& own : threads_) sum += own.tasks;
    return sum;
  }

 private:
  struct alignas(line_bytes) thread_state {
    watch patience;
    std::uint64_t tasks = 0;
  };

  void reset_state() override { threads_.clear(); }
  void launch() override {
    std::visit([&](auto const& own) { run_all(own); }, body_);
  }
  [[nodiscard]] thread_state& own_state() {
    return threads_[static_cast<std::size_t>(omp_get_thread_num())];
  }
  /// Whether the run's time is up. Threads ask before they run a task.
  [[nodiscard]] bool stopped() {
    direct_memory memory;
    return own_state().patience.stop(memory, wait_kind::own_work, 0, 0, 0);
  }
  template <class Body>
  void run_all(Body const& body) {
    char* const mark = marks_.data();
    bool const long_tasks = tile_ > 1 || body.takes_long();
    for (int worker = 0; worker < workers_; ++worker)
      threads_.push_back({watch(stopper_, worker, long_tasks)});
    Graph const graph = graph_;
    std::uint32_t const n = tiles_.count();
#pragma omp parallel num_threads(workers_)
#pragma omp single
    // The clock is read at every 64th tile that is created.
    for (std::uint32_t tile = 0; tile < n && !(tile % 64 == 0 && stopped()); ++tile) {
      auto const from = tiles_.predecessors(tile);
      int const degree = static_cast<int>(from.size());
#pragma omp task depend(iterator(int k = 0                                                 \
                                 : degree),                                                \
                        in                                                                 \
                        : mark[from[static_cast <std::uint32_t>(k)]]) depend(out           \
                                                                             : mark[tile]) \
    firstprivate(tile)
      {
        std::uint64_t executed = 0;
        bool late = false;
        tiles_.for_each(tile, [&](std::uint32_t task) {
          if (executed == 0 || body.takes_long()) late = late || stopped();
          if (late) return;
          body(thread_of_one(0, 1), graph, task);
          ++executed;
        });
        own_state().tasks += executed;
      }
    }
  }

  int workers_;
  std::uint32_t tile_;
  Graph graph_;
  Tiles tiles_;
  /// One mark per tile. The addresses of the marks stand in the `depend` clauses.
  std::vector<char> marks_;
  std::vector<thread_state> threads_;
};

std::unique_ptr<body_executor> make(scheduler_setup const& setup, std::uint32_t tile) {
  if (setup.graph.is_lattice()) {
    lattice const graph = setup.graph.shape();
    return std::make_unique<omp_tiles<lattice, lattice_tiles>>(setup, tile, graph,
                                                               lattice_tiles(graph, tile));
  }
  auto const graph = std::get<dag_ref>(setup.graph.view());
  return std::make_unique<omp_tiles<dag_ref, listed_tiles>>(
      setup, tile, graph, listed_tiles(graph, setup.graph.levels().tasks, tile));
}

}  // namespace

std::unique_ptr<body_executor> make_omp_tasks(scheduler_setup const& setup) {
  return make(setup, 1);
}
std::unique_ptr<body_executor> make_omp_tiles(scheduler_setup const& setup) {
  return make(setup, setup.config.tile);
}

}  // namespace gridloom::wavefront
