// The arms: every form and worker size under every scheduler, and the graph of kernels.

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>

#include "arm.hpp"
#include "gridloom/error.hpp"
#include "layers.hpp"
#include "mhive/program.hpp"
#include "mhive/schedulers.hpp"

namespace gridloom::mhive::overhead {

namespace {

// Layers of which the places stand in memory.
std::uint32_t stored_layers(arm const& what) { return what.form == "grouped" ? what.layers : 1; }

program_options sizes(arm const& what) {
  return {.capacity = 2 * what.width + 2,
          .waiting = 4 * what.width + 64};  // half full at most: short probes
}

/// Memory of the layers, and the check after a run.
class layers_work : public bench::work<row> {
 public:
  layers_work(device& machine, arm const& what)
      : machine_(machine),
        what_(what),
        seen_(machine.allocate<std::uint32_t>(what.width)),
        finished_(machine.allocate<std::uint32_t>(what.layers)),
        wrong_(machine.allocate<std::uint32_t>(1)) {}

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
      throw wrong_result("tasks ran before those they come after");
    }
    for (std::uint32_t const n : machine_.copy_to_host(seen_)) {
      if (n != what_.layers) throw wrong_result("tasks ran another number of times than once");
    }
  }
  void record(row& to) const override {
    to.done = done_;
    for (auto const& kernel : done_.kernels) {
      if (kernel.facts.registers >= to.largest.registers) to.largest = kernel.facts;
    }
  }

 protected:
  /// `check`: tasks are counted, too.
  virtual report run_layers(bool check) = 0;

  template <class Data>
  Data data(bool check) const {
    Data result{};
    result.width = what_.width;
    result.layers = what_.layers;
    result.work = static_cast<std::uint32_t>(what_.work);
    result.seen = check ? seen_.data() : nullptr;
    result.finished = finished_.data();
    result.wrong = wrong_.data();
    return result;
  }

  device& machine_;
  arm what_;

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
  mhive_work(device& machine, arm const& what, int workers, double timeout_s)
      : layers_work(machine, what), program_(machine, options(what, workers, timeout_s)) {
    std::uint32_t const stored = stored_layers(what);
    std::vector<place> places;
    places.reserve(std::size_t{stored} * what.width);
    for (std::uint32_t layer = 0; layer < stored; ++layer) {
      for (std::uint32_t index = 0; index < what.width; ++index) places.push_back({layer, index});
    }
    places_ = machine.allocate_copy(places);
    places.resize(what.width);
    program_.template enqueue<task>(places);
    next_ = machine.allocate<dependency<task>>(2 * std::size_t{what.width});
    groups_ = machine.allocate<group_dependency<task>>(what.layers);
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
  static program_options options(arm const& what, int workers, double timeout_s) {
    program_options result = sizes(what);
    result.workers = workers;
    result.timeout_s = timeout_s;
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
  graph_work(device& machine, arm const& what, int workers, double timeout_s)
      : layers_work(machine, what), workers_(workers), timeout_s_(timeout_s) {}

  // A graph cannot be stopped. So the first time its kernels run by themselves and look at the
  // clock; repetitions take no longer. Each run has a graph made just before it: one that ran
  // before starts later.
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

template <int Size, form Form>
std::unique_ptr<bench::work<row>> make_form(device& machine, arm const& what, int workers,
                                            double timeout_s) {
  std::unique_ptr<bench::work<row>> made;
  auto const offer = [&](auto scheduler) {
    using scheduler_type = decltype(scheduler);
    if (what.scheduler != scheduler_type::name) return;
    made =
        std::make_unique<mhive_work<scheduler_type, Size, Form>>(machine, what, workers, timeout_s);
  };
  for_each_scheduler(offer);
  offer(bounded_megakernel<1024>{});
  offer(bounded_megakernel<1536>{});
  return made;
}

template <int Size>
std::unique_ptr<bench::work<row>> make_sized(device& machine, arm const& what, int workers,
                                             double timeout_s) {
  auto const make = [&](auto function) { return function(machine, what, workers, timeout_s); };
  if (what.form == "queue") return make(make_form<Size, form::queue>);
  if (what.form == "enqueue") return make(make_form<Size, form::enqueue>);
  if (what.form == "individual") return make(make_form<Size, form::individual>);
  if (what.form == "grouped") return make(make_form<Size, form::grouped>);
  if (what.form == "phases") return make(make_form<Size, form::phases>);
  return make([](auto&... all) { return std::make_unique<graph_work<Size>>(all...); });
}

}  // namespace

std::uint64_t bytes_needed(arm const& what) {
  using task = layer_task<32, form::individual, 0>;
  std::uint64_t const width = what.width;
  std::uint64_t const seen = (width + what.layers) * sizeof(std::uint32_t);
  if (what.scheduler == "graph") return seen;
  auto const options = sizes(what);
  std::uint64_t const types = what.form == "phases" ? 2 : 1;
  // As type_memory has it: the slots of a queue twice; a task's state, itself and its owner.
  std::uint64_t const queue =
      std::uint64_t{std::bit_ceil(options.capacity)} * 2 * sizeof(tagged<place>);
  std::uint64_t const storage = std::uint64_t{std::bit_ceil(options.waiting)} *
                                (sizeof(std::uint32_t) + sizeof(place) + sizeof(void*));
  return seen + types * (queue + storage) + 2 * width * sizeof(dependency<task>) +
         2 * stored_layers(what) * width * sizeof(place) +  // and as the host makes them
         what.layers * std::uint64_t{sizeof(group_dependency<task>)};
}

std::unique_ptr<bench::work<row>> make_work(device& machine, arm const& what, int workers,
                                            double timeout_s) {
  switch (what.worker_size) {
    case 1: return make_sized<1>(machine, what, workers, timeout_s);
    case 32: return make_sized<32>(machine, what, workers, timeout_s);
    case 256: return make_sized<256>(machine, what, workers, timeout_s);
    default: throw std::invalid_argument("worker size " + std::to_string(what.worker_size));
  }
}

}  // namespace gridloom::mhive::overhead
