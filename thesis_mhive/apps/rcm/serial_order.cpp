#include "serial_order.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include "gridloom/host_time_limit.hpp"
#include "new_neighbours.hpp"
#include "prefetch.hpp"

namespace gridloom::mhive::rcm {
namespace {

class ordering {
 public:
  explicit ordering(graph_ref graph)
      : graph_{graph}, order_(std::size_t{graph.num_rows} + 1), is_placed_(graph.num_rows, 0) {}

  component_order place_component(std::uint32_t start) {
    if (start >= graph_.num_rows || is_placed_[start] != 0) {
      throw std::invalid_argument(
          "order_from: expected one start node per component, got vertex " + std::to_string(start) +
          (start < graph_.num_rows ? " of a component ordered before"
                                   : " of " + std::to_string(graph_.num_rows) + " vertices"));
    }
    component_order component{num_placed_, 0, start, 0};
    std::uint32_t parent = num_placed_;
    order_[num_placed_++] = start;
    is_placed_[start] = 1;
    while (parent < num_placed_) {
      ++component.num_levels;
      for (std::uint32_t const end = num_placed_; parent < end; ++parent) {
        in_time_();
        prefetch_rows(graph_, order_.data(), parent, num_placed_);
        place_children(order_[parent]);
      }
    }
    component.end = num_placed_;
    return component;
  }

  [[nodiscard]] std::vector<std::uint32_t> take() {
    if (num_placed_ < graph_.num_rows) {
      auto const missing = std::find(is_placed_.begin(), is_placed_.end(), 0) - is_placed_.begin();
      throw std::invalid_argument(
          "order_from: expected one start node per component, got none for that of vertex " +
          std::to_string(missing));
    }
    order_.resize(graph_.num_rows);
    return std::move(order_);
  }

 private:
  void place_children(std::uint32_t parent) {
    std::uint32_t const begin = num_placed_;
    num_placed_ = children_.append_new(graph_, parent, 1, is_placed_.data(), order_.data(), begin);
    if (num_placed_ - begin > 1) sort_siblings(begin, num_placed_);
  }

  // Sorts siblings by degree, then by number. On entry they are sorted by number.
  void sort_siblings(std::uint32_t begin, std::uint32_t end) {
    std::uint32_t const count = end - begin;
    if (keys_.size() < count) keys_.resize(std::size_t{2} * count);
    constexpr std::uint32_t long_list = 40;
    bool const is_long = count > long_list;
    for (std::uint32_t k = 0; k < count; ++k) {
      std::uint32_t const child = order_[begin + k];
      std::uint64_t const key = std::uint64_t{degree_of(graph_, child)} << 32U | child;
      std::uint32_t place = k;
      for (; !is_long && place > 0 && keys_[place - 1] > key; --place) {
        keys_[place] = keys_[place - 1];
      }
      keys_[place] = key;
    }
    if (is_long) std::sort(keys_.begin(), keys_.begin() + count);
    for (std::uint32_t k = 0; k < count; ++k) {
      order_[begin + k] = static_cast<std::uint32_t>(keys_[k]);
    }
  }

  graph_ref graph_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint8_t> is_placed_;
  neighbour_queue children_;
  time_checks in_time_{"ordering", vertices_between_checks};
  /// Keys of siblings, which hold degree, then number.
  std::vector<std::uint64_t> keys_;
  std::uint32_t num_placed_ = 0;
};

}  // namespace

serial_order order_from(graph_ref graph, std::span<std::uint32_t const> starts) {
  ordering order{graph};
  serial_order result;
  result.components.reserve(starts.size());
  for (std::uint32_t const start : starts) {
    result.components.push_back(order.place_component(start));
  }
  result.cuthill_mckee = order.take();
  return result;
}

}  // namespace gridloom::mhive::rcm
