#include <algorithm>
#include <chrono>
#include <concepts>
#include <functional>
#include <utility>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "published/key_split.hpp"
#include "published/level_sorter.hpp"

namespace gridloom::mhive::rcm {

namespace {

using steady = std::chrono::steady_clock;

double ms_between(steady::time_point begin, steady::time_point end) {
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

template <std::unsigned_integral Key>
class cpu_gpu_arm final : public order_arm {
 public:
  cpu_gpu_arm(arm_setup const& setup, std::unique_ptr<level_sorter<Key>> sorter)
      : graph_{setup.graph},
        starts_{setup.starts},
        timeout_s_{setup.timeout_s},
        sorter_{std::move(sorter)},
        valencies_(graph_.num_rows),
        is_visited_(graph_.num_rows) {}

  arm_result run(bool with_parts) override {
    steady::time_point const begin = steady::now();
    std::vector<start_node> const starts = find_starts(graph_, starts_);
    steady::time_point const found = steady::now();
    deadline_ = found + std::chrono::duration_cast<steady::duration>(
                            std::chrono::duration<double>(timeout_s_));
    arm_result result;
    sort_ms_ = 0;
    sorts_ = 0;
    order(nodes_of(starts));
    steady::time_point const end = steady::now();
    result.start_ms = ms_between(begin, found);
    result.order_ms = ms_between(found, end);
    result.both_ms = ms_between(begin, end);
    for (start_node const& start : starts) result.searches += start.num_searches;
    if (with_parts) {
      double const host_ms = result.order_ms - sort_ms_;
      result.parts = {{"sort", sorts_, sort_ms_, sort_ms_}, {"host", 1, host_ms, host_ms}};
    }
    return result;
  }

  std::vector<std::uint32_t> copy_out() override { return order_; }
  std::size_t bytes() const override { return sorter_->bytes(); }

 private:
  void order(std::vector<std::uint32_t> const& starts) {
    order_.assign(graph_.num_rows, 0);
    std::fill(is_visited_.begin(), is_visited_.end(), std::uint8_t{0});
    std::uint32_t largest = 0;
    for (std::uint32_t v = 0; v < graph_.num_rows; ++v) {
      valencies_[v] = degree_of(graph_, v);
      largest = std::max(largest, valencies_[v]);
    }
    int const bits = valency_bits(largest);
    std::uint32_t placed = 0;
    for (std::uint32_t const start : starts) {
      std::uint32_t begin = placed;
      order_[placed++] = start;
      is_visited_[start] = 1;
      while (begin < placed) {
        std::uint32_t const end = placed;
        placed += place_children(begin, end, bits);
        begin = end;
        require_time();
      }
    }
  }

  // Places the children of the parents at [begin, end). Returns their number.
  std::uint32_t place_children(std::uint32_t begin, std::uint32_t end, int bits) {
    std::span<Key> const keys = sorter_->keys();
    std::span<std::uint32_t> const values = sorter_->values();
    std::uint32_t n = 0;
    for (std::uint32_t place = begin; place < end; ++place) {
      for (std::uint32_t const child : row_of(graph_, order_[place])) {
        if (is_visited_[child] != 0) continue;
        is_visited_[child] = 1;
        keys[n] = make_key<Key>(place, valencies_[child], bits);
        // Children are in the order of their numbers. The sort is stable, so those with equal keys
        // keep this order.
        values[n++] = child;
      }
    }
    if (n > 1) sort(n, std::bit_width(end - 1) + bits);
    std::copy_n(values.begin(), n, order_.begin() + end);
    return n;
  }

  void sort(std::uint32_t n, int key_bits) {
    steady::time_point const begin = steady::now();
    sorter_->sort(n, key_bits);
    sort_ms_ += ms_between(begin, steady::now());
    ++sorts_;
  }

  void require_time() const {
    if (steady::now() < deadline_) return;
    throw timeout_error(timeout_text(timeout_s_));
  }

  graph_ref graph_;
  start_options starts_;
  double timeout_s_;
  std::unique_ptr<level_sorter<Key>> sorter_;
  std::vector<std::uint32_t> valencies_;
  std::vector<std::uint8_t> is_visited_;
  std::vector<std::uint32_t> order_;
  steady::time_point deadline_;
  double sort_ms_ = 0;
  std::uint64_t sorts_ = 0;
};

template <std::unsigned_integral Key>
class host_sorter final : public level_sorter<Key> {
 public:
  explicit host_sorter(std::uint32_t most) : keys_(most), values_(most), pairs_(most) {}

  std::span<Key> keys() override { return keys_; }
  std::span<std::uint32_t> values() override { return values_; }
  void sort(std::uint32_t n, int /*key_bits*/) override {
    for (std::uint32_t i = 0; i < n; ++i) pairs_[i] = {keys_[i], values_[i]};
    std::stable_sort(pairs_.begin(), pairs_.begin() + n,
                     [](auto const& a, auto const& b) { return a.first < b.first; });
    for (std::uint32_t i = 0; i < n; ++i) values_[i] = pairs_[i].second;
  }
  std::size_t bytes() const override { return 0; }

 private:
  std::vector<Key> keys_;
  std::vector<std::uint32_t> values_;
  std::vector<std::pair<Key, std::uint32_t>> pairs_;
};

}  // namespace

std::unique_ptr<order_arm> make_cpu_gpu_arm(arm_setup const& setup) {
  graph_ref const graph = setup.graph;
  std::uint32_t largest = 0;
  for (std::uint32_t v = 0; v < graph.num_rows; ++v) {
    largest = std::max(largest, degree_of(graph, v));
  }
  if (fits<std::uint32_t>(graph.num_rows, valency_bits(largest))) {
    return std::make_unique<cpu_gpu_arm<std::uint32_t>>(
        setup, make_level_sorter_32(setup.machine, graph.num_rows));
  }
  return std::make_unique<cpu_gpu_arm<std::uint64_t>>(
      setup, make_level_sorter_64(setup.machine, graph.num_rows));
}

std::unique_ptr<level_sorter<std::uint32_t>> make_level_sorter_32(device& machine,
                                                                  std::uint32_t most) {
  if (machine.is_host()) return std::make_unique<host_sorter<std::uint32_t>>(most);
  return detail::make_cuda_sorter_32(machine, most);
}

std::unique_ptr<level_sorter<std::uint64_t>> make_level_sorter_64(device& machine,
                                                                  std::uint32_t most) {
  if (machine.is_host()) return std::make_unique<host_sorter<std::uint64_t>>(most);
  return detail::make_cuda_sorter_64(machine, most);
}

}  // namespace gridloom::mhive::rcm
