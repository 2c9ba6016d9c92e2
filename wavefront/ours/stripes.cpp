#include "wavefront/ours/stripes.hpp"

#include <algorithm>

#include "wavefront/support/scheduler_base.hpp"

namespace gridloom::wavefront {

namespace {

template <class Probe>
class stripes : public kernel_scheduler {
 public:
  explicit stripes(scheduler_setup const& setup)
      : kernel_scheduler(setup),
        // Each stripe's word has its own cache line, so that polling one word does not delay the
        // others. If this would take much memory, the words are packed.
        apart_(setup.graph.tasks() / stripes_of(setup) >= line_bytes
                   ? line_bytes / sizeof(std::uint32_t)
                   : 1),
        progress_(setup.machine.allocate<std::uint32_t>(std::size_t{stripes_of(setup)} * apart_)) {}

  void reset() override {
    reset_words();
    setup_.machine.fill_bytes(progress_, 0);
  }
  void run(any_body const& body, probe_ref const& observer) override {
    std::visit(
        [&]<class Body>(Body const& own) {
          setup_.machine.launch(
              shape(), stripes_kernel<Probe, Body>{setup_.graph.shape(), own, progress_.data(),
                                                   apart_, setup_.config.publish_every, words(),
                                                   stopper_, observer});
        },
        body);
  }
  std::uint64_t bytes() const override { return progress_.bytes() + sizeof(scheduler_words); }
  int units() const override { return setup_.config.blocks * setup_.config.threads; }
  int observers() const override { return setup_.config.blocks * setup_.config.threads; }

 private:
  static std::uint32_t stripes_of(scheduler_setup const& setup) {
    std::uint32_t const height =
        setup.machine.is_host() ? 1U
                                : static_cast<std::uint32_t>(std::min(32, setup.config.threads));
    return (setup.graph.shape().rows() + height - 1) / height;
  }

  std::uint32_t apart_;
  buffer<std::uint32_t> progress_;
};

}  // namespace

std::unique_ptr<scheduler> make_stripes(scheduler_setup const& setup) {
  if (setup.observe) return std::make_unique<stripes<full_probe>>(setup);
  return std::make_unique<stripes<silent_probe>>(setup);
}

}  // namespace gridloom::wavefront
