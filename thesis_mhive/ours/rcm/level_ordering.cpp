#include "level_ordering.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "for_each.hpp"

namespace gridloom::mhive::rcm::levels {

namespace {

std::uint32_t bits_of(std::uint32_t largest) {
  return static_cast<std::uint32_t>(std::bit_width(largest));
}

int most_degree_bits(graph_ref graph) {
  std::uint64_t most = 0;
  for (std::uint32_t v = 0; v < graph.num_rows; ++v) {
    most = std::max(most, graph.row_end(v) - graph.row_begin(v));
  }
  return std::bit_width(most);
}

}  // namespace

level_ordering::level_ordering(device& machine, graph_ref graph, level_search& search, int workers)
    : machine_{&machine},
      search_{&search},
      workers_{workers == 0 && machine.is_host() ? machine.properties().multiprocessors : workers},
      degree_bits_{most_degree_bits(graph)},
      parents_{machine.allocate<parents_record>(graph.num_rows)},
      keys_{machine.allocate<std::uint64_t>(graph.num_rows)},
      more_{machine.allocate<std::uint32_t>(graph.num_entries())},
      ranks_{machine.allocate<std::uint32_t>(graph.num_rows)},
      order_{machine.allocate<std::uint32_t>(graph.num_rows)} {}

void level_ordering::order_from(std::span<std::uint32_t const> starts) {
  order_levels(search_->search_from(starts));
}

void level_ordering::order_found() { order_levels(search_->found()); }

void level_ordering::order_levels(search_ref const& search) {
  graph_ref const own = search_->rows().graph;
  level_graph_ref const graph{own.num_rows,    search.queue, search.level_begin,
                              parents_.data(), keys_.data(), more_.data()};
  with_words(search_->words_of_record(), [&]<int Words>(std::integral_constant<int, Words>) {
    machine_->launch(shape_for(*machine_, std::uint64_t{own.num_rows} * Words, workers_),
                     find_parents_kernel<Words>{search_->rows(), search, graph});
  });
  search_words const& words = search_->words_of(search);
  std::uint32_t const num_components = search_->components().num_components;
  levels::for_each(*machine_, num_components, workers_,
                   rank_starts{graph, ranks_.data(), order_.data()});
  if (words.width <= most_ranked) {
    rank_narrow(graph, 1, words.num_levels);
  } else {
    std::vector<std::uint32_t> begins(words.num_levels + std::size_t{1});
    machine_->copy_to_host(std::span{begins}, std::as_const(search.level_begin));
    auto const is_wide = [&](std::uint32_t level) {
      return begins[level + 1] - begins[level] > most_ranked;
    };
    for (std::uint32_t level = 1; level < words.num_levels;) {
      std::uint32_t last = level;
      while (last < words.num_levels && !is_wide(last) && !is_wide(last - 1)) ++last;
      if (last > level) {
        rank_narrow(graph, level, last);
        level = last;
      } else {
        rank_wide(graph, begins[level - 1], begins[level], begins[level + 1]);
        ++level;
      }
    }
  }
  if (num_components > 1) separate_components();
}

void level_ordering::rank_narrow(level_graph_ref const& graph, std::uint32_t first,
                                 std::uint32_t last) {
  if (first >= last) return;
  // Takes about as many threads as a level has vertices. More threads would only wait at barriers.
  std::uint32_t const mean = graph.num_rows / (last - first + 1);
  auto const wanted = static_cast<int>(std::bit_ceil(std::min(mean + mean / 4, 1024U)));
  machine_->launch({1, std::clamp(wanted, 128, 1024)},
                   rank_levels_kernel{graph, first, last, ranks_.data(), order_.data()});
}

void level_ordering::rank_wide(level_graph_ref const& graph, std::uint32_t upper,
                               std::uint32_t begin, std::uint32_t end) {
  allocate_sort();
  std::uint32_t const n = end - begin;
  wide_level_ref const level{graph,
                             upper,
                             begin,
                             bits_of(graph.num_rows - 1),
                             sort_keys_[0].data(),
                             sort_values_[0].data(),
                             ranks_.data(),
                             order_.data()};
  auto const sort = [&](int from, int bits) {
    search_->algorithms().sort_pairs(sort_keys_[0].data(), sort_keys_[1].data(),
                                     sort_values_[from].data(), sort_values_[1 - from].data(), n,
                                     bits);
  };
  levels::for_each(*machine_, n, workers_, set_sibling_keys{level});
  sort(0, degree_bits_ + static_cast<int>(level.vertex_bits));
  levels::for_each(*machine_, n, workers_, set_parent_keys{level, sort_values_[1].data()});
  sort(1, static_cast<int>(bits_of(begin - upper)));
  levels::for_each(*machine_, n, workers_, set_ranks{level, sort_values_[0].data()});
}

void level_ordering::allocate_sort() {
  if (sort_keys_[0].size() != 0) return;
  for (auto& keys : sort_keys_) keys = machine_->allocate<std::uint64_t>(order_.size());
  for (auto& values : sort_values_) values = machine_->allocate<std::uint32_t>(order_.size());
}

void level_ordering::separate_components() {
  allocate_sort();
  components_ref const components = search_->components();
  auto const n = static_cast<std::uint32_t>(order_.size());
  levels::for_each(
      *machine_, n, workers_,
      set_component_keys{components.component_of, order_.data(), sort_keys_[0].data()});
  search_->algorithms().sort_pairs(sort_keys_[0].data(), sort_keys_[1].data(), order_.data(),
                                   sort_values_[0].data(), n,
                                   static_cast<int>(bits_of(components.num_components)));
  std::swap(order_, sort_values_[0]);
}

std::size_t level_ordering::bytes() const {
  std::size_t sum =
      parents_.bytes() + keys_.bytes() + more_.bytes() + ranks_.bytes() + order_.bytes();
  for (int k = 0; k < 2; ++k) sum += sort_keys_[k].bytes() + sort_values_[k].bytes();
  return sum;
}

}  // namespace gridloom::mhive::rcm::levels
