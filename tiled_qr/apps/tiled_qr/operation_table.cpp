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
