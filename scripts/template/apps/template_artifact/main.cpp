// template_artifact: two ways to scale a vector, from the command line to a results file.

#include "gridloom/bench/catalogue.hpp"
#include "gridloom/bench/harness.hpp"
#include "template_artifact/scale.hpp"

namespace {

using namespace gridloom;
using namespace gridloom::template_artifact;

struct method {
  std::string_view name;
  std::string_view what;
  void (*run)(scaler&, double factor, trace_ref);
  bool traced;
};
constexpr method methods[] = {
    {"launch", "one launch that covers the vector",
     [](scaler& of, double factor, trace_ref) { of.scale(factor); }, false},
    {"claims", "workers that stay and claim chunks",
     [](scaler& of, double factor, trace_ref trace) { of.scale_by_claims(factor, trace); }, true},
};

struct row {
  int n;
  launch_shape shape;
};

/// One way, on a vector of ones.
class scaling final : public bench::work<row> {
 public:
  scaling(bench::program& app, method const& how, row const& what)
      : app_(app),
        how_(how),
        input_(static_cast<std::size_t>(what.n), 1.0),
        of_(app.machine(), static_cast<std::uint32_t>(what.n), what.shape, app.common().timeout_s) {
  }

  void copy_in() override {
    app_.machine().copy_to_device(of_.values(), std::span<double const>(input_));
  }
  void run() override { how_.run(of_, -2.0, {}); }
  void copy_out() override { output_ = app_.machine().copy_to_host(of_.values()); }
  void check() override { of_.require_done(); }
  void verify() override {
    for (double const value : output_) {
      if (value != -2.0) throw wrong_result("expected -2 everywhere, got " + std::to_string(value));
    }
  }
  bool observe() override {
    if (!how_.traced) return false;
    trace_buffer events(app_.machine(), of_.shape().blocks, 1U << 12U);
    how_.run(of_, -2.0, events.arm());
    (void)app_.trace().add(std::string(how_.name), events);
    return true;
  }

 private:
  bench::program& app_;
  method const& how_;
  std::vector<double> input_, output_;
  scaler of_;
};

int body(int argc, char** argv) {
  int n = 1 << 20;
  std::vector<std::string> names = bench::names_of<method>(methods);
  bench::program app("template_artifact", "Scales a vector.", {.trace = true, .threads = true});
  app.options()("n", int_option("n", n, 1), "length of the vector")(
      "method", choice_list_option("method", names, names), "ways to scale it");
  app.line().set_list(bench::list_of<method>(methods));
  if (!app.parse(argc, argv)) return exit_done;

  row const what{n, app.shape(256)};
  std::vector<bench::arm<row>> arms;
  for (std::string const& name : names) {
    method const& how = bench::named<method>(methods, name, "--method");
    arms.push_back(
        {name, what, [&app, &how, &what] { return std::make_unique<scaling>(app, how, what); }});
  }
  bench::harness<row> all(
      app, {{"n", "1", "length of the vector", &row::n},
            {"blocks", "1", "thread blocks or host threads",
             [](row const& r) { return r.shape.blocks; }},
            {"threads", "1", "threads of a block", [](row const& r) { return r.shape.threads; }}});
  all.show("GB/s", [](row const& r, double ms) { return 16e-6 * r.n / ms; });
  all.run(arms);
  return app.finish(all, {all.runs()});
}

}  // namespace

int main(int argc, char** argv) { return gridloom::run_program(argc, argv, body); }
