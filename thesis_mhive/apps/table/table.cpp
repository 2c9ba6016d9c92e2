// Builds tables (chapter 4): legs and tabletops are made in the first phase, in any order, and
// tables are assembled in the second.

#include <iostream>
#include <numeric>
#include <string_view>
#include <vector>

#include "gridloom/parse.hpp"
#include "mhive/program.hpp"

using namespace gridloom;

struct workshop {
  // The number of legs that were made for each table.
  int* legs;
  int* tops;
  // 1 for a table that was assembled from four legs and a top.
  int* complete;
};

struct assemble {
  // The number of the table.
  using work_item = int;
  static constexpr int worker_size = 1;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, int table) {
    workshop const& shop = context.data();
    shop.complete[table] = shop.legs[table] == 4 && shop.tops[table] == 1;
  }
};

struct create_leg {
  using work_item = int;
  static constexpr int worker_size = 1;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, int table) {
    direct_memory{}.fetch_add_relaxed(context.data().legs + table, 1);
  }
};

struct create_tabletop {
  using work_item = int;
  static constexpr int worker_size = 32;
  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, int table) {
    if (context.worker().thread_rank() != 0) return;
    context.data().tops[table] = 1;
    context.template enqueue<assemble>(table);
  }
};

using table_queue =
    mhive::phase_queue<mhive::phaseless<>, mhive::phase<create_leg, create_tabletop>,
                       mhive::phase<assemble>>;

namespace {

int make_tables() {
  constexpr int tables = 1000;
  device machine{"auto", 0};
  auto parts = machine.allocate_copy(std::vector<int>(3 * tables, 0));
  workshop const shop{parts.data(), parts.data() + tables, parts.data() + 2 * tables};

  mhive::program<table_queue> program{machine, {.capacity = 4 * tables}};
  std::vector<int> numbers(tables);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (int leg = 0; leg < 4; ++leg) program.enqueue<create_leg>(numbers);
  program.enqueue<create_tabletop>(numbers);
  mhive::report const done = program.run<mhive::megakernel>(shop);

  auto const made = machine.copy_to_host(parts);
  int const complete = std::accumulate(made.begin() + 2 * tables, made.end(), 0);
  std::cout << complete << " of " << tables << " tables in " << done.elapsed_ms << " ms\n";
  return complete == tables ? 0 : 1;
}

constexpr char const* help =
    "Makes 1000 tables of legs and tops, the example of chapter 4, and counts those that are "
    "complete.\n\nUsage: mhive-example-table [--help]\n\n"
    "Exit codes: 0 all are complete; 1 failed; 2 bad usage.\n";

}  // namespace

int main(int argc, char** argv) {
  std::string_view const first = argc > 1 ? argv[1] : "";
  if (argc == 2 && (first == "--help" || first == "-h")) {
    std::cout << help;
    return 0;
  }
  if (argc > 1) {
    std::cerr << "mhive-example-table: expected no argument or --help, got "
              << in_quotes(argc > 2 ? argv[2] : argv[1]) << '\n';
    return 2;
  }
  return make_tables();
}
