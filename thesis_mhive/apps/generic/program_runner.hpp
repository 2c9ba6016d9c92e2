#pragma once
// Runs an execution tree as an MHive program. Phases and individual dependencies share this code.
// For kernel sources.

#include <stdexcept>
#include <string>
#include <vector>

#include "generic_run.hpp"
#include "mhive/program.hpp"
#include "thesis_mhive/ours/schedulers.hpp"
#include "tree_tasks.hpp"

namespace gridloom::mhive::generic {

template <class Scheduler, class Queue>
report run_under(program<Queue>& tasks, tree_data_ref const& data) {
  return tasks.template run<Scheduler>(data);
}
/// Defined in run_bounded.cpp, which is compiled with a limit on registers.
template <>
report run_under<device_controller>(program<phases_queue>& tasks, tree_data_ref const& data);
template <>
report run_under<bounded_megakernel<1024>>(program<phases_queue>& tasks, tree_data_ref const& data);
template <>
report run_under<bounded_megakernel<1024>>(program<individual_queue>& tasks,
                                           tree_data_ref const& data);

/// `type_of` returns the index in `Queue` of a node's task type.
template <class Queue>
class program_runner : public tree_runner {
 public:
  program_runner(device& machine, tree_run const& run, dependencies kind,
                 int (*type_of)(tree_tables const&, int))
      : machine_(machine),
        tables_(make_tables(*run.tree)),
        seed_(run.seed),
        program_(machine, options(run, kind)),
        data_(machine.allocate<tree_data>(1)),
        sink_(machine.allocate<float>(1)) {
    if (kind == dependencies::individual) {
      dependencies_ =
          machine.allocate<std::uint64_t>(run.tree->tasks().size() * std::size_t{run.instances});
    }
    enqueue_roots(run, type_of);
  }

  report run(std::string_view scheduler, run_probe const& probe) override {
    // All counters are zero after a successful run, but a failed run may leave others.
    if (dependencies_.size() != 0) machine_.fill_bytes(dependencies_, 0);
    tree_data const data{tables_,
                         seed_,
                         probe.certificate,
                         probe.trace,
                         reinterpret_cast<std::byte*>(dependencies_.data()),
                         sink_.data()};
    machine_.copy_to_device(data_, std::span<tree_data const>{&data, 1});
    report done;
    bool known = false;
    auto const offer = [&]<class Scheduler>(Scheduler) {
      if (Scheduler::name != scheduler) return;
      known = true;
      done = run_under<Scheduler>(program_, tree_data_ref{data_.data()});
    };
    for_each_scheduler(offer);
    offer(bounded_megakernel<1024>{});
    if (!known) throw std::invalid_argument("no scheduler \"" + std::string(scheduler) + "\"");
    return done;
  }

 private:
  static program_options options(tree_run const& run, dependencies kind) {
    auto const items = static_cast<std::uint32_t>(most_of_a_type(*run.tree, kind, run.instances));
    return {items, items, run.workers, run.timeout_s};
  }

  void enqueue_roots(tree_run const& run, int (*type_of)(tree_tables const&, int)) {
    auto const masks = reached_masks(tables_, seed_, run.instances);
    std::vector<tree_item> items(masks.size());
    for (int node = 0; node < tables_.num_nodes; ++node) {
      if ((tables_.roots >> node & 1U) == 0) continue;
      for (std::uint32_t i = 0; i < items.size(); ++i) items[i] = {i, masks[i], node};
      int const wanted = type_of(tables_, node);
      for_each_type<Queue>([&](auto tag) {
        using type = typename decltype(tag)::type;
        if (Queue::template index_of<type>() == wanted) program_.template enqueue<type>(items);
      });
    }
  }

  device& machine_;
  tree_tables tables_;
  std::uint64_t seed_;
  program<Queue> program_;
  buffer<std::uint64_t> dependencies_;
  buffer<tree_data> data_;
  buffer<float> sink_;
};

}  // namespace gridloom::mhive::generic
