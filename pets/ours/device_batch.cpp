#include "pets/ours/device_batch.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <string>
#include <type_traits>

#include "gridloom/error.hpp"
#include "pets/ours/kernels/batch_large.hpp"

namespace gridloom::pets {

namespace {

constexpr std::uint64_t most_tasks_together = (std::uint64_t{1} << 32U) - 2;

void expect(bool good, std::string const& what, std::uint64_t got) {
  if (!good) throw usage_error("batch: expected " + what + ", got " + std::to_string(got));
}

time_value sum(std::vector<time_value> const& values) {
  return std::accumulate(values.begin(), values.end(), time_value{0});
}

void append(adjacency& to, adjacency const& from, std::uint32_t first_task) {
  auto const first_edge = static_cast<std::uint32_t>(to.tasks.size());
  for (std::size_t i = 1; i < from.offsets.size(); ++i) {
    to.offsets.push_back(first_edge + from.offsets[i]);
  }
  for (std::uint32_t const task : from.tasks) to.tasks.push_back(first_task + task);
  to.weights.insert(to.weights.end(), from.weights.begin(), from.weights.end());
}

adjacency part(adjacency const& of, std::uint32_t begin, std::uint32_t end) {
  adjacency result;
  std::uint32_t const first_edge = of.offsets[begin];
  for (std::uint32_t task = begin; task <= end; ++task) {
    result.offsets.push_back(of.offsets[task] - first_edge);
  }
  for (std::uint32_t e = first_edge; e < of.offsets[end]; ++e) {
    result.tasks.push_back(of.tasks[e] - begin);
  }
  result.weights.assign(of.weights.begin() + first_edge, of.weights.begin() + of.offsets[end]);
  return result;
}

constexpr std::uint32_t small_tasks = 128;

graph_batch const& checked(graph_batch const& batch) {
  auto const expect = [](std::uint32_t got, std::uint32_t most, std::string const& of) {
    if (got <= most) return;
    throw usage_error("batch: expected graphs of at most " + std::to_string(most) + " " + of +
                      ", got " + std::to_string(got));
  };
  expect(batch.most_tasks, device_batch::most_tasks, "tasks");
  expect(batch.all.num_processors, most_batch_processors, "processors");
  return batch;
}

}  // namespace

graph_batch make_batch(std::size_t count, std::function<task_graph(std::size_t)> const& make) {
  expect(count != 0, "at least one graph", 0);
  graph_batch batch;
  batch.all.successors.offsets.push_back(0);
  batch.all.predecessors.offsets.push_back(0);
  for (std::size_t number = 0; number < count; ++number) {
    task_graph const graph = make(number);
    task_graph& all = batch.all;
    if (number == 0) all.num_processors = graph.num_processors;
    expect(graph.num_processors == all.num_processors,
           "graphs for " + std::to_string(all.num_processors) + " processors",
           graph.num_processors);
    if (graph.links) throw usage_error("batch: expected one bandwidth and latency for all pairs");
    std::uint64_t const tasks = std::uint64_t{all.num_tasks} + graph.num_tasks;
    std::uint64_t const edges = all.num_edges() + graph.num_edges();
    expect(tasks <= most_tasks_together,
           "at most " + std::to_string(most_tasks_together) + " tasks together", tasks);
    expect(edges <= most_device_edges,
           "at most " + std::to_string(most_device_edges) + " edges together", edges);
    all.ascends = (number == 0 || all.ascends) && graph.ascends;
    append(all.successors, graph.successors, all.num_tasks);
    append(all.predecessors, graph.predecessors, all.num_tasks);
    all.costs.insert(all.costs.end(), graph.costs.begin(), graph.costs.end());
    all.num_tasks = static_cast<std::uint32_t>(tasks);
    batch.begins.push_back(all.num_tasks);
    batch.most_tasks = std::max(batch.most_tasks, graph.num_tasks);
    batch.most_total = std::max(batch.most_total, sum(graph.costs) + sum(graph.successors.weights));
  }
  return batch;
}

task_graph graph_of(graph_batch const& batch, std::uint32_t graph) {
  task_graph const& all = batch.all;
  std::uint32_t const begin = batch.begins[graph];
  std::uint32_t const end = batch.begins[graph + 1];
  task_graph result;
  result.num_tasks = end - begin;
  result.num_processors = all.num_processors;
  result.ascends = all.ascends;
  auto const row = [&](std::uint32_t task) {
    return all.costs.begin() + static_cast<std::ptrdiff_t>(std::size_t{task} * all.num_processors);
  };
  result.costs.assign(row(begin), row(end));
  result.successors = part(all.successors, begin, end);
  result.predecessors = part(all.predecessors, begin, end);
  return result;
}

device_batch::large_memory::large_memory(device& machine, std::size_t tasks, std::size_t graphs,
                                         std::size_t processors)
    : num_tasks(tasks),
      num_starts(tasks + graphs),
      times(machine.allocate<time_value>(3 * tasks + graphs * processors)),
      numbers(machine.allocate<std::uint32_t>(4 * tasks + 2 * num_starts)) {}

large_memory_ref device_batch::large_memory::ref() const {
  time_value* const t = times.data();
  std::uint32_t* const n = numbers.data();
  std::size_t const tasks = num_tasks;
  return {t,
          t + tasks,
          t + 2 * tasks,
          n,
          n + tasks,
          n + 2 * tasks,
          n + 3 * tasks,
          n + 4 * tasks,
          n + 4 * tasks + num_starts,
          t + 3 * tasks};
}

device_batch::device_batch(device& machine, graph_batch const& batch, batch_output output,
                           int workers, int threads)
    : machine_(&machine),
      output_(output),
      small_(checked(batch).most_tasks <= small_tasks),
      large_(batch.most_tasks > most_tasks_in_shared_memory),
      wide_(large_ || batch.most_total > most_narrow_total),
      taken_(machine.allocate<std::uint32_t>(1)),
      levels_(machine, batch.all.num_tasks, false),
      ranks_(machine, batch.all.num_tasks, false),
      order_(machine, batch.all.num_tasks, output == batch_output::order),
      processors_(machine, batch.all.num_tasks, output == batch_output::schedules),
      finishes_(machine, batch.all.num_tasks, output == batch_output::schedules),
      makespans_(machine, batch.num_graphs(), output == batch_output::makespans),
      memory_(large_ ? std::optional<large_memory>(std::in_place, machine, batch.all.num_tasks,
                                                   batch.num_graphs(), batch.all.num_processors)
                     : std::nullopt) {
  wide_ ? load<std::uint64_t>(batch) : load<std::uint32_t>(batch);
  shape_ = best_shape(workers, threads);
}

template <class Word>
void device_batch::load(graph_batch const& batch) {
  batch_packing size;
  (void)size.pack<Word>(batch);
  staging_ = machine_->allocate_staging<std::byte>(size.bytes());
  there_ = machine_->allocate<std::byte>(size.bytes());
  batch_ = batch_packing(staging_.data(), there_.data()).pack<Word>(batch);
}

// Calls body(kernel) with the kernel that fits these graphs.
template <class Body>
void device_batch::with_kernel(Body&& body) const {
  batch_results_ref const to{levels_.there.data(),     ranks_.there.data(),
                             order_.there.data(),      finishes_.there.data(),
                             processors_.there.data(), makespans_.there.data()};
  auto const with = [&]<class Word>(auto whole, batch_ref<Word> const& batch) {
    std::uint32_t const threads_per_row = std::min(std::bit_ceil(batch.graphs.num_processors), 32U);
    if constexpr (std::is_same_v<Word, time_value>) {
      if (large_)
        return body(
            large_batch_kernel<whole()>{batch, to, threads_per_row, taken_.data(), memory_->ref()});
    }
    if (small_)
      return body(
          batch_kernel<small_tasks, Word, whole()>{batch, to, threads_per_row, taken_.data()});
    body(batch_kernel<most_tasks_in_shared_memory, Word, whole()>{batch, to, threads_per_row,
                                                                  taken_.data()});
  };
  std::visit(
      [&](auto const& batch) {
        if (is_whole()) return with(std::true_type{}, batch);
        with(std::false_type{}, batch);
      },
      batch_);
}

launch_shape device_batch::best_shape(int workers, int threads) const {
  launch_shape shape;
  with_kernel([&]<class Kernel>(Kernel const& kernel) {
    int const wanted = threads > 0 ? threads : Kernel::max_threads;
    shape.threads = machine_->is_host() ? 1 : std::min(wanted, Kernel::max_threads);
    if (workers > 0) {
      shape.blocks = workers;
      return;
    }
    auto const warps = static_cast<std::uint32_t>(shape.threads + 31) / 32;
    auto const needed = static_cast<int>((kernel.batch.num_graphs + warps - 1) / warps);
    int const at_once = machine_->is_host() ? machine_->properties().multiprocessors
                                            : machine_->resident_blocks<Kernel>(shape.threads);
    shape.blocks = std::min(needed, at_once);
  });
  return shape;
}

void device_batch::copy_in() {
  machine_->copy_to_device(there_, std::span<std::byte const>(staging_.data(), staging_.bytes()));
}

void device_batch::run() {
  machine_->fill_bytes(taken_, 0);
  with_kernel([&](auto const& kernel) { machine_->launch(shape_, kernel); });
}

template <class Body>
void device_batch::with_results(Body&& body) const {
  for (auto const* words : {&levels_, &order_, &processors_}) body(*words);
  for (auto const* times : {&ranks_, &finishes_, &makespans_}) body(*times);
}

void device_batch::copy_out() {
  with_results([&](auto const& one) {
    if (one.back.size() != 0) machine_->copy_to_staging(one.back, one.there);
  });
}

void device_batch::clear() {
  constexpr int no_number = 0xff;
  with_results([&](auto const& one) {
    machine_->fill_bytes(one.there, no_number);
    if (one.back.size() != 0) std::memset(one.back.data(), no_number, one.back.bytes());
  });
}

batch_results device_batch::results() const {
  auto const values = [&]<class T>(result<T> const& one) {
    if (one.back.size() == 0) return machine_->copy_to_host(one.there);
    return std::vector<T>(one.back.data(), one.back.data() + one.back.size());
  };
  batch_results found{.levels = values(levels_), .ranks = values(ranks_), .order = values(order_)};
  if (!is_whole()) return found;
  found.processors = values(processors_);
  found.finishes = values(finishes_);
  found.makespans = values(makespans_);
  return found;
}

}  // namespace gridloom::pets
