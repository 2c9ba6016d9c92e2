// mhive-dynamic: searches whose tasks are not known beforehand, under MHive's schedulers and level
// by level.

#include "arms.hpp"
#include "gridloom/error.hpp"
#include "mhive/require_workers.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::mhive::dynamic;

struct request {
  std::string search = "T1";
  std::vector<std::int64_t> batches{64};
  std::int64_t capacity = 1 << 20;
};

void add_options(bench::program& app, request& wanted) {
  app.options()("search", choice_option("search", wanted.search, bench::names_of(all_searches())),
                "what to search, see --list")(
      "batch", int_list_option("batch", wanted.batches, 1, 1 << 30),
      "nodes that a task expands before it enqueues the others")(
      "capacity", int_option("capacity", wanted.capacity, 2, 1 << 26),
      "tasks of a queue (at most 2^18 are used), and nodes with children of a level");
  command_line& line = app.line();
  line.refuse("trace", "this program records no traces; use mhive-generic");
  line.refuse("threads", "the schedulers choose their block sizes");
  line.add_example("--search T3 --batch 1,64", "an unbalanced tree; by 1, a task is a node");
}

bench::schema<row> columns() {
  auto const total = [](std::uint64_t totals::*member) {
    return [member](row const& r) { return static_cast<std::int64_t>(r.found.*member); };
  };
  return {
      {"search", "", "the search, as in --search",
       [](row const& r) { return r.problem->named.name; }},
      {"scheduler", "", "name of the method, as in --scheduler", &row::method},
      {"workers", "1", "requested number of thread blocks or host threads; 0: all that fit",
       &problem::workers},
      {"batch", "1", "nodes that a task expands; -1: the method has no tasks", &row::batch},
      {"capacity", "1", "room of a queue or a level", &problem::capacity},
      {"nodes", "1", "number of nodes", total(&totals::nodes)},
      {"sum", "1", "trees: number of leaves; quadrature: the integral in units of 2^-60",
       total(&totals::sum)},
      {"depth", "1", "depth of the deepest node", total(&totals::deepest)},
      {"tasks", "1", "number of MHive's tasks, modulo 2^32; -1: none", &row::tasks},
      {"largest_level", "1", "nodes with children in the largest level; -1: not by level",
       &row::largest_level},
      {"rounds", "1", "rounds of the controller, or levels; 0: the method has none", &row::done,
       &mhive::report::rounds},
  };
}

int body(int argc, char** argv) {
  request wanted;
  bench::program app(
      "mhive-dynamic",
      "Searches trees whose nodes are found during the search, and measures the time.");
  bench::methods<row> const ways(app, "scheduler", "methods to run, see --list; default: all",
                                 all_methods());
  add_options(app, wanted);
  app.line().set_list(ways.list() + "searches:\n" + bench::list_of(all_searches()));
  if (!app.parse(argc, argv)) return exit_done;
  mhive::require_workers(app.machine(), app.common().workers);
  problem of{app.machine(), bench::named(all_searches(), wanted.search, "--search"),
             app.common().workers, app.common().timeout_s,
             static_cast<std::uint64_t>(wanted.capacity)};
  bench::sweep<settings> over;
  over.over("batch", wanted.batches, &settings::batch, "batch ");
  auto arms = ways.arms(
      of, [](auto const&) { return settings{}; }, over);
  for (auto& one : arms) one.verify_each = true;
  bench::harness<row> all(app, columns());
  all.show("nodes/s",
           [](row const& r, double ms) { return static_cast<double>(r.found.nodes) / ms * 1e3; });
  all.run(arms);
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
