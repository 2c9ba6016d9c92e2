#include "serial_arm.hpp"

#include <chrono>
#include <utility>
#include <vector>

#include "serial_order.hpp"

namespace gridloom::mhive::rcm {

namespace {

class serial_arm : public order_arm {
 public:
  serial_arm(arm_setup const& setup, int threads)
      : graph_{setup.graph}, starts_{setup.starts}, threads_{threads} {}

  arm_result run(bool /*with_parts*/) override {
    using clock = std::chrono::steady_clock;
    auto const ms = [](clock::duration passed) {
      return std::chrono::duration<double, std::milli>(passed).count();
    };
    arm_result result;
    auto const begin = clock::now();
    std::vector<start_node> const starts = find_starts(graph_, starts_, threads_);
    auto const found = clock::now();
    order_ = order_from(graph_, nodes_of(starts)).cuthill_mckee;
    auto const ordered = clock::now();
    result.start_ms = ms(found - begin);
    result.order_ms = ms(ordered - found);
    result.both_ms = ms(ordered - begin);
    for (start_node const& start : starts) result.searches += start.num_searches;
    return result;
  }

  std::vector<std::uint32_t> copy_out() override { return std::move(order_); }
  [[nodiscard]] std::size_t bytes() const override { return 0; }

 private:
  graph_ref graph_;
  start_options starts_;
  int threads_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

std::unique_ptr<order_arm> make_serial_arm(arm_setup const& setup, int threads) {
  return std::make_unique<serial_arm>(setup, threads);
}

}  // namespace gridloom::mhive::rcm
