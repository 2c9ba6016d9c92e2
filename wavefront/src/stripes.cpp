#include "wavefront/stripes.hpp"

#include "scheduler_base.hpp"

namespace gridloom::wavefront {

namespace {

template <class Probe>
class stripes : public kernel_scheduler {
 public:
  explicit stripes(scheduler_setup const& setup)
      : kernel_scheduler(setup),
        // As many as if every stripe were one row high: enough for any size of warp.
        progress_(setup.machine.allocate<stripe_progress>(setup.graph.shape().rows())) {}

  void reset() override {
    reset_words();
    setup_.machine.fill_bytes(progress_, 0);
  }
  void run(task_body const& body, probe_ref const& observer) override {
    setup_.machine.launch(shape(), stripes_kernel<Probe>{setup_.graph.shape(), body, progress_.data(),
                                                         setup_.config.publish_every, words(), stopper_, observer});
  }
  std::uint64_t bytes() const override { return progress_.bytes() + sizeof(scheduler_words); }
  int units() const override { return setup_.config.blocks * setup_.config.threads; }
  int observers() const override { return setup_.config.blocks * setup_.config.threads; }

 private:
  buffer<stripe_progress> progress_;
};

}  // namespace

std::unique_ptr<scheduler> make_stripes(scheduler_setup const& setup) {
  if (setup.observe) return std::make_unique<stripes<full_probe>>(setup);
  return std::make_unique<stripes<silent_probe>>(setup);
}

}  // namespace gridloom::wavefront
