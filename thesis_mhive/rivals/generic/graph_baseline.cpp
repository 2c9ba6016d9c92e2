// The baseline: one kernel per task type, without a scheduler on the device.

#include <algorithm>

#include "mhive/deadline.hpp"
#include "mhive/unit.hpp"
#include "thesis_mhive/apps/generic/generic_run.hpp"

namespace gridloom::mhive::generic {
namespace {

constexpr int block_threads = 256;

/// The kernel of one node (task type), with one worker per instance. Workers whose instance does
/// not reach the node do nothing.
template <int Size>
struct node_kernel {
  static constexpr int max_threads = block_threads;
  static constexpr bool persistent = false;
  using scratch = no_scratch;

  tree_data data;
  std::uint32_t const* masks;
  std::uint32_t instances;
  int node;
  /// Time limit on the machine's clock; 0 if there is none.
  std::uint64_t deadline_ns;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& /*none*/) const {
    auto const unit = block.warp();
    if constexpr (std::is_base_of_v<thread_of_one, std::remove_const_t<decltype(unit)>>) {
      execute(block, unit);
    } else if constexpr (Size <= unit_threads) {
      execute(block, unit.template part<Size>());
    } else {
      execute(block, block.template tile<Size / unit_threads>());
    }
  }

 private:
  template <class Block, class Worker>
  GRIDLOOM_FN void execute(Block const& block, Worker const& worker) const {
    int const workers = block.num_threads() / worker.num_threads();
    int const first = block.index() * workers + block.thread_rank() / worker.num_threads();
    auto const stride = static_cast<std::uint32_t>(block.count() * workers);
    for (auto i = static_cast<std::uint32_t>(first); i < instances; i += stride) {
      if ((masks[i] >> node & 1U) == 0) continue;
      // One thread decides for its worker, because all threads must reach the same barriers.
      bool const late = deadline_ns != 0 && worker.thread_rank() == 0 && now_ns() > deadline_ns;
      if (deadline_ns != 0 && worker.any(late)) return;
      work(worker, data, {i, masks[i], node});
    }
  }
};

class graph_runner : public tree_runner {
 public:
  graph_runner(device& machine, tree_run const& run)
      : machine_(machine),
        run_(run),
        tables_(make_tables(*run.tree)),
        masks_(machine.allocate_copy(reached_masks(tables_, run.seed, run.instances))),
        sink_(machine.allocate<float>(1)) {}

  report run(std::string_view /*scheduler*/, run_probe const& probe) override {
    try_once();
    record(probe);
    report done = facts_;
    done.elapsed_ms = machine_.time_ms([&] { machine_.replay(recorded_); });
    return done;
  }

 private:
  // A graph cannot be stopped. So before the first replay, its kernels are launched one by one and
  // check the time limit. Replays take no longer.
  void try_once() {
    if (tried_) return;
    time_limit const limit{machine_, run_.timeout_s};
    machine_.time_ms([&] { launch_all({}, limit.deadline_ns); });
    limit.require_kept();
    tried_ = true;
  }
  // Records the launches, unless they are recorded with this probe already.
  void record(run_probe const& probe) {
    bool const same = recorded_.launches && probe.certificate.stamps == recorded_with_.stamps &&
                      probe.trace == recorded_trace_;
    if (same) return;
    recorded_ = machine_.record([&] { launch_all(probe, 0); });
    recorded_with_ = probe.certificate;
    recorded_trace_ = probe.trace;
  }

  void launch_all(run_probe const& probe, std::uint64_t deadline_ns) {
    facts_ = {};
    tree_data const data{tables_, run_.seed, probe.certificate, probe.trace, nullptr, sink_.data()};
    for (int node = 0; node < tables_.num_nodes; ++node) {
      int const size = tables_.worker_size[node];
      if (size == 1) launch<1>(data, node, deadline_ns);
      if (size == 32) launch<32>(data, node, deadline_ns);
      if (size == 64) launch<64>(data, node, deadline_ns);
      if (size == 256) launch<256>(data, node, deadline_ns);
    }
  }

  template <int Size>
  void launch(tree_data const& data, int node, std::uint64_t deadline_ns) {
    using kernel = node_kernel<Size>;
    int const threads = machine_.is_host() ? 1 : block_threads;
    int const workers = machine_.is_host() ? 1 : block_threads / Size;
    std::int64_t const needed = (std::int64_t{run_.instances} + workers - 1) / workers;
    int const most = run_.workers > 0     ? run_.workers
                     : machine_.is_host() ? machine_.properties().multiprocessors
                                          : 1 << 20;
    machine_.launch({static_cast<int>(std::min<std::int64_t>(needed, most)), threads},
                    kernel{data, masks_.data(), run_.instances, node, deadline_ns});
    facts_.launches += 1;
    add_facts<kernel>(machine_, "worker " + std::to_string(Size), threads, facts_);
  }

  device& machine_;
  tree_run run_;
  tree_tables tables_;
  buffer<std::uint32_t> masks_;
  buffer<float> sink_;
  launch_sequence recorded_;
  certificate_ref recorded_with_;
  trace_ref recorded_trace_;
  report facts_;
  bool tried_ = false;
};

}  // namespace

std::unique_ptr<tree_runner> make_graph_runner(device& machine, tree_run const& run) {
  return std::make_unique<graph_runner>(machine, run);
}

}  // namespace gridloom::mhive::generic
