// The work of the arms: every form and worker size under every scheduler, and the graph of kernels.

#include <algorithm>
#include <bit>
#include <optional>

#include "arm.hpp"
#include "gridloom/error.hpp"
#include "mhive/program.hpp"
#include "thesis_mhive/ours/schedulers.hpp"

namespace gridloom::mhive::overhead {

namespace {

/// Returns the number of layers whose tasks are stored in `places`.
std::uint32_t stored_layers(settings const& what) {
  return what.form == form::grouped ? what.layers : 1;
}

program_options sizes(settings const& what) {
  // A waiting storage is at most half full, so that searches for a slot stay short.
  return {.capacity = 2 * what.width + 2, .waiting = 4 * what.width + 64};
}

/// Owns the memory of the layers, and checks a run.
class layers_work : public bench::work<row> {
 public:
  layers_work(problem& of, row const& what)
      : machine_(of.machine),
        what_(what),
        seen_(machine_.allocate<std::uint32_t>(what.width)),
        finished_(machine_.allocate<std::uint32_t>(what.groups())),
        wrong_(machine_.allocate<std::uint32_t>(1)) {}

  void copy_in() override {
    machine_.fill_bytes(seen_, 0);
    machine_.fill_bytes(finished_, 0);
    machine_.fill_bytes(wrong_, 0);
  }
  double timed_run(device& /*machine*/) override {
    done_ = run_layers(false);
    return done_.elapsed_ms;
  }
  void verify() override {
    copy_in();
    (void)run_layers(true);
    if (machine_.copy_to_host(wrong_)[0] != 0) {
      throw wrong_result("some tasks ran before their predecessors");
    }
    for (std::uint32_t const n : machine_.copy_to_host(seen_)) {
      if (n != what_.layers) throw wrong_result("some tasks did not run exactly once");
    }
  }
  void record(row& to) const override {
    to.done = done_;
    for (auto const& kernel : done_.kernels) {
      if (kernel.facts.registers >= to.largest.registers) to.largest = kernel.facts;
    }
  }

 protected:
  /// Runs all layers once. With `check`, counts tasks and checks their order.
  virtual report run_layers(bool check) = 0;

  template <class Data>
  Data data(bool check) const {
    Data result{};
    result.width = what_.width;
    result.layers = what_.layers;
    result.group = what_.group;
    result.work = static_cast<std::uint32_t>(what_.work);
    result.seen = check ? seen_.data() : nullptr;
    result.finished = finished_.data();
    result.wrong = wrong_.data();
    return result;
  }

  device& machine_;
  settings const what_;

 private:
  buffer<std::uint32_t> seen_;
  buffer<std::uint32_t> finished_;
  buffer<std::uint32_t> wrong_;
  report done_;
};

template <class Scheduler, int Size, form Form>
class mhive_work final : public layers_work {
  using queue_type = typename queue_of<Size, Form>::type;
  using task = layer_task<Size, Form, 0>;
  using data_type = layers_data<Size, Form>;

 public:
  mhive_work(problem& of, row const& what)
      : layers_work(of, what), program_(of.machine, options(of, what)) {
    std::uint32_t const stored = stored_layers(what);
    std::vector<place> places;
    places.reserve(std::size_t{stored} * what.width);
    for (std::uint32_t layer = 0; layer < stored; ++layer) {
      for (std::uint32_t index = 0; index < what.width; ++index) places.push_back({layer, index});
    }
    places_ = machine_.allocate_copy(places);
    places.resize(what.width);
    program_.template enqueue<task>(places);
    next_ = machine_.allocate<dependency<task>>(2 * std::size_t{what.width});
    groups_ = machine_.allocate<group_dependency<task>>(what.groups());
  }

  void copy_in() override {
    layers_work::copy_in();
    machine_.fill_bytes(next_, 0);
    machine_.fill_bytes(groups_, 0);
  }

 private:
  report run_layers(bool check) override {
    auto data = this->template data<data_type>(check);
    data.places = places_.data();
    data.next = next_.data();
    data.groups = groups_.data();
    return program_.template run<Scheduler>(data);
  }
  static program_options options(problem const& of, row const& what) {
    program_options result = sizes(what);
    result.workers = of.workers;
    result.timeout_s = of.timeout_s;
    return result;
  }

  program<queue_type> program_;
  buffer<place> places_;
  buffer<dependency<task>> next_;
  buffer<group_dependency<task>> groups_;
};

template <int Size>
class graph_work final : public layers_work {
  using kernel = layer_kernel<Size>;
  using data_type = layers_data<Size, form::queue>;

 public:
  graph_work(problem& of, row const& what)
      : layers_work(of, what), workers_(of.workers), timeout_s_(of.timeout_s) {}

