// mhive-rcm: reverse Cuthill-McKee (thesis, 7.3) by several versions, which one run measures.

#include <cstdio>

#include "arms.hpp"
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

/// Largest number of candidates from which the arm `levels` searches at the same time.
constexpr std::int64_t most_candidates = 7;

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

struct request {
  bench::matrix_input matrix;
  bool symmetrise = false, with_parts = false;
  std::string start = "pseudo-peripheral", order_file, pattern_file;
  std::int64_t candidates = start_options{}.most_candidates;
};

void add_options(bench::program& app, request& wanted) {
  wanted.matrix.add_to(app);
  app.options()("symmetrize", boost::program_options::bool_switch(&wanted.symmetrise),
                "order the pattern of A + A^T")(
      "start", text_option(wanted.start, "WHERE"),
      "start node: pseudo-peripheral, minimum-degree or a row's number")(
      "candidates", int_option("candidates", wanted.candidates, 1, most_candidates),
      "how many vertices of the last level the search for a pseudo-peripheral node tries")(
      "parts", boost::program_options::bool_switch(&wanted.with_parts),
      "run every arm once more and store the times of its task types")(
      "order", text_option(wanted.order_file, "FILE"),
      "write the order of the first arm that found one, one row number per line")(
      "pattern", text_option(wanted.pattern_file, "FILE"),
      "write the pattern of the matrix in CSR form (HDF5), for a spy plot or another program");
  app.line().add_rules({{.option = "candidates", .needs = {"start pseudo-peripheral"}}});
  app.line().add_example("--matrix mario001.mtx.gz --arm levels --order order.txt",
                         "a matrix from a file; the order goes to a file");
  app.line().add_example("--generate poisson2d:nx=300,ny=200 --start minimum-degree",
                         "a generated matrix with all arms");
}

void print_facts(scene const& of) {
  std::printf("%s: %u rows, %llu entries, %zu components, %llu levels, bandwidth %llu\n",
              printable(of.given.name).c_str(), of.given.pattern.num_rows,
              static_cast<unsigned long long>(of.given.pattern.num_entries()),
              of.expected.components.size(), static_cast<unsigned long long>(of.levels()),
              static_cast<unsigned long long>(of.bandwidth_before));
}

int body(int argc, char** argv) {
  request wanted;
  bench::program app("mhive-rcm",
                     "Orders a sparse matrix by reverse Cuthill-McKee, and measures the time.");
  bench::methods<row, traits> const ways(
      app, "arm", "arms to run, see --list; default: all that the machine supports", all_methods());
  add_options(app, wanted);
  app.line().set_list(ways.list() + "starts: pseudo-peripheral minimum-degree NODE\n");
  if (!app.parse(argc, argv)) return exit_done;
  wanted.matrix.check(app);
  app.output("order", wanted.order_file);
  app.output("pattern", wanted.pattern_file);
  // Refuses wrong options before the matrix is read.
  (void)ways.entries();
  mhive::require_workers(app.machine(), app.common().workers);
  problem given = read_problem(wanted.matrix, wanted.symmetrise);
  start_options const starts = starts_of(wanted.start, wanted.candidates, given.pattern.num_rows);

  bench::harness<row> all(app, columns());
  all.show_median("start ms", [](row const& r) { return r.run.start_ms; });
  all.show_median("order ms", [](row const& r) { return r.run.order_ms; });
  all.show("bandwidth", [](row const& r, double) { return r.bandwidth; });
  scene of(app, std::move(given), starts);
  if (wanted.with_parts) {
    all.observe_arms();
    app.begin({&of.parts.contents(), 1});
  }
  auto arms = ways.arms(of, [&](method const& one) {
    bool const own = one.traits.own_starts;
    return settings{own ? "own" : wanted.start, own};
  });
  for (auto& one : arms) one.verify_each = !one.as_it_is;
  all.run(arms);

  print_facts(of);
  if (!wanted.order_file.empty() && !of.order.empty())
    sparse::write_order(wanted.order_file, of.order);
  if (!wanted.pattern_file.empty())
    sparse::write_csr(wanted.pattern_file, of.given.pattern, {{"source", of.given.name}});
  std::vector<result_table> tables{all.runs()};
  if (wanted.with_parts) tables.push_back(of.parts.contents());
  return app.finish(all, tables);
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
