#pragma once
// The search as MHive tasks. A task gets one node and searches below it, depth first. After a batch
// of nodes it enqueues those that are left, and ends. So other workers get work, and with a batch
// of 1 a task is a node.
//
// Breadth first, a whole level would be in the queue at once. So only a limited number of tasks may
// wait. At the limit a task keeps its nodes and searches a further batch itself. Nodes for which it
// has no room are enqueued whether or not tasks may wait.

#include <cstdint>

#include "expand.hpp"
#include "gridloom/clock.hpp"
#include "mhive/context.hpp"
#include "mhive/phases.hpp"

namespace gridloom::mhive::dynamic {

template <class Search>
struct explore;
template <class Search>
using explore_queue = phase_queue<phaseless<explore<Search>>>;

template <class Search>
struct explore_data {
  Search search;
  /// Number of nodes after which a task enqueues the others.
  std::uint32_t batch;
  /// Number of tasks that may wait.
  std::uint32_t most_waiting;
  /// Time on the machine's clock after which tasks give up.
  std::uint64_t deadline_ns;
  totals* found;
  /// Number of tasks that were enqueued and have not begun.
  std::uint32_t* waiting;
};

template <class Search>
struct explore {
  using work_item = typename Search::node_type;
  using node = work_item;
  static constexpr int worker_size = 32;
  static constexpr std::string_view name = "explore";
  /// Number of nodes for which a task has room. T1 and T3 need fewer.
  static constexpr std::uint32_t most_nodes = 1024;

  struct scratch {
    expand_scratch<node> expand;
    node stage[2 * worker_size];
  };

  template <class Context>
  GRIDLOOM_FN static void execute(Context& context, node const& first) {
    using worker = std::remove_cvref_t<decltype(context.worker())>;
    // Not a member, because members of a struct with an array would not be in registers.
    constexpr std::uint32_t most_rows =
        std::is_same_v<worker, thread_of_one> ? most_nodes : most_nodes / worker_size;
    node rows[most_rows];
    open_nodes<Context, worker>{context, rows, most_rows}.search(first);
  }

 private:
  /// The nodes that a task has not expanded. Each thread keeps one node of every row. Fewer nodes
  /// than a row are in `stage`, in shared memory, and later than those of the rows.
  template <class Context, class Worker>
  struct open_nodes {
    Context const& context;
    node* rows;
    std::uint32_t most_rows;
    explore_data<Search> const& data = context.data();
    Worker const& worker = context.worker();
    scratch& shared = context.scratch();
    std::uint32_t const rank = static_cast<std::uint32_t>(worker.thread_rank());
    std::uint32_t const threads = static_cast<std::uint32_t>(worker.num_threads());
    std::uint32_t num_rows = 0;
    std::uint32_t staged = 0;
    direct_memory memory{};

    GRIDLOOM_FN void search(node const& first) {
      totals found;
      if (rank == 0) memory.fetch_sub_relaxed(data.waiting, 1U);
      std::uint32_t expanded = expand_some(rank == 0, first, found);
      while (num_rows + staged > 0) {
        if (expanded >= data.batch) {
          expanded = 0;
          if (give_away()) break;
        }
        if (num_rows > 0) {
          expanded += expand_some(true, rows[--num_rows], found);
        } else {
          bool const has = rank < staged;
          node const mine = has ? shared.stage[rank] : node{};
          staged = 0;
          expanded += expand_some(has, mine, found);
        }
      }
      add_up(worker, shared.expand, found, data.found);
    }

    // expand() synchronises between the caller's read of `stage` and the first push, and at its
    // end. Returns the number of expanded nodes.
    GRIDLOOM_FN std::uint32_t expand_some(bool has, node const& mine, totals& found) {
      expand(data.search, worker, shared.expand, has, mine, found,
             [this](bool inner, node const& child) { push(inner, child); });
      return static_cast<std::uint32_t>(count_lanes(worker.ballot(has)));
    }
    // Adds the node of each thread whose `has` is true.
    GRIDLOOM_FN void push(bool has, node const& child) {
      std::uint32_t const givers = worker.ballot(has);
      if (has) {
        shared.stage[staged + static_cast<std::uint32_t>(
                                  count_lanes(givers & lanes_below(worker.thread_rank())))] = child;
      }
      staged += static_cast<std::uint32_t>(count_lanes(givers));
      if (staged < threads) return;
      worker.sync();
      staged -= threads;
      node const full = shared.stage[staged + rank];
      worker.sync();
      if (num_rows < most_rows) {
        rows[num_rows++] = full;
      } else {
        if (rank == 0) memory.fetch_add_relaxed(data.waiting, threads);
        context.template enqueue_each<explore>(true, full);
      }
    }

    // Enqueues all nodes, unless too many tasks would wait. Returns whether the task is done; after
    // the deadline it is, and the run is late.
    GRIDLOOM_FN bool give_away() {
      bool room = false;
      bool late = false;
      if (rank == 0) {
        std::uint32_t const n = num_rows * threads + staged;
        room = memory.fetch_add_relaxed(data.waiting, n) + n <= data.most_waiting;
        if (!room) memory.fetch_sub_relaxed(data.waiting, n);
        late = !room && now_ns() > data.deadline_ns;
      }
      if (worker.any(late)) return true;
      if (!worker.any(room)) return false;
      while (num_rows > 0) context.template enqueue_each<explore>(true, rows[--num_rows]);
      bool const has = rank < staged;
      context.template enqueue_each<explore>(has, has ? shared.stage[rank] : node{});
      return true;
    }
  };
};

}  // namespace gridloom::mhive::dynamic
