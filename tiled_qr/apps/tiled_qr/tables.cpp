#include "apps/tiled_qr/tables.hpp"

#include <iterator>
#include <string>

#include "gridloom/bench/measured.hpp"
#include "gridloom/error.hpp"
#include "ours/operation_kernels.hpp"
#include "tiled_qr/levels.hpp"
#include "tiled_qr/task_grid.hpp"

namespace gridloom::tiled_qr {

namespace {

struct task_row {
  task of;
  std::uint64_t number;
  std::uint32_t depth;
};
struct edge_row {
  std::uint64_t from, to;
};

struct operation_row {
  std::string precision;
  int tile;
  operation_facts of;
  int threads_per_multiprocessor;
};

template <class T>
void add_rows(bench::table<operation_row>& to, device& machine, int tile, int threads) {
  std::string const precision = sizeof(T) == sizeof(double) ? "double" : "float";
  for (operation_facts const& one : facts_of_operations<T>(machine, tile, threads))
    to.add({precision, tile, one, machine.properties().threads_per_multiprocessor});
}

}  // namespace

bench::traced_graph graph_of(tiling const& cut) {
  csr_graph predecessors{{0}, {}};
  for (std::uint64_t number = 0; number < count_tasks(cut); ++number) {
    for_each_dependence(task_at(cut, number), [&](task const& before) {
      predecessors.columns.push_back(static_cast<std::uint32_t>(number_of(cut, before)));
    });
    predecessors.row_offsets.push_back(predecessors.columns.size());
  }
  return {transposed(predecessors), {std::begin(task_type_names), std::end(task_type_names)}};
}

std::vector<result_table> dag_tables(tiling const& cut) {
  constexpr std::uint64_t most = 1000;
  std::uint64_t const count = count_tasks(cut);
  if (count > most)
    throw usage_error("--dag: expected at most " + std::to_string(most) + " tasks, got " +
                      std::to_string(count));
  bench::table<task_row> tasks(
      "dag_tasks",
      {{"number", "1", "number of the task", &task_row::number},
       {"operation", "", "operation of the task",
        [](task_row const& r) { return task_type_names[static_cast<int>(r.of.type())]; }},
       {"k", "1", "step", &task_row::of, &task::k},
       {"i", "1", "row of the task's tile", &task_row::of, &task::i},
       {"j", "1", "column of the task's tile", &task_row::of, &task::j},
       {"depth", "1", "number of tasks on the longest path that ends in this task",
        &task_row::depth}});
  bench::table<edge_row> edges(
      "dag_edges", {{"from", "1", "number of the task that must finish first", &edge_row::from},
                    {"to", "1", "number of the task that waits for it", &edge_row::to}});
  std::vector<std::uint32_t> const depths = depths_of(cut);
  for (std::uint64_t number = 0; number < count; ++number) {
    task const of = task_at(cut, number);
    for_each_dependence(of, [&](task const& before) {
      edges.add({number_of(cut, before), number});
    });
    tasks.add({of, number, depths[number]});
  }
  return {tasks.contents(), edges.contents()};
}

result_table operation_table(device& machine, int tile, int threads) {
  if (machine.is_host())
    throw usage_error(
        "--operations: expected a CUDA device, got the host, whose kernels have no register "
        "counts");
  auto const fact = [](int kernel_facts::*which) {
    return [which](operation_row const& r) { return std::int64_t{r.of.kernel.*which}; };
  };
  bench::table<operation_row> all(
      "operations",
      {{"operation", "",
        "operation that the kernel executes; all four: the kernel of --method launches",
        [](operation_row const& r) { return std::string(r.of.operation); }},
       {"precision", "", "float or double", &operation_row::precision},
       {"tile", "1", "rows and columns of a tile", &operation_row::tile},
       {"threads", "1", "threads per block", fact(&kernel_facts::threads)},
       {"registers", "1", "registers per thread", fact(&kernel_facts::registers)},
       {"local_bytes", "bytes", "local memory per thread, used for spilled registers",
        fact(&kernel_facts::local_bytes)},
       {"shared_bytes", "bytes", "shared memory per block", fact(&kernel_facts::shared_bytes)},
       {"blocks_per_multiprocessor", "1",
        "blocks of the kernel that fit on a multiprocessor at once",
        fact(&kernel_facts::blocks_per_multiprocessor)},
       {"occupancy", "1", "share of a multiprocessor's threads that these blocks use",
        [](operation_row const& r) {
          return double(r.of.kernel.blocks_per_multiprocessor) * r.of.kernel.threads /
                 r.threads_per_multiprocessor;
        }}});
  add_rows<double>(all, machine, tile, threads);
  add_rows<float>(all, machine, tile, threads);
  return all.contents();
}

}  // namespace gridloom::tiled_qr
