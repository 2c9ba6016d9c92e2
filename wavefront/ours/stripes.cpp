#include "wavefront/ours/stripes.hpp"

#include <algorithm>

#include "wavefront/support/scheduler_base.hpp"

namespace gridloom::wavefront {

namespace {

template <class Probe>
class stripes final : public kernel_executor<stripes<Probe>> {
 public:
  explicit stripes(scheduler_setup const& setup)
      : kernel_executor<stripes>(setup),
        // Each stripe's word has its own cache line, so that polling one word does not delay the
        // others. If this would take much memory, the words are packed.
        apart_(setup.graph.tasks() / stripes_of(setup) >= line_bytes
                   ? line_bytes / sizeof(std::uint32_t)
                   : 1),
        progress_(setup.machine.allocate<std::uint32_t>(std::size_t{stripes_of(setup)} * apart_)) {}

  [[nodiscard]] std::size_t bytes() const override {
    return progress_.bytes() + sizeof(scheduler_words);
  }
  template <class Visit>
  auto with_kernel(Visit const& visit) const {
    auto const& setup = this->setup_;
    return std::visit(
        [&]<class Body>(Body const& own) {
          return visit(stripes_kernel<Probe, Body>{setup.graph.shape(), own, progress_.data(),
                                                   apart_, setup.config.publish_every,
                                                   this->words(), this->stopper_, this->observer_});
        },
        this->body_);
  }

 private:
  void reset_state() override {
    kernel_executor<stripes>::reset_state();
    this->setup_.machine.fill_bytes(progress_, 0);
  }
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

std::unique_ptr<body_executor> make_stripes(scheduler_setup const& setup) {
  if (setup.observe) return std::make_unique<stripes<full_probe>>(setup);
  return std::make_unique<stripes<silent_probe>>(setup);
}

}  // namespace gridloom::wavefront
