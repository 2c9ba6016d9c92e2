#include "pets/ours/device_batch.hpp"

#include <algorithm>
#include <bit>
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
    expect(edges <= most_edges, "at most " + std::to_string(most_edges) + " edges together", edges);
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

std::size_t device_batch::large_memory::bytes() const { return times.bytes() + numbers.bytes(); }

device_batch::device_batch(device& machine, graph_batch const& batch, int workers, int threads)
    : machine_(&machine),
      small_(checked(batch).most_tasks <= small_tasks),
      large_(batch.most_tasks > most_tasks_in_shared_memory),
      wide_(large_ || batch.most_total > most_narrow_total),
      graphs_(machine, batch.all),
      begins_(machine.allocate_copy(batch.begins)),
      taken_(machine.allocate<std::uint32_t>(1)),
      levels_(machine.allocate<std::uint32_t>(batch.all.num_tasks)),
      ranks_(machine.allocate<time_value>(batch.all.num_tasks)),
      order_(machine.allocate<std::uint32_t>(batch.all.num_tasks)),
      finishes_(machine.allocate<time_value>(batch.all.num_tasks)),
      processors_(machine.allocate<std::uint32_t>(batch.all.num_tasks)),
      memory_(large_ ? std::optional<large_memory>(std::in_place, machine, batch.all.num_tasks,
                                                   batch.num_graphs(), batch.all.num_processors)
                     : std::nullopt),
      shapes_{best_shape(false, workers, threads), best_shape(true, workers, threads)} {}

// Calls body(kernel) with the kernel that fits these graphs.
template <class Body>
void device_batch::with_kernel(bool whole, Body&& body) const {
  device_graph_ref const graphs = graphs_.ref();
  batch_ref const batch{graphs, static_cast<std::uint32_t>(begins_.size() - 1), begins_.data()};
  batch_results_ref const to{levels_.data(), ranks_.data(), order_.data(), finishes_.data(),
                             processors_.data()};
  std::uint32_t const threads_per_row = std::min(std::bit_ceil(graphs.num_processors), 32U);
  auto const with = [&](auto tasks, auto word) {
    using word_type = decltype(word);
    if (whole)
      return body(
          batch_kernel<tasks(), word_type, true>{batch, to, threads_per_row, taken_.data()});
    body(batch_kernel<tasks(), word_type, false>{batch, to, threads_per_row, taken_.data()});
  };
  if (large_) {
    large_memory_ref const memory = memory_->ref();
    if (whole)
      return body(large_batch_kernel<true>{batch, to, threads_per_row, taken_.data(), memory});
    return body(large_batch_kernel<false>{batch, to, threads_per_row, taken_.data(), memory});
  }
  using small = std::integral_constant<std::uint32_t, small_tasks>;
  using large = std::integral_constant<std::uint32_t, most_tasks_in_shared_memory>;
  if (small_ && !wide_) return with(small{}, std::uint32_t{});
  if (small_) return with(small{}, std::uint64_t{});
  if (!wide_) return with(large{}, std::uint32_t{});
  with(large{}, std::uint64_t{});
}

launch_shape device_batch::best_shape(bool whole, int workers, int threads) const {
  launch_shape result;
  with_kernel(whole, [&]<class Kernel>(Kernel const& kernel) {
    int const wanted = threads > 0 ? threads : Kernel::max_threads;
    result.threads = machine_->is_host() ? 1 : std::min(wanted, Kernel::max_threads);
    if (workers > 0) {
      result.blocks = workers;
      return;
    }
    auto const warps = static_cast<std::uint32_t>(result.threads + 31) / 32;
    auto const needed = static_cast<int>((kernel.batch.num_graphs + warps - 1) / warps);
    int const at_once = machine_->is_host() ? machine_->properties().multiprocessors
                                            : machine_->resident_blocks<Kernel>(result.threads);
    result.blocks = std::min(needed, at_once);
  });
  return result;
}

void device_batch::launch(bool whole) {
  machine_->fill_bytes(taken_, 0);
  with_kernel(whole, [&](auto const& kernel) { machine_->launch(shape(whole), kernel); });
}

void device_batch::clear() {
  constexpr int no_number = 0xff;
  for (auto const* words : {&levels_, &order_, &processors_}) {
    machine_->fill_bytes(*words, no_number);
  }
  for (auto const* times : {&ranks_, &finishes_}) machine_->fill_bytes(*times, no_number);
}

device_batch::found_priorities device_batch::result() const {
  return {machine_->copy_to_host(levels_), machine_->copy_to_host(ranks_),
          machine_->copy_to_host(order_)};
}

std::vector<placement> device_batch::placements(graph_batch const& batch) const {
  auto const finishes = machine_->copy_to_host(finishes_);
  auto const processors = machine_->copy_to_host(processors_);
  std::vector<placement> placed(finishes.size());
  for (std::uint32_t task = 0; task < placed.size(); ++task) {
    std::uint32_t const processor = processors[task];
    bool const is_placed = processor < batch.all.num_processors;
    time_value const cost = is_placed ? batch.all.costs_of(task)[processor] : 0;
    placed[task] = {processor, finishes[task] - cost, finishes[task]};
  }
  return placed;
}

std::size_t device_batch::bytes() const {
  return graphs_.bytes() + begins_.bytes() + taken_.bytes() + levels_.bytes() + ranks_.bytes() +
         order_.bytes() + finishes_.bytes() + processors_.bytes() +
         (memory_ ? memory_->bytes() : 0);
}

}  // namespace gridloom::pets