  // A graph cannot be stopped, so its kernels first run without the graph and check the time.
  // Replays take no longer. Each run has a new graph, because a graph that has run before starts
  // later.
  void prepare() override {
    if (!layers_) {
      copy_in();
      try_once(machine_, layers_work::data<data_type>(false));
    }
    layers_ = recorded(false);
  }

 private:
  report run_layers(bool check) override {
    launch_sequence const layers = check ? recorded(true) : *layers_;
    report done;
    done.elapsed_ms = machine_.time_ms([&] { machine_.replay(layers); });
    done.launches = what_.layers;
    done.kernels.push_back({"layer", facts(machine_)});
    return done;
  }
  launch_sequence recorded(bool check) {
    auto const data = layers_work::data<data_type>(check);
    return machine_.record([&] { launch_all(machine_, data, 0); });
  }
  template <class Machine>
  void try_once(Machine& machine, data_type const& data) {
    time_limit const limit{machine, timeout_s_};
    machine.time_ms([&] { launch_all(machine, data, limit.deadline_ns); });
    limit.require_kept();
  }
  template <class Machine>
  void launch_all(Machine& machine, data_type const& data, std::uint64_t deadline_ns) {
    int const threads = machine.is_host() ? 1 : kernel::max_threads;
    std::uint32_t const tasks = machine.is_host() ? 1 : kernel::max_threads / Size;
    int const most = workers_ > 0        ? workers_
                     : machine.is_host() ? machine.properties().multiprocessors
                                         : 1 << 20;
    int const blocks = std::min(most, static_cast<int>((what_.width + tasks - 1) / tasks));
    for (std::uint32_t layer = 0; layer < what_.layers; ++layer) {
      machine.launch({blocks, threads}, kernel{data, layer, deadline_ns});
    }
  }
  template <class Machine>
  static kernel_facts facts(Machine& machine) {
    return machine.template facts<kernel>(machine.is_host() ? 1 : kernel::max_threads);
  }

  int workers_;
  double timeout_s_;
  std::optional<launch_sequence> layers_;
};

/// Calls make.operator()<Size>() for the size, which is one of worker_sizes.
template <class Make>
std::unique_ptr<bench::work<row>> with_size(int size, Make make) {
  if (size == 1) return make.template operator()<1>();
  if (size == 32) return make.template operator()<32>();
  return make.template operator()<256>();
}

}  // namespace

std::uint64_t bytes_needed(settings const& what) {
  using task = layer_task<32, form::individual, 0>;
  std::uint64_t const width = what.width;
  std::uint64_t const seen = (width + what.groups()) * sizeof(std::uint32_t);
  if (what.form == form::graph) return seen;
  auto const options = sizes(what);
  std::uint64_t const types = what.form == form::phases ? 2 : 1;
  // As in type_memory.hpp, a queue keeps its slots and a copy of their initial state. A waiting
  // task has a state and an owner.
  std::uint64_t const queue =
      std::uint64_t{std::bit_ceil(options.capacity)} * 2 * sizeof(tagged<place>);
  std::uint64_t const storage = std::uint64_t{std::bit_ceil(options.waiting)} *
                                (sizeof(std::uint32_t) + sizeof(place) + sizeof(void*));
  // Places count twice, because the host makes a copy of them first.
  return seen + types * (queue + storage) + 2 * width * sizeof(dependency<task>) +
         2 * stored_layers(what) * width * sizeof(place) +
         what.groups() * sizeof(group_dependency<task>);
}

template <class Scheduler>
std::unique_ptr<bench::work<row>> make_under(problem& of, row const& what) {
  return with_size(what.worker_size, [&]<int Size>() -> std::unique_ptr<bench::work<row>> {
    switch (what.form) {
      case form::enqueue:
        return std::make_unique<mhive_work<Scheduler, Size, form::enqueue>>(of, what);
      case form::individual:
        return std::make_unique<mhive_work<Scheduler, Size, form::individual>>(of, what);
      case form::grouped:
        return std::make_unique<mhive_work<Scheduler, Size, form::grouped>>(of, what);
      case form::phases:
        return std::make_unique<mhive_work<Scheduler, Size, form::phases>>(of, what);
      default: return std::make_unique<mhive_work<Scheduler, Size, form::queue>>(of, what);
    }
  });
}
using made = std::unique_ptr<bench::work<row>>;
template made make_under<time_sliced>(problem&, row const&);
template made make_under<megakernel>(problem&, row const&);
template made make_under<bounded_megakernel<1024>>(problem&, row const&);
template made make_under<bounded_megakernel<1536>>(problem&, row const&);
template made make_under<device_controller>(problem&, row const&);
template made make_under<resident_controller>(problem&, row const&);

std::unique_ptr<bench::work<row>> make_graph(problem& of, row const& what) {
  return with_size(what.worker_size, [&]<int Size>() -> std::unique_ptr<bench::work<row>> {
    return std::make_unique<graph_work<Size>>(of, what);
  });
}

}  // namespace gridloom::mhive::overhead
