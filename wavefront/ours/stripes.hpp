#pragma once
// Stripes: our static schedule for lattices. A warp owns a stripe of neighbouring rows, one row per
// lane. Lane r is one column behind lane r - 1, so within a stripe one warp barrier per column
// suffices. Between stripes, one word counts the columns that the last row has finished. The word
// is written every `publish_every` columns, because a fence costs as much as many columns.
//
// In a 3-D lattice, a stripe runs the planes one after the other. So the lane itself has run the
// predecessor in depth, and the schedule is that of a 2-D lattice of rows × (cols · depth).
//
// Rules of order, cited where they are served:
// SP.R1. Inside a stripe, a task sees its predecessors' results: lanes ran the predecessors at
//     least one column earlier, and the warp meets after every column.
// SP.R2. Between stripes, lane 0 publishes with release order after the warp has met, so the word
//     covers the results of all lanes. Lane 0 of the stripe below acquires the word, and the warp
//     meets before its lanes use those results.
// SP.R3. Progress: warps are resident and take stripes in order. Each waits only for the stripe
//     above, so the first unfinished stripe can always run.

#include "gridloom/taskgraph/task_body.hpp"
#include "gridloom/watchdog.hpp"
#include "wavefront/support/scheduler_words.hpp"

namespace gridloom::wavefront {

template <class Probe, class Body>
struct stripes_kernel {
  static constexpr bool persistent = true;
  using scratch = no_scratch;

  lattice graph;
  Body body;
  /// Array of one number per stripe, `apart` words apart: the columns that its last row has
  /// finished.
  std::uint32_t* progress;
  std::uint32_t apart;
  std::uint32_t publish_every;
  scheduler_words* words;
  watchdog_ref dog;
  probe_ref observer;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const warp = block.warp();
    auto const height = static_cast<std::uint32_t>(warp.num_threads());
    Probe probe(observer, block.thread().index());
    watch patience(dog, warp.index(), body.takes_long());
    std::uint32_t executed = 0;
    // SP.R3
    auto const stripes = (graph.rows() + height - 1) / height;
    for (auto stripe = static_cast<std::uint32_t>(warp.index()); stripe < stripes;
         stripe += static_cast<std::uint32_t>(warp.count())) {
      if (!run_stripe(warp, stripe, probe, patience, executed)) break;
    }
    probe.fetch_add_relaxed(&words->finished, executed);
    probe.flush();
  }

 private:
  /// The cell of a lane's task, from which the predecessors follow without a division.
  struct place {
    lattice const& graph;
    lattice_cell at;
    GRIDLOOM_FN short_list predecessors(std::uint32_t task) const {
      return graph.predecessors(task, at);
    }
  };

  template <warp_group Warp>
  GRIDLOOM_FN bool run_stripe(Warp const& warp, std::uint32_t stripe, Probe& probe, watch& patience,
                              std::uint32_t& executed) const {
    auto const lane = static_cast<std::uint32_t>(warp.thread_rank());
    auto const height = static_cast<std::uint32_t>(warp.num_threads());
    std::uint32_t const row = stripe * height + lane;
    std::uint32_t const length = graph.cols() * graph.depth();
    // Number of columns of this lane.
    std::uint32_t const mine = row < graph.rows() ? length : 0;
    std::uint32_t task = row * graph.cols();
    place here{graph, {0, row, 0}};
    thread_of_one const self(0, 1);
    // Number of columns that the stripe above is known to have finished.
    std::uint32_t above = stripe == 0 ? length : 0;

    for (std::uint32_t begin = 0; begin < length + height - 1; begin += publish_every) {
      std::uint32_t const end = begin + publish_every;
      std::uint32_t const needed = end < length ? end : length;
      if (above < needed && !wait_above(warp, stripe, needed, above, probe, patience)) return false;
      for (std::uint32_t step = begin; step != end; ++step) {
        // `step` and `lane` are unsigned, so this is also false before the lane's first column.
        if (step - lane < mine) {
          probe.begin(task);
          body(self, here, task);
          probe.end(task);
          ++executed;
          ++task;
          if (++here.at.col == graph.cols()) {
            here.at.col = 0;
            ++here.at.z;
            task += graph.plane() - graph.cols();
          }
        }
        warp.sync();  // SP.R1, SP.R2
      }
      // The last lane is height - 1 columns behind the first.
      std::uint32_t const finished = end < height ? 0 : end - (height - 1);
      if (!publish(warp, stripe, finished < length ? finished : length, probe, patience))
        return false;
    }
    return true;
  }

  GRIDLOOM_FN std::uint32_t* progress_of(std::uint32_t stripe) const {
    return progress + static_cast<std::size_t>(stripe) * apart;
  }

  /// Waits until the stripe above has finished at least `needed` columns. Returns false if the
  /// watchdog stops the run.
  template <warp_group Warp>
  GRIDLOOM_FN bool wait_above(Warp const& warp, std::uint32_t stripe, std::uint32_t needed,
                              std::uint32_t& above, Probe& probe, watch& patience) const {
    bool stopped = false;
    if (warp.thread_rank() == 0) {
      // SP.R2
      for (unsigned attempt = 0; (above = probe.load_acquire(progress_of(stripe - 1))) < needed;
           ++attempt) {
        if (patience.stop(probe, wait_kind::neighbour, stripe - 1, above, needed)) {
          stopped = true;
          break;
        }
        warp.pause(attempt);
      }
    }
    above = warp.shuffle(above, 0);
    stopped = warp.any(stopped);
    warp.sync();  // SP.R2
    return !stopped;
  }

  /// Tells the stripe below how many columns are finished. Returns false if the watchdog stops the
  /// run.
  template <warp_group Warp>
  GRIDLOOM_FN bool publish(Warp const& warp, std::uint32_t stripe, std::uint32_t finished,
                           Probe& probe, watch& patience) const {
    bool stopped = false;
    if (warp.thread_rank() == 0) {
      probe.store_release(progress_of(stripe), finished);  // SP.R2
      stopped =
          patience.stop(probe, wait_kind::own_work, stripe, finished, graph.cols() * graph.depth());
    }
    return !warp.any(stopped);
  }
};

}  // namespace gridloom::wavefront
