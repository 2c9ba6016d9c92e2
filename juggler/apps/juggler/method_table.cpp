#include "method_table.hpp"

#include "apps/grid/tiling.hpp"
#include "apps/int_hist/carries.hpp"
#include "apps/jacobi/temporal.hpp"
#include "apps/sat/carries.hpp"
#include "apps/sat/look_back.hpp"
#include "gridloom/bench/catalogue.hpp"

namespace gridloom::juggler {

namespace {

constexpr std::string_view of_lud[] = {"lud"};
constexpr std::string_view of_strips[] = {"dtw", "sw"};
constexpr std::string_view of_sat[] = {"sat"};
constexpr std::string_view of_tables[] = {"sat", "int_hist"};
constexpr std::string_view of_jacobi[] = {"jacobi"};

constexpr method entries[] = {
    {.name = "lrr",
     .what = "paper, LRR: a worker deals the tasks that it frees to all workers in turn",
     .queues = true,
     .places = true},
    {.name = "grr",
     .what = "paper, GRR: the same by one counter for all workers",
     .queues = true,
     .places = true},
    {.name = "lf",
     .what = "paper, LF: the first freed task stays with its worker, the others go to the next",
     .queues = true,
     .places = true},
    {.name = "lts",
     .what = "ours: the first stays and needs no queue, the others go to the shorter of two queues",
     .queues = true,
     .places = true},
    {.name = "lts-slots",
     .what = "ours: the same, with queues that are polled entry by entry",
     .queues = true,
     .places = true},
    {.name = "barriers",
     .what =
         "paper, global barriers: one launch per wave of tasks that do not depend on each other",
     .waves = true},
    {.name = "graph", .what = "rival: the same launches as a CUDA graph", .waves = true},
    {.name = "graph_pdl",
     .what = "rival: the same with programmatic dependent launch",
     .waves = true},
    {.name = "grid_sync",
     .what = "rival: one launch with a barrier of the grid after each wave",
     .places = true},
    {.name = "static_lists",
     .what = "rival: lists of tasks that the host dealt to workers, one word per task",
     .places = true},
    {.name = "ticket",
     .what = "rival: one such list, from which workers draw by an atomic counter",
     .places = true},
    {.name = "chains",
     .what = "ours: such lists, in which a worker goes on with children of what it executed",
     .places = true},
    {.name = "diagonal",
     .what =
         "dtw, sw, rival: one launch; a block goes down columns of tiles, one counter per column",
     .only_for = of_strips},
    {.name = "look_back",
     .what = "sat, rival: one pass by flags, each block looks back along the tiles before its own",
     .tasks = false,
     .only_for = of_sat},
    {.name = "carries",
     .what = "sat, int_hist, ours: one pass by diagonals; a tile adds up before it waits for the "
             "words of its neighbours",
     .tasks = false,
     .only_for = of_tables},
    {.name = "temporal",
     .what = "jacobi, rival: each block keeps a tile in shared memory over all steps and trades "
             "borders; a worker a tile, whatever --workers says",
     .tasks = false,
     .only_for = of_jacobi},
    {.name = "cusolver",
     .what = "lud, rival: cuSOLVER's getrf without pivoting, on the whole matrix",
     .tasks = false,
     .needs_gpu = true,
     .only_for = of_lud},
    {.name = "updates",
     .what =
         "lud: the trailing updates of the first step alone, by the tiles' kernel in one launch",
     .tasks = false,
     .only_for = of_lud},
    {.name = "dgemm",
     .what = "lud: cuBLAS's product of two matrices of that size, which updates is held against",
     .tasks = false,
     .needs_gpu = true,
     .only_for = of_lud},
    {.name = "dgemm_update",
     .what = "lud: cuBLAS's product of the shape of updates, on the whole matrix in place",
     .tasks = false,
     .needs_gpu = true,
     .only_for = of_lud},
    {.name = "serial", .what = "one host thread, in the order of the serial program"},
    {.name = "floor",
     .what = "dtw, sw: the tiles' kernel alone, on strips that wait for nothing",
     .tasks = false,
     .only_for = of_strips},
};

}  // namespace

std::span<method const> methods() { return entries; }

method const& method_of(std::string_view name) {
  return bench::named<method>(entries, name, "--method");
}

bool can_take(device& machine, method const& how, subject const& what, int workers) {
  if (how.needs_gpu && machine.is_host()) return false;
  // Methods whose blocks keep a tile have a largest tile.
  if (how.name == "look_back") return what.tile <= sat::largest_look_back_tile;
  if (how.name == "carries")
    return what.app == "sat" ? what.tile <= sat::largest_carried_tile
                             : int_hist::fits_carries(what.tile, what.bins);
  if (how.name == "updates" || how.name == "dgemm_update") return what.tile < what.rows;
  if (how.name != "temporal") return true;
  std::int64_t const side = tiling{what.rows, what.rows, what.tile}.tile_rows();
  return what.tile <= jacobi::largest_kept_tile && (workers == 0 || workers == side * side) &&
         side * side <= machine.properties().multiprocessors;
}

}  // namespace gridloom::juggler
