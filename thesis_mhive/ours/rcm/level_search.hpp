#pragma once
// Host side of searching a graph by levels on a device.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "device_algorithms.hpp"
#include "ends.hpp"
#include "gridloom/device.hpp"
#include "search.hpp"
#include "thesis_mhive/apps/rcm/start_node.hpp"

namespace gridloom::mhive::rcm::levels {

/// How kernels are launched. The numbers were chosen for an H200.
struct search_tuning {
  int narrow_threads = 1024;
  int wide_threads = 1024;
  search_limits limits{};
};

/// Memory and launches of the searches in one graph. Used by one thread at a time.
class level_search {
 public:
  /// Only the size of `graph` matters. `workers` is the number of blocks; 0: as many as fit. The
  /// searches from all candidates run at the same time. Throws std::invalid_argument for a graph
  /// without vertices, and unless most_candidates is 1 to most_searches - 1.
  level_search(device& machine, graph_ref graph, std::uint32_t most_candidates, int workers,
               double timeout_s, search_tuning const& tuning = {});

  /// Makes the records of a graph in device memory. Call it first, once per graph.
  void prepare(graph_ref graph);

  /// Finds the same start nodes as rcm::find_starts. There may be more searches, because those from
  /// all candidates run at the same time. Throws usage_error for a node that the graph does not
  /// have, and run_error at the time limit.
  std::vector<start_node> find_starts(start_options const& options);

  /// Whether `found` is available.
  [[nodiscard]] bool has_found() const { return found_ >= 0; }
  /// Returns the search from the start node of a graph with one component, as find_starts left it.
  [[nodiscard]] search_ref found() const { return refs_[static_cast<std::size_t>(found_)]; }
  /// Returns the words of `found` or of the search by search_from.
  [[nodiscard]] search_words const& words_of(search_ref const& search) const {
    return read_.data()->searches[search.words - shared_.data()->searches];
  }

  /// Runs one search from all start nodes, which come first in the queue, in their order.
  search_ref search_from(std::span<std::uint32_t const> starts);

  /// Returns the components in the order of their smallest vertices. The result's `component_of` is
  /// null for a graph that is known to have only one.
  [[nodiscard]] components_ref components() const;

  [[nodiscard]] rows_ref rows() const { return {graph_, records_.data()}; }
  [[nodiscard]] int words_of_record() const { return words_; }
  [[nodiscard]] device_algorithms& algorithms() { return algorithms_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct search_memory {
    buffer<std::uint32_t> queue;
    buffer<std::uint32_t> place;
    buffer<std::uint32_t> level_begin;
    buffer<std::uint32_t> bits;
  };
  // For each search of a round, in the order of the candidates, the memory that holds it.
  using sets_of_round = std::vector<int>;

  void begin_at(int set, std::span<std::uint32_t const> sources);
  // Runs until the searches are done. Returns whether they were complete.
  bool finish(sets_of_round const& sets);
  void search_round(sets_of_round const& sets, bool is_first);
  void search_on();
  void launch_narrow(sets_of_round const& sets);
  void launch_wide(int set);
  void launch_judge(sets_of_round const& sets, bool is_first);
  void read_words();
  void check_time() const;
  void label_components();
  void begin_components(start_options const& options);
  void set_states(std::vector<component_state> const& states);
  [[nodiscard]] std::vector<start_node> starts() const;
  [[nodiscard]] std::vector<start_node> least_degrees();

  device* machine_;
  /// The graph in device memory, after prepare(). Before, a graph of the same size.
  graph_ref graph_;
  int words_ = 8;
  int workers_;
  double timeout_s_;
  std::chrono::steady_clock::time_point begun_{};
  search_tuning tuning_;
  int most_candidates_;
  buffer<std::uint32_t> records_;
  std::vector<search_memory> sets_;
  std::vector<search_ref> refs_;
  buffer<shared_words> shared_;
  /// The copy of the shared words on the host.
  buffer<shared_words> read_;
  /// Start nodes, if there is one component.
  buffer<std::uint32_t> sources_;
  // State of the components; with one component, the arrays have one element.
  buffer<component_state> states_;
  buffer<std::uint64_t> candidates_;
  buffer<std::uint32_t> last_places_;
  buffer<std::uint32_t> component_of_;
  buffer<std::uint32_t> first_of_;
  buffer<std::uint32_t> parents_;
  buffer<std::uint32_t> numbers_;
  std::uint32_t num_components_ = 1;
  device_algorithms algorithms_;
  int found_ = -1;
};

}  // namespace gridloom::mhive::rcm::levels
