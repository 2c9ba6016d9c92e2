// template_artifact: two ways to scale a vector, from the command line to a results file.

#include "gridloom/bench/methods.hpp"
#include "template_artifact/scale.hpp"

namespace {
using namespace gridloom;
using template_artifact::scaler;

/// The data that all arms of a run share.
struct problem {
  bench::program& app;
  std::vector<double> ones;
};
using row = bench::row_of<problem, launch_shape>;

/// A vector on the machine. The arms differ in how they scale it.
class scaling : public bench::work<row> {
 public:
  scaling(problem& of, row const& what)
      : of_(of), on_(of.app.machine(), of.ones.size(), what, of.app.common().timeout_s) {}
  void copy_in() override { on_.load(of_.ones); }
  void copy_out() override { result_ = on_.values(); }
  void check() override { on_.require_done(); }
  void verify() override {
    if (result_ != std::vector(of_.ones.size(), -2.0)) throw wrong_result("expected -2 everywhere");
  }

 protected:
  problem& of_;
  std::vector<double> result_;
  scaler on_;
};

struct launch final : scaling {
  using scaling::scaling;
  void run() override { on_.scale(-2); }
};
struct claims final : scaling {
  using scaling::scaling;
  void run() override { on_.scale_by_claims(-2); }
  bool observe() override {
    on_.scale_by_claims(-2, of_.app.arm_trace(on_.workers(), 1U << 10U));
    return true;
  }
};
constexpr bench::method<row> all_methods[] = {
    {.name = "launch", .what = "one launch that covers the vector", .make = bench::makes<launch>},
    {.name = "claims",
     .what = "resident workers, which claim chunks",
     .traced = true,
     .make = bench::makes<claims>}};

int body(int argc, char** argv) {
  int n = 1 << 20;
  bench::program app("template_artifact", "Scales a vector.", {.trace = true, .threads = true});
  app.options()("n", int_option("n", n, 1), "length of the vector");
  bench::methods<row> const ways(app, "method", "methods to run, see --list", all_methods);
  if (!app.parse(argc, argv)) return exit_done;
  problem of{app, std::vector(static_cast<std::size_t>(n), 1.0)};
  auto const length = [](problem const& p) { return p.ones.size(); };
  bench::harness<row> all(app, {{"n", "1", "length of the vector", length},
                                {"blocks", "1", "thread blocks or host threads", &row::blocks},
                                {"threads", "1", "threads per block", &row::threads}});
  all.show("GB/s", [&](row const&, double ms) { return 16e-6 * n / ms; });
  all.run(ways.arms(of, [&](auto const&) { return app.shape(256); }));
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
