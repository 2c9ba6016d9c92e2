#include "published/mhive_arm.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "gridloom/error.hpp"
#include "published/key_split.hpp"
#include "published/mhive_ordering.hpp"

namespace gridloom::mhive::rcm {

namespace {

class mhive_arm final : public order_arm {
 public:
  mhive_arm(arm_setup const& setup, std::string_view scheduler, start_search search,
            bool merge_narrow_levels)
      : machine_{setup.machine},
        starts_{setup.starts},
        search_{std::move(search)},
        graph_{setup.machine, setup.graph},
        ordering_{make_mhive_ordering(setup.machine, setup.graph, scheduler,
                                      {.workers = setup.workers,
                                       .timeout_s = setup.timeout_s,
                                       .merge_narrow_levels = merge_narrow_levels})} {}

  void copy_in() override { graph_.upload(); }
  arm_result run(bool with_parts) override {
    machine_.synchronize();
    auto const begin = std::chrono::steady_clock::now();
    std::vector<start_node> const starts = search_(graph_, starts_);
    machine_.synchronize();
    std::chrono::duration<double, std::milli> const searched =
        std::chrono::steady_clock::now() - begin;
    ordering_report const ordered = ordering_->order(graph_, nodes_of(starts), with_parts);
    arm_result result;
    result.start_ms = searched.count();
    result.order_ms = ordered.elapsed_ms;
    result.both_ms = result.start_ms + result.order_ms;
    result.parts = ordered.parts;
    for (start_node const& start : starts) result.searches += start.num_searches;
    return result;
  }
  std::vector<std::uint32_t> copy_out() override {
    return machine_.copy_to_host(ordering_->cuthill_mckee());
  }

  std::size_t bytes() const override { return graph_.bytes() + ordering_->bytes(); }

 private:
  device& machine_;
  start_options starts_;
  start_search search_;
  device_graph graph_;
  std::unique_ptr<mhive_ordering> ordering_;
};

}  // namespace

std::vector<start_node> find_starts_on_host(device_graph const& graph,
                                            start_options const& options) {
  return find_starts(graph.host_ref(), options);
}

std::unique_ptr<order_arm> make_mhive_arm(arm_setup const& setup, std::string_view scheduler,
                                          start_search search, bool merge_narrow_levels) {
  return std::make_unique<mhive_arm>(setup, scheduler, std::move(search), merge_narrow_levels);
}

std::unique_ptr<mhive_ordering> make_mhive_ordering(device& machine, graph_ref graph,
                                                    std::string_view scheduler,
                                                    ordering_options const& options) {
  // Row lengths are an upper bound of the valencies, because rows may have their diagonal entry.
  // Each run counts the valencies.
  std::uint64_t longest = 0;
  for (std::uint32_t v = 0; v < graph.num_rows; ++v) {
    longest = std::max(longest, graph.row_end(v) - graph.row_begin(v));
  }
  bool const is_enough =
      fits<std::uint32_t>(graph.num_rows, valency_bits(static_cast<std::uint32_t>(longest)));
  int const bits = options.key_bits != 0 ? options.key_bits : is_enough ? 32 : 64;
  return bits == 32 ? detail::make_ordering_32(machine, graph, scheduler, options)
                    : detail::make_ordering_64(machine, graph, scheduler, options);
}

}  // namespace gridloom::mhive::rcm
