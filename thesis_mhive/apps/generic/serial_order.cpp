#include "serial_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "gridloom/random.hpp"

namespace gridloom::mhive::generic {
namespace {

// Walks through the instances one after the other, beginning with instance 0.
class serial_walk {
 public:
  serial_walk(execution_tree const& tree, std::uint64_t seed)
      : tree_{tree},
        random_{seed},
        reached_(tree.tasks().size()),
        fired_(tree.transitions().size()) {
    if (!is_in_topological_order(tree)) {
      throw std::invalid_argument("serial order: the tree must be in topological order");
    }
    for (int task = 0; task < tree.num_tasks(); ++task) roots_.push_back(tree.is_root(task));
    for (transition const& edge : tree.transitions()) {
      bounds_.push_back(std::ldexp(static_cast<long double>(edge.probability), 64));
    }
  }

  void next() {
    reached_ = roots_;
    // Edges are sorted by target, so when an edge is processed, it is known whether its source is
    // reached. A word is drawn for all 128 possible edges, so each instance begins at a multiple of
    // 128.
    for (std::size_t k = 0; k < most_transitions; ++k) {
      std::uint64_t const word = random_.next();
      if (k >= fired_.size()) continue;
      transition const& edge = tree_.transitions()[k];
      fired_[k] = reached_[static_cast<std::size_t>(edge.from)] && word_is_below(word, bounds_[k]);
      if (fired_[k]) reached_[static_cast<std::size_t>(edge.to)] = true;
    }
  }

  [[nodiscard]] bool reached(std::size_t task) const { return reached_[task]; }
  /// Whether the source is reached and the transition fires.
  [[nodiscard]] bool fired(std::size_t edge) const { return fired_[edge]; }

 private:
  static bool word_is_below(std::uint64_t word, long double bound) {
    static_assert(std::numeric_limits<long double>::digits >= 64, "a word must not be rounded");
    return static_cast<long double>(word) < bound;
  }

  execution_tree const& tree_;
  random_source random_;
  /// The probabilities times 2^64.
  std::vector<long double> bounds_;
  std::vector<bool> roots_;
  std::vector<bool> reached_;
  std::vector<bool> fired_;
};

class fault_list {
 public:
  explicit fault_list(std::size_t most) : most_{most} {}

  // The text is made only if it is kept, because a broken run may have millions of faults.
  template <typename Text>
  void add(Text const& text) {
    if (lines_.size() < most_) {
      lines_.push_back(text());
    } else {
      ++more_;
    }
  }

  [[nodiscard]] std::vector<std::string> take() {
    if (more_ > 0) lines_.push_back("and " + std::to_string(more_) + " more");
    return std::move(lines_);
  }

 private:
  std::size_t most_;
  std::uint64_t more_ = 0;
  std::vector<std::string> lines_;
};

class certificate_check {
 public:
  certificate_check(execution_tree const& tree, run_certificate const& run, std::size_t most)
      : tree_{tree}, run_{run}, faults_{most} {
    std::size_t const records = tree.tasks().size() * std::size_t{run.instances};
    for (std::size_t const size : {run.begin.size(), run.end.size(), run.executions.size()}) {
      if (size != records) {
        throw std::invalid_argument("check_certificate: expected one record per task and instance");
      }
    }
  }

  std::vector<std::string> faults(std::uint64_t seed, dependencies kind) {
    serial_walk walk{tree_, seed};
    if (kind == dependencies::phases) {
      require_phases(tree_);
      find_phase_ends();
    }
    for (std::uint32_t instance = 0; instance < run_.instances; ++instance) {
      walk.next();
      std::size_t edge = 0;
      for (std::size_t task = 0; task < tree_.tasks().size(); ++task) {
        std::size_t const first = edge;
        while (edge < tree_.transitions().size() && into(edge, task)) ++edge;
        if (!executed_rightly(record(instance, task), walk.reached(task))) continue;
        check_end(record(instance, task));
        if (kind == dependencies::individual) {
          check_predecessors(walk, record(instance, task), first, edge);
        } else {
          // All predecessors are in earlier phases, so this check covers them.
          check_phase(record(instance, task));
        }
      }
    }
    return faults_.take();
  }

 private:
  [[nodiscard]] bool into(std::size_t edge, std::size_t task) const {
    return static_cast<std::size_t>(tree_.transitions()[edge].to) == task;
  }

  [[nodiscard]] std::size_t record(std::size_t instance, std::size_t task) const {
    return instance * tree_.tasks().size() + task;
  }

