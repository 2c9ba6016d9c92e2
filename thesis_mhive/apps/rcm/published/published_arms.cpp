#include "published/published_arms.hpp"

#include <chrono>
#include <optional>
#include <stdexcept>
#include <utility>

#include "published/cpu_gpu.hpp"
#include "published/mhive_ordering.hpp"
#include "thesis_mhive/rivals/rcm/cusolver.hpp"

namespace gridloom::mhive::rcm {
namespace {

struct named_scheduler {
  std::string_view arm;
  std::string_view scheduler;
};
constexpr named_scheduler schedulers[] = {{"tsk", "time_sliced"},
                                          {"mk", "megakernel"},
                                          {"pdc", "device_controller"},
                                          {"resident", "resident_controller"}};

class mhive_arm final : public order_arm {
 public:
  mhive_arm(arm_setup const& setup, std::string_view scheduler, start_search search)
      : machine_{setup.machine},
        starts_{setup.starts},
        search_{std::move(search)},
        graph_{setup.machine, setup.graph},
        ordering_{make_mhive_ordering(setup.machine, setup.graph, scheduler,
                                      {.workers = setup.workers, .timeout_s = setup.timeout_s})} {}

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

std::vector<std::string> published_arm_names() {
  std::vector<std::string> names;
  for (named_scheduler const& named : schedulers) names.emplace_back(named.arm);
  names.emplace_back("cpu_gpu");
  names.emplace_back("cusolver");
  return names;
}

bool has_published_arm(std::string_view name) {
  if (name == "cusolver") return has_cusolver();
  for (std::string const& known : published_arm_names()) {
    if (known == name) return true;
  }
  return false;
}

std::unique_ptr<order_arm> make_published_arm(std::string_view name, arm_setup const& setup,
                                              start_search search) {
  for (named_scheduler const& named : schedulers) {
    if (named.arm == name) {
      return std::make_unique<mhive_arm>(setup, named.scheduler, std::move(search));
    }
  }
  if (name == "cpu_gpu") return make_cpu_gpu_arm(setup);
  if (name == "cusolver") return make_cusolver_arm(setup);
  throw std::invalid_argument("no published arm \"" + std::string(name) + "\"");
}

}  // namespace gridloom::mhive::rcm
