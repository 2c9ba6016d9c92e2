// wavefront-sptrsv: sparse triangular solve. The levels of the matrix are its wavefronts.

#include <utility>

#include "arms.hpp"
#include "gridloom/bench/inputs.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::wavefront::sptrsv;

/// The options that choose L.
struct source {
  bench::matrix_input matrix;
  std::string factor = "lower";
  std::string values = "stored";
};

scene make_scene(bench::program& app, source const& from) {
  factor_kind const kind = from.factor == "lower"   ? factor_kind::lower
                           : from.factor == "given" ? factor_kind::given
                                                    : factor_kind::ilu0;
  sparse::any_csr const matrix = from.matrix.read();
  bool const own = from.values == "stored" &&
                   !std::holds_alternative<sparse::csr_matrix<sparse::no_value>>(matrix);
  return {
      app,
      make_lower(from.matrix.name(), matrix, kind, own, app.common().seed, from.matrix.option()),
      from.factor, own ? "stored" : "made"};
}

void add_options(bench::program& app, source& from, request& wanted) {
  from.matrix.add_to(app);
  app.options()(
      "factor", choice_option("factor", from.factor, {"lower", "given", "ilu0"}),
      "L; lower: the lower triangle; given: the matrix, which must be lower triangular; ilu0: "
      "the unit lower factor of the incomplete LU decomposition without fill")(
      "values", choice_option("values", from.values, {"stored", "made"}),
      "values of the matrix; made: random and diagonally dominant, always used for patterns")(
      "block-sizes", int_list_option("block-sizes", wanted.block_sizes, 32, 1024),
      "threads per block; one arm per value")("narrow",
                                              int_list_option("narrow", wanted.narrow, 0, 1 << 20),
                                              "in_order: put levels with at most this many rounds "
                                              "into packs; one block solves a pack; 0: no packs")(
      "gate", int_list_option("gate", wanted.gate, 0, 1 << 20),
      "in_order: outside packs a warp first waits for one word of the level this many levels "
      "before; 0: it does not")(
      "flat-warps", int_list_option("flat-warps", wanted.flat_warps, 0, 32),
      "in_order: least number of warps per block that take rounds outside packs; 0: all")(
      "entries-a-lane", int_list_option("entries-a-lane", wanted.entries_a_lane, 1, 1 << 20),
      "double the lanes of a row while a lane has more entries than this");
}

int body(int argc, char** argv) {
  source from;
  request wanted;
  bench::program app("wavefront-sptrsv",
                     "Solves sparse triangular systems, row by row or level by level.",
                     {.threads = true});
  add_options(app, from, wanted);
  bench::methods<row, traits> const ways(
      app, "method", "methods to run, see --list; default: all that the machine supports",
      all_methods());
  app.line().add_rules(
      {{.option = "block-sizes",
        .excludes = {"threads"},
        .not_on_host = "has no effect on the host, where a worker is one thread; expected "
                       "--backend cuda"}});
  app.line().add_example("--generate poisson2d:nx=300,ny=300 --method serial,in_order",
                         "the lower triangle of a generated matrix");
  app.line().add_example("--matrix bcsstk13.mtx.gz --factor ilu0",
                         "an incomplete factor of a matrix from a file");
  if (!app.parse(argc, argv)) return exit_done;
  from.matrix.check(app);
  scene in = make_scene(app, from);
  auto const arms = ways.arms(
      in, [&](method const& one) { return base_of(app, one); }, sweep_of(app, wanted));
  bench::harness<row> all(app, columns());
  all.show("GB/s", [](row const& r, double ms) {
    return 1e-6 * static_cast<double>(r.problem->of.least_bytes()) / ms;
  });
  all.show("ns per level", [](row const& r, double ms) {
    return 1e6 * ms / static_cast<double>(r.problem->depth);
  });
  all.run(arms);
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
