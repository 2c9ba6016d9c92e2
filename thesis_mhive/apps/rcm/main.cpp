// mhive-rcm: reverse Cuthill-McKee (thesis, 7.3) by several versions, measured in one run.

#include <cstdio>

#include "arms.hpp"
#include "gridloom/bench/catalogue.hpp"
#include "gridloom/bench/inputs.hpp"
#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/printable.hpp"
#include "gridloom/sparse/csr_file.hpp"
#include "gridloom/sparse/order_file.hpp"
#include "mhive/require_workers.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::mhive::rcm;

constexpr std::int64_t most_candidates = 7;  // what the search of `levels` tries side by side

start_options starts_of(std::string const& wanted, std::int64_t candidates,
                        std::uint32_t num_rows) {
  start_options options;
  options.most_candidates = static_cast<std::uint32_t>(candidates);
  if (wanted == "minimum-degree") {
    options.strategy = start_strategy::minimum_degree;
  } else if (wanted != "pseudo-peripheral") {
    if (wanted.empty() || wanted.find_first_not_of("-0123456789") != std::string::npos)
      throw usage_error("--start: expected pseudo-peripheral, minimum-degree or a row, got \"" +
                        wanted + "\"");
    options.strategy = start_strategy::given;
    options.node =
        static_cast<std::uint32_t>(parse_int("--start", wanted, 0, std::int64_t{num_rows} - 1));
  }
  return options;
}

int body(int argc, char** argv) {
  bench::matrix_input matrix;
  bool symmetrise = false;
  std::vector<std::string> names;
  std::string start = "pseudo-peripheral";
  std::int64_t candidates = start_options{}.most_candidates;
  bool with_parts = false;
  std::string order_file;
  std::string pattern_file;
  bench::program app("mhive-rcm", "Orders a matrix by reverse Cuthill-McKee.");
  matrix.add_to(app);
  app.options()("symmetrize", boost::program_options::bool_switch(&symmetrise),
                "order the pattern of A + A^T")(
      "arm", choice_list_option("arm", names, bench::names_of(methods())),
      "versions to run, see --list; all of them by default")(
      "start", text_option(start, "WHERE"),
      "where the order begins: pseudo-peripheral, minimum-degree or a row's number")(
      "candidates", int_option("candidates", candidates, 1, most_candidates),
      "vertices of the last level that the search for a pseudo-peripheral node tries")(
      "parts", boost::program_options::bool_switch(&with_parts),
      "one more run of every arm with the times of its task types")(
      "order", text_option(order_file, "FILE"),
      "writes the order of the first arm that gave one, a row number a line")(
      "pattern", text_option(pattern_file, "FILE"),
      "writes the pattern that is ordered as CSR (HDF5), for a spy plot or another program");
  app.line().add_example("--matrix mario001.mtx.gz --arm levels --order order.txt",
                         "a matrix from a file, and its order");
  app.line().add_example("--generate poisson2d:nx=300,ny=200 --start minimum-degree",
                         "a generated one by all arms");
  app.line().set_list(bench::list_of(methods()) +
                      "starts: pseudo-peripheral minimum-degree NODE\n");
  if (!app.parse(argc, argv)) return exit_done;
  matrix.check(app);
  if (app.line().given("candidates") && start != "pseudo-peripheral")
    throw usage_error("--candidates: goes with --start pseudo-peripheral");
  app.output("order", order_file);
  app.output("pattern", pattern_file);
  mhive::require_workers(app.machine(), app.common().workers);
  problem const given = read_problem(matrix, symmetrise);
  start_options const starts = starts_of(start, candidates, given.pattern.num_rows);

  bench::table<part_row> parts("parts", parts_columns());
  bench::harness<row> all(app, runs_columns());
  show_figures(all);
  if (with_parts) {
    all.observe_arms();
    app.begin({&parts.contents(), 1});
  }
  order_scene scene(app, given, starts, start, parts);
  all.run(scene.arms(names.empty() ? default_methods(app.machine()) : names));

  row const& facts = scene.facts();
  std::printf("%s: %u rows, %llu entries, %zu components, %llu levels, bandwidth %llu\n",
              printable(facts.matrix).c_str(), facts.rows,
              static_cast<unsigned long long>(facts.entries), facts.components,
              static_cast<unsigned long long>(facts.levels),
              static_cast<unsigned long long>(facts.bandwidth_before));
  if (!order_file.empty() && !scene.order().empty()) sparse::write_order(order_file, scene.order());
  if (!pattern_file.empty()) {
    sparse::write_csr(pattern_file, given.pattern, {{"source", given.name}});
  }
  std::vector<result_table> tables{all.runs()};
  if (with_parts) tables.push_back(parts.contents());
  return app.finish(all, tables);
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
