// template_artifact: one experiment, from the command line to a results file.

#include <cstdio>

#include "gridloom/bench/experiment.hpp"
#include "gridloom/bench/results.hpp"
#include "template_artifact/scale.hpp"

namespace {

using namespace gridloom;

int body(int argc, char** argv) {
  int n = 1 << 20;
  command_line line("template_artifact", "Scales a vector.");
  boost::program_options::options_description own("Experiment");
  own.add_options()("n", int_option("n", n, 1), "length of the vector");
  line.add_group(own);
  if (!line.parse(argc, argv)) return exit_done;
  auto const& common = line.common();

  device machine(common.backend, common.device);
  int const blocks = common.workers > 0 ? common.workers : machine.properties().multiprocessors;
  int const threads = machine.is_host() ? 1 : common.threads > 0 ? common.threads : 256;
  auto const values = machine.allocate_copy(std::vector<double>(static_cast<std::size_t>(n), 1.0));
  result_table runs("runs",
                    {{"n", column_type::integer, "1", "length of the vector"},
                     {"repetition", column_type::integer, "1", "number of the repetition"},
                     {"elapsed_ms", column_type::real, "ms", "the kernel, by device events"}});
  std::vector<double> times;
  for (int k = -common.warmup; k < common.repeat; ++k) {
    double const elapsed = template_artifact::run_scale(machine, values, -1.0, blocks, threads);
    if (k < 0) continue;
    runs.add_row({std::int64_t{n}, std::int64_t{k}, elapsed});
    times.push_back(elapsed);
  }
  auto const t = bootstrap_median(times, common.seed);
  std::printf("%d values: %.4f ms [%.4f, %.4f]\n", n, t.median, t.low, t.high);
  if (!common.output.empty()) {
    std::vector<result_table> const tables{runs};
    write_results(common.output, collect_meta("template_artifact", argc, argv), tables,
                  common.append ? write_mode::append : write_mode::replace);
  }
  return exit_done;
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
