// template_artifact: two ways to scale a vector, from the command line to a results file.

#include "gridloom/bench/methods.hpp"
#include "template_artifact/scale.hpp"

namespace {
using namespace gridloom;
using template_artifact::scaler;

struct method {
  std::string_view name, what;
  void (scaler::*run)(double factor, trace_ref trace);
  bool traced;
};
constexpr method all_methods[] = {
    {"launch", "one launch that covers the vector", &scaler::scale, false},
    {"claims", "workers that stay and claim chunks", &scaler::scale_by_claims, true}};
struct row {
  int n, blocks, threads;
};

/// A vector of ones and one way to scale it.
class scaling final : public bench::method_work<method, row> {
 public:
  using method_work::method_work;
  void copy_in() override { of_.load(ones_); }
  void run() override { (of_.*how_.run)(-2, {}); }
  void copy_out() override { result_ = of_.values(); }
  void check() override { of_.require_done(); }
  void verify() override {
    if (result_ != std::vector(ones_.size(), -2.0)) throw wrong_result("expected -2 everywhere");
  }
  bool observe() override {
    if (how_.traced) (of_.*how_.run)(-2, app_.arm_trace(of_.workers(), 1U << 10U));
    return how_.traced;
  }

 private:
  std::vector<double> ones_ = std::vector(static_cast<std::size_t>(what_.n), 1.0), result_;
  scaler of_{app_.machine(), what_.n, {what_.blocks, what_.threads}, app_.common().timeout_s};
};

int body(int argc, char** argv) {
  int n = 1 << 20;
  bench::program app("template_artifact", "Scales a vector.", {.trace = true, .threads = true});
  app.options()("n", int_option("n", n, 1), "length of the vector");
  bench::methods<method> const ways(app, "method", "ways to scale it", all_methods);
  if (!app.parse(argc, argv)) return exit_done;
  auto const [blocks, threads] = app.shape(256);
  bench::harness<row> all(app, {{"n", "1", "length of the vector", &row::n},
                                {"blocks", "1", "thread blocks or host threads", &row::blocks},
                                {"threads", "1", "threads of a block", &row::threads}});
  all.show("GB/s", [](row const& r, double ms) { return 16e-6 * r.n / ms; });
  all.run(ways.arms<scaling>(row{n, blocks, threads}));
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
