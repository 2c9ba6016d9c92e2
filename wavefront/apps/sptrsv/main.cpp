// wavefront-sptrsv: sparse triangular solve, whose levels are the waves of a real graph.

#include <algorithm>
#include <utility>

#include "../distinct.hpp"
#include "../host_workers.hpp"
#include "arms.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "solve_plan.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::wavefront::sptrsv;

scene make_scene(request const& wanted, std::uint64_t seed) {
  factor_kind const kind = wanted.factor == "lower"   ? factor_kind::lower
                           : wanted.factor == "given" ? factor_kind::given
                                                      : factor_kind::ilu0;
  sparse::any_csr const matrix = wanted.matrix.read();
  bool const own = wanted.values == "stored" &&
                   !std::holds_alternative<sparse::csr_matrix<sparse::no_value>>(matrix);
  scene result{make_lower(wanted.matrix.name(), matrix, kind, own, seed, wanted.matrix.option()),
               {}};
  lower_system const& of = result.of;
  row& base = result.base;
  base.matrix = of.name;
  base.factor = wanted.factor;
  base.values = own ? "stored" : "made";
  base.rows = of.rows();
  base.entries = static_cast<std::int64_t>(of.matrix.num_entries());
  base.bytes = static_cast<std::int64_t>(of.least_bytes());
  for (std::uint32_t r = 0; r < of.rows(); ++r)
    base.longest_row =
        std::max(base.longest_row, static_cast<std::int64_t>(of.matrix.row(r).size()));
  for (std::uint32_t const size : level_sizes(of)) {
    ++base.levels;
    base.widest_level = std::max(base.widest_level, std::int64_t{size});
  }
  return result;
}

void add_options(bench::program& app, request& wanted) {
  wanted.matrix.add_to(app);
  app.options()(
      "factor", choice_option("factor", wanted.factor, {"lower", "given", "ilu0"}),
      "lower: the lower triangle; given: the matrix, which is lower triangular; ilu0: the "
      "unit lower factor of the incomplete LU decomposition without fill")(
      "values", choice_option("values", wanted.values, {"stored", "made"}),
      "of the matrix; made: random ones that dominate by rows, which patterns get anyway")(
      "method", choice_list_option("method", wanted.methods, bench::names_of<method>(all_methods)),
      "who solves, see --list; default: all that the machine has")(
      "block-sizes", int_list_option("block-sizes", wanted.block_sizes, 32, 1024),
      "threads of a block, an arm each")(
      "narrow", int_list_option("narrow", wanted.narrow, 0, 1 << 20),
      "in_order: levels of at most so many rounds are put into packs, a block each; 0: none")(
      "gate", int_list_option("gate", wanted.gate, 0, 1 << 20),
      "in_order: outside packs a warp waits by a word for the level so many before its; 0: not")(
      "flat-warps", int_list_option("flat-warps", wanted.flat_warps, 0, 32),
      "in_order: the least warps of a block that take rounds outside packs; 0: all")(
      "entries-a-lane", int_list_option("entries-a-lane", wanted.entries_a_lane, 1, 1 << 20),
      "a row gets twice the lanes as long as one has more entries");
}

void check_options(bench::program& app, request const& wanted) {
  command_line const& line = app.line();
  wanted.matrix.check(app);
  if (line.given("block-sizes") && line.given("threads"))
    throw usage_error("--block-sizes: cannot go with --threads");
  if (line.given("block-sizes") && app.machine().is_host())
    throw usage_error("--block-sizes: a worker of the host is one thread");
  wavefront::require_host_workers(app);
  auto const asked = [&](auto const& property) {
    return wanted.methods.empty() ||
           std::any_of(wanted.methods.begin(), wanted.methods.end(), [&](std::string const& name) {
             return property(bench::named<method>(all_methods, name, "--method"));
           });
  };
  for (auto const* option : {"narrow", "gate", "flat-warps"}) {
    if (line.given(option) && !asked([](method const& m) { return m.name == "in_order"; }))
      throw usage_error(std::string("--") + option + ": goes with --method in_order");
  }
  for (auto const* option : {"entries-a-lane", "block-sizes"}) {
    bool const shaped = option == std::string_view("block-sizes");
    if (line.given(option) &&
        !asked([&](method const& m) { return m.in_rounds || (shaped && m.name == "sync_free"); }))
      throw usage_error(std::string("--") + option +
                        ": goes with a --method that takes it, such as in_order");
  }
  for (auto const& [list, option] :
       {std::pair{&wanted.block_sizes, "--block-sizes"}, std::pair{&wanted.narrow, "--narrow"},
        std::pair{&wanted.gate, "--gate"}, std::pair{&wanted.flat_warps, "--flat-warps"},
        std::pair{&wanted.entries_a_lane, "--entries-a-lane"}})
    wavefront::require_distinct(*list, option);
}

int body(int argc, char** argv) {
  request wanted;
  bench::program app("wavefront-sptrsv",
                     "Solves sparse triangular systems, whose levels are waves of rows.",
                     {.threads = true});
  add_options(app, wanted);
  app.line().add_example("--generate poisson2d:nx=300,ny=300 --method serial,in_order",
                         "the lower triangle of a generated matrix");
  app.line().add_example("--matrix bcsstk13.mtx.gz --factor ilu0",
                         "an incomplete factor of a matrix from a file");
  app.line().set_list(bench::list_of<method>(all_methods));
  if (!app.parse(argc, argv)) return exit_done;
  check_options(app, wanted);
  scene const of = make_scene(wanted, app.common().seed);
  auto const arms = make_arms(app, wanted, of);
  bench::harness<row> all(app, columns());
  all.show("GB/s",
           [](row const& r, double ms) { return 1e-6 * static_cast<double>(r.bytes) / ms; });
  all.show("ns a level",
           [](row const& r, double ms) { return 1e6 * ms / static_cast<double>(r.levels); });
  all.run(arms);
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
