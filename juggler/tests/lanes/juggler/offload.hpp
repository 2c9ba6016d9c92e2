#pragma once
// Replaces juggler/offload.hpp in tests of juggler-cc. A block of several lanes on the host
// executes the tasks of a region one after the other. So ThreadSanitizer can check the translation
// of `parallel for`, and of the code between such loops, without a GPU.

#include_next "juggler/offload.hpp"

#include <cstdlib>
#include <memory>

#include "juggler/dag.hpp"
#include "lane_block.hpp"

namespace gridloom::juggler {

class lanes_run : public offload_run {
 public:
  using offload_run::offload_run;

  template <class Policy, class Numbering, application App>
  void execute(app_context<typename App::task_data>& context, App const& app) {
    context.build_csr();
    copy_in();
    std::vector<std::uint32_t> const order = serial_order(context.dag());
    auto const shared = std::make_unique<typename App::scratch>();
    test::on_lanes(std::atoi(std::getenv("JUGGLER_LANES")), [&](test::lane_block const& block) {
      for (std::uint32_t const task : order) {
        app(block, context.dag().kernel_types[task], context.data()[task], *shared);
        block.sync();
      }
    });
    copy_out();
    report(context.dag());
  }
};

}  // namespace gridloom::juggler

#define offload_run lanes_run
