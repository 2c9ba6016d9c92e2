// template_artifact: tasks of one's own under every scheduler, from the command line to a results
// file.

#include "schedulers/methods.hpp"
#include "template_artifact/elimination.hpp"

namespace {
using namespace gridloom;
using namespace gridloom::template_artifact;

/// What all arms of a run share.
struct problem {
  bench::program& app;
  int tiles;
  csr_graph graph;
  std::vector<double> numbers;
};
using row = bench::row_of<problem, launch_shape>;

class scheduled final : public bench::work<row> {
 public:
  scheduled(problem& of, row const& what)
      : of_(of),
        numbers_(of.app.machine().allocate<double>(of.numbers.size())),
        executor_(make(what.method, all_schedulers(), of.app.machine(), of.graph,
                       elimination{of.tiles, numbers_.data()},
                       {.workers = what.blocks,
                        .threads = what.threads,
                        .timeout_s = of.app.common().timeout_s})) {}
  void copy_in() override { of_.app.machine().copy_to_device<double>(numbers_, of_.numbers); }
  void run() override { executor_->run(); }
  void copy_out() override { result_ = of_.app.machine().copy_to_host(numbers_); }
  void check() override { executor_->require_done(); }
  void verify() override {
    if (result_ != std::vector(result_.size(), 1.0)) throw wrong_result("expected 1 everywhere");
  }
  bool observe() override {
    auto const events = static_cast<std::uint32_t>(of_.graph.tasks());
    executor_->run(of_.app.arm_trace(executor_->workers(), events, {of_.graph, {}}));
    return true;
  }

 private:
  problem& of_;
  buffer<double> numbers_;
  std::unique_ptr<executor> executor_;
  std::vector<double> result_;
};

std::string_view origin_of(row const& r) {
  return text_of(schedulers::named(r.method, all_schedulers()).by);
}

int body(int argc, char** argv) {
  int tiles = 12;
  bench::program app("template_artifact", "Eliminates a matrix of tiles.",
                     {.trace = true, .threads = true});
  app.options()("tiles", int_option("tiles", tiles, 1, 100), "tiles of a row of the matrix");
  auto const table = schedulers::methods_of<row>(all_schedulers(), bench::makes<scheduled>);
  bench::methods<row> const ways(app, "scheduler", "schedulers to run, see --list", table);
  if (!app.parse(argc, argv)) return exit_done;
  problem of{app, tiles, graph_of(tiles), matrix_of(tiles)};
  bench::harness<row> all(
      app, {{"tiles", "1", "tiles of a row of the matrix", &problem::tiles},
            {"tasks", "1", "number of tasks", [](problem const& p) { return p.graph.tasks(); }},
            {"by", "", "published, ours or rival", origin_of},
            {"workers", "1", "thread blocks or host threads", &row::blocks},
            {"threads", "1", "threads per block", &row::threads}});
  all.show("tasks/ms", [&](row const&, double ms) { return tiles * tiles / ms; });
  all.run(ways.arms(of, [&](auto const&) { return app.shape(128); }));
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
