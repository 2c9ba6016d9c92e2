#pragma once
// Stripes: a static schedule for lattices, beside the published dynamic ones. A warp owns as many
// neighbouring rows as it has lanes; lane r is one column behind lane r - 1, so inside the stripe a
// warp barrier a column is all the synchronisation there is. Between stripes one word counts the
// columns that the last row has finished; it is published every `publish_every` columns, because a
// fence costs as much as many columns.
//
// A plane of a 3-D lattice follows the one before in the same stripe: the task above in depth is
// then a task that the same lane ran earlier. Only neighbouring rows meet, so the shape is a 2-D
// lattice of rows × (cols · depth).
//
// Rules of order, cited where they are served:
// ST.R1. Inside a stripe a task sees its predecessors' results: lanes ran them a column or more before,
//     and the warp meets after every column.
// ST.R2. Between stripes: lane 0 publishes after the warp has met, with release order, so the word
//     covers all lanes' results. Lane 0 of the stripe below acquires it, and hands it to its lanes
//     as the warp meets.
// ST.R3. Progress: warps are resident and take stripes in order, and each waits only for the stripe
//     above: the lowest unfinished one can always run.

#include "gridloom/watchdog.hpp"
#include "support/scheduler_words.hpp"
#include "support/task_body.hpp"

namespace gridloom::wavefront {

template <class Probe, class Body>
struct stripes_kernel {
  static constexpr bool persistent = true;
  using scratch = no_scratch;

  lattice graph;
  Body body;
  /// Columns finished by the last row of each stripe, `apart` words apart.
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
    // ST.R3
    auto const stripes = (graph.rows() + height - 1) / height;
    for (auto stripe = static_cast<std::uint32_t>(warp.index()); stripe < stripes;
         stripe += static_cast<std::uint32_t>(warp.count())) {
      if (!run_stripe(warp, stripe, probe, patience, executed)) break;
    }
    probe.fetch_add_relaxed(&words->finished, executed);
    probe.flush();
  }

 private:
  /// Where a lane is: asked for the predecessors of its task, it need not divide.
  struct place {
    lattice const& graph;
    cell at;
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
    std::uint32_t const mine = row < graph.rows() ? length : 0;  // columns of this lane
    std::uint32_t task = row * graph.cols();
    place here{graph, {0, row, 0}};
    thread_of_one const self(0, 1);
    std::uint32_t above = stripe == 0 ? length : 0;  // columns known to be finished above

    for (std::uint32_t begin = 0; begin < length + height - 1; begin += publish_every) {
      std::uint32_t const end = begin + publish_every;
      std::uint32_t const needed = end < length ? end : length;
      if (above < needed && !wait_above(warp, stripe, needed, above, probe, patience)) return false;
      for (std::uint32_t step = begin; step != end; ++step) {
        if (step - lane < mine) {  // unsigned: false before this lane's first column too
          probe.begin(task);
          body(self, here, task);
          probe.end(task);
          ++executed;
          ++task;
          if (++here.at.col == graph.cols()) {  // on to the next plane
            here.at.col = 0;
            ++here.at.z;
            task += graph.plane() - graph.cols();
          }
        }
        warp.sync();  // ST.R1, ST.R2
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

  /// Returns when the stripe above has finished at least `needed` columns; false if stopped by the
  /// watchdog.
  template <warp_group Warp>
  GRIDLOOM_FN bool wait_above(Warp const& warp, std::uint32_t stripe, std::uint32_t needed,
                              std::uint32_t& above, Probe& probe, watch& patience) const {
    bool stopped = false;
    if (warp.thread_rank() == 0) {
      // ST.R2
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
    warp.sync();  // ST.R2
    return !stopped;
  }

  /// Tells the stripe below; false if stopped by the watchdog.
  template <warp_group Warp>
  GRIDLOOM_FN bool publish(Warp const& warp, std::uint32_t stripe, std::uint32_t finished,
                           Probe& probe, watch& patience) const {
    bool stopped = false;
    if (warp.thread_rank() == 0) {
      probe.store_release(progress_of(stripe), finished);  // ST.R2
      stopped =
          patience.stop(probe, wait_kind::own_work, stripe, finished, graph.cols() * graph.depth());
    }
    return !warp.any(stopped);
  }
};

}  // namespace gridloom::wavefront
