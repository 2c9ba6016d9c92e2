#include "level_arm.hpp"

#include <chrono>
#include <vector>

#include "level_ordering.hpp"
#include "level_search.hpp"
#include "thesis_mhive/apps/rcm/device_graph.hpp"

namespace gridloom::mhive::rcm {

namespace {

class level_arm : public order_arm {
 public:
  explicit level_arm(arm_setup const& setup)
      : machine_{setup.machine},
        starts_{setup.starts},
        graph_{setup.machine, setup.graph},
        search_{setup.machine, setup.graph,     setup.starts.most_candidates,
                setup.workers, setup.timeout_s, {}},
        ordering_{setup.machine, setup.graph, search_, setup.workers} {}

  void copy_in() override { graph_.upload(); }
  arm_result run(bool /*with_parts*/) override {
    arm_result result;
    auto const begin = now();
    search_.prepare(graph_.ref());
    std::vector<start_node> const starts = search_.find_starts(starts_);
    auto const searched = now();
    nodes_ = nodes_of(starts);
    search_.has_found() ? ordering_.order_found() : ordering_.order_from(nodes_);
    machine_.synchronize();
    result.both_ms = ms(begin, now());
    result.start_ms = ms(begin, searched);
    for (start_node const& start : starts) result.searches += start.num_searches;
    return result;
  }
  std::vector<std::uint32_t> copy_out() override {
    return machine_.copy_to_host(ordering_.order());
  }
  // Orders the graph once more from the same start nodes, without reusing the search that found
  // them.
  void measure_order(arm_result& result) override {
    auto const begin = now();
    search_.prepare(graph_.ref());
    ordering_.order_from(nodes_);
    machine_.synchronize();
    result.order_ms = ms(begin, now());
  }

  [[nodiscard]] std::size_t bytes() const override {
    return graph_.bytes() + search_.bytes() + ordering_.bytes();
  }

 private:
  using moment = std::chrono::steady_clock::time_point;
  static moment now() { return std::chrono::steady_clock::now(); }
  static double ms(moment from, moment to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
  }

  device& machine_;
  start_options starts_;
  device_graph graph_;
  levels::level_search search_;
  levels::level_ordering ordering_;
  // The start nodes of the last run.
  std::vector<std::uint32_t> nodes_;
};

}  // namespace

start_search make_level_start_search(arm_setup const& setup) {
  auto search = std::make_shared<levels::level_search>(
      setup.machine, setup.graph, setup.starts.most_candidates, setup.workers, setup.timeout_s);
  return [search](device_graph const& graph, start_options const& options) {
    search->prepare(graph.ref());
    return search->find_starts(options);
  };
}

std::unique_ptr<order_arm> make_level_arm(arm_setup const& setup) {
  return std::make_unique<level_arm>(setup);
}

}  // namespace gridloom::mhive::rcm
