// A complete program: each number of a table becomes the sum of all numbers above and to the left.
// The table has 12 × 12 tiles of 64 × 64 numbers. One task adds up a tile's columns, another its
// rows. The README explains this program.
#include <iostream>

#include "juggler/juggler.hpp"

using namespace gridloom;

enum kind : std::uint32_t { down, right };
constexpr char usage[] =
    "usage: juggler-example [auto|host|cuda [lrr|grr|grr-block|lf|lf-task|lts|lts-slots]]";
constexpr int tiles = 12, side = 64, cells = side * side;

struct table_sums {
  struct task_data {
    // Where the tile and the one before it begin in `table` (-1: none).
    int tile, before;
  };
  struct scratch {};
  static constexpr int max_threads = 256;
  std::uint32_t* table;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, std::uint32_t type, task_data at, scratch&) const {
    int const step = type == down ? side : 1, line = type == down ? 1 : side;
    for (int k = block.thread_rank(); k < side; k += block.num_threads()) {
      std::uint32_t* const own = table + at.tile + k * line;
      std::uint32_t sum = at.before < 0 ? 0 : table[at.before + k * line + (side - 1) * step];
      for (int n = 0; n < side; ++n) own[n * step] = sum += own[n * step];
    }
  }
};

int main(int argc, char** argv) try {
  std::string const where = argc > 1 ? argv[1] : "auto";
  if (where == "--help") return std::cout << usage << '\n', exit_done;
  if (argc > 3 || (where != "auto" && where != "host" && where != "cuda")) throw usage_error(usage);
  device machine(where, 0);
  auto const table = machine.allocate_copy(std::vector<std::uint32_t>(tiles * tiles * cells, 1));
  table_sums const app{table.data()};
  juggler::app_context<table_sums::task_data> context;
  for (kind const type : {down, right}) {
    for (int t = 0; t < tiles * tiles; ++t) {
      bool const at_edge = type == down ? t < tiles : t % tiles == 0;
      int const before = at_edge ? -1 : (t - (type == down ? tiles : 1)) * cells;
      juggler::task_id const task = context.add_task(type, {t * cells, before});
      if (!at_edge) context.process_in_dep(task, app.table, before, cells);
      context.process_inout_dep(task, app.table, t * cells, cells);
    }
  }
  context.build_csr();
  auto const run = juggler::make_runtime(argc > 2 ? argv[2] : "lts", machine, context, app);
  run->run();
  run->require_done();
  std::vector<std::uint32_t> const sums = machine.copy_to_host(table);
  for (int c = 0; c < tiles * tiles * cells; ++c) {
    int const tile = c / cells, row = tile / tiles * side + c % cells / side;
    int const col = tile % tiles * side + c % side, expected = (row + 1) * (col + 1);
    if (sums[c] != static_cast<unsigned>(expected)) throw wrong_result("a sum is wrong");
  }
  std::cout << sums.size() << " sums by " << context.tasks() << " tasks are right\n";
} catch (std::exception const& error) {
  std::cerr << "juggler-example: " << error.what() << '\n';
  return dynamic_cast<usage_error const*>(&error) != nullptr ? exit_usage : exit_failed;
}
