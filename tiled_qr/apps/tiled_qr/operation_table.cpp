#include "apps/tiled_qr/operation_table.hpp"

#include <string>

#include "gridloom/bench/measured.hpp"
#include "gridloom/error.hpp"
#include "ours/operation_kernels.hpp"

namespace gridloom::tiled_qr {

namespace {

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

result_table operation_table(device& machine, int tile, int threads) {
  if (machine.is_host())
    throw usage_error(
        "--operations: expected a CUDA device, whose kernels have registers; got the host");
  auto const fact = [](int kernel_facts::*which) {
    return [which](operation_row const& r) { return std::int64_t{r.of.kernel.*which}; };
  };
  bench::table<operation_row> all(
      "operations",
      {{"operation", "", "operation that the kernel holds; all four: that of one launch per level",
        [](operation_row const& r) { return std::string(r.of.operation); }},
       {"precision", "", "float or double", &operation_row::precision},
       {"tile", "1", "rows and columns of a tile", &operation_row::tile},
       {"threads", "1", "threads of a block", fact(&kernel_facts::threads)},
       {"registers", "1", "of a thread", fact(&kernel_facts::registers)},
       {"local_bytes", "bytes", "spilled, of a thread", fact(&kernel_facts::local_bytes)},
       {"shared_bytes", "bytes", "shared memory of a block", fact(&kernel_facts::shared_bytes)},
       {"blocks_per_multiprocessor", "1", "blocks that a multiprocessor holds",
        fact(&kernel_facts::blocks_per_multiprocessor)},
       {"occupancy", "1", "their threads, of those that a multiprocessor holds at most",
        [](operation_row const& r) {
          return double(r.of.kernel.blocks_per_multiprocessor) * r.of.kernel.threads /
                 r.threads_per_multiprocessor;
        }}});
  add_rows<double>(all, machine, tile, threads);
  add_rows<float>(all, machine, tile, threads);
  return all.contents();
}

}  // namespace gridloom::tiled_qr