  [[nodiscard]] task_definition const& type_of(std::size_t at) const {
    return tree_.tasks()[at % tree_.tasks().size()];
  }

  [[nodiscard]] std::string name(std::size_t at) const {
    return "task " + type_of(at).name + " of instance " + std::to_string(at / tree_.tasks().size());
  }

  void add(std::size_t at, std::string const& expected, std::uint64_t got) {
    faults_.add(
        [&] { return name(at) + ": expected " + expected + ", got " + std::to_string(got); });
  }

  // Reports a wrong number of executions. Returns true if the task was executed once, as expected.
  // Otherwise its stamps mean nothing.
  bool executed_rightly(std::size_t at, bool wanted) {
    std::uint32_t const times = run_.executions[at];
    if (times != (wanted ? 1U : 0U)) add(at, wanted ? "1 execution" : "no execution", times);
    return wanted && times == 1;
  }

  void check_end(std::size_t at) {
    if (run_.end[at] < run_.begin[at]) {
      add(at, "an end at " + std::to_string(run_.begin[at]) + " or later", run_.end[at]);
    }
  }

  void check_predecessors(serial_walk const& walk, std::size_t at, std::size_t first,
                          std::size_t last) {
    std::size_t const start = at - at % tree_.tasks().size();
    for (std::size_t edge = first; edge < last; ++edge) {
      std::size_t const before = start + static_cast<std::size_t>(tree_.transitions()[edge].from);
      // A predecessor with a wrong number of executions is already reported, and its stamps mean
      // nothing.
      if (!walk.fired(edge) || run_.executions[before] != 1) continue;
      if (run_.begin[at] < run_.end[before]) add_early(at, before);
    }
  }

  // Finds, for every phase, the task that ended last in the phases before it.
  void find_phase_ends() {
    for (std::size_t at = 0; at < run_.executions.size(); ++at) {
      if (run_.executions[at] == 0) continue;
      for (std::size_t phase = static_cast<std::size_t>(type_of(at).phase) + 1;
           phase < last_before_.size(); ++phase) {
        std::size_t& last = last_before_[phase];
        if (last == none || run_.end[last] < run_.end[at]) last = at;
      }
    }
  }

  void check_phase(std::size_t at) {
    std::size_t const last = last_before_[static_cast<std::size_t>(type_of(at).phase)];
    if (last != none && run_.begin[at] < run_.end[last]) add_early(at, last);
  }

  void add_early(std::size_t at, std::size_t before) {
    faults_.add([&] {
      auto const phase = [&](std::size_t task) { return std::to_string(type_of(task).phase); };
      return name(at) + " (phase " + phase(at) + "): expected a begin at " +
             std::to_string(run_.end[before]) + " or later, when " + name(before) + " (phase " +
             phase(before) + ") ended, got " + std::to_string(run_.begin[at]);
    });
  }

  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  execution_tree const& tree_;
  run_certificate const& run_;
  fault_list faults_;
  std::array<std::size_t, most_phases> last_before_{none, none, none, none, none, none, none, none};
};

}  // namespace

std::vector<std::uint64_t> count_tasks(execution_tree const& tree, std::uint64_t seed,
                                       std::uint32_t instances) {
  serial_walk walk{tree, seed};
  std::vector<std::uint64_t> counts(tree.tasks().size());
  for (std::uint32_t instance = 0; instance < instances; ++instance) {
    walk.next();
    for (std::size_t task = 0; task < counts.size(); ++task) counts[task] += walk.reached(task);
  }
  return counts;
}

csr_graph task_graph(execution_tree const& tree, std::uint64_t seed, std::uint32_t instances) {
  serial_walk walk{tree, seed};
  std::vector<graph_edge> edges;
  std::uint64_t first = 0;
  auto const number = [&](int task) {
    return static_cast<std::uint32_t>(first + static_cast<unsigned>(task));
  };
  for (std::uint32_t instance = 0; instance < instances; ++instance) {
    walk.next();
    for (std::size_t k = 0; k < tree.transitions().size(); ++k) {
      transition const& edge = tree.transitions()[k];
      if (walk.fired(k)) edges.push_back({number(edge.from), number(edge.to)});
    }
    first += tree.tasks().size();
  }
  return graph_of_edges(first, edges);
}

std::vector<std::string> check_certificate(execution_tree const& tree, std::uint64_t seed,
                                           dependencies kind, run_certificate const& run,
                                           std::size_t most) {
  return certificate_check{tree, run, most}.faults(seed, kind);
}

}  // namespace gridloom::mhive::generic
