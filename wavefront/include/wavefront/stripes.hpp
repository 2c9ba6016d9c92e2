#pragma once
// Stripes: a static schedule for lattices, beside the published dynamic ones. A warp owns as many neighbouring rows
// as it has lanes; lane r is one column behind lane r - 1, so inside the stripe a warp barrier a column is all the
// synchronisation there is. Between stripes one word counts the columns that the last row has finished; it is
// published every `publish_every` columns, because a fence costs as much as many columns.
//
// A plane of a 3-D lattice follows the one before in the same stripe: the task above in depth is then a task that the
// same lane ran earlier. Only neighbouring rows meet, so the shape is a 2-D lattice of rows × (cols · depth).

#include "gridloom/watchdog.hpp"
#include "wavefront/scheduler_words.hpp"
#include "wavefront/task_body.hpp"

namespace gridloom::wavefront {

/// Progress of a stripe on a line of its own.
struct alignas(line_bytes) stripe_progress {
  std::uint32_t columns;  ///< finished by the stripe's last row
};

template <class Probe>
struct stripes_kernel {
  static constexpr bool persistent = true;
  using scratch = no_scratch;

  lattice graph;
  task_body body;
  stripe_progress* progress;
  std::uint32_t publish_every;
  scheduler_words* words;
  watchdog_ref dog;
  probe_ref observer;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    auto const warp = block.warp();
    auto const height = static_cast<std::uint32_t>(warp.num_threads());
    Probe probe(observer, block.thread().index());
    watch patience(dog, warp.index());
    std::uint32_t executed = 0;
    // Warps take stripes in order and each waits only for the stripe above: the lowest unfinished one can always run.
    auto const stripes = (graph.rows + height - 1) / height;
    for (auto stripe = static_cast<std::uint32_t>(warp.index()); stripe < stripes;
         stripe += static_cast<std::uint32_t>(warp.count())) {
      if (!run_stripe(warp, stripe, probe, patience, executed)) break;
    }
    probe.fetch_add_relaxed(&words->finished, executed);
    probe.flush();
  }

 private:
  template <warp_group Warp>
  GRIDLOOM_FN bool run_stripe(Warp const& warp, std::uint32_t stripe, Probe& probe, watch& patience,
                              std::uint32_t& executed) const {
    auto const lane = static_cast<std::uint32_t>(warp.thread_rank());
    auto const height = static_cast<std::uint32_t>(warp.num_threads());
    std::uint32_t const row = stripe * height + lane;
    std::uint32_t const length = graph.cols * graph.depth;
    thread_of_one const self(0, 1);
    std::uint32_t task = row * graph.cols;  // of this lane's next column
    std::uint32_t column = 0;               // of `task`, in its plane
    std::uint32_t above = stripe == 0 ? length : 0;  // columns known to be finished above

    for (std::uint32_t step = 0; step < length + height - 1; ++step) {
      if (step < length && above <= step) {
        if (!wait_above(warp, stripe, step, above, probe, patience)) return false;
      }
      bool const mine = row < graph.rows && step >= lane && step - lane < length;
      if (mine) {
        probe.begin(task);
        body(self, graph, task);
        probe.end(task);
        ++executed;
        ++task;
        if (++column == graph.cols) {  // on to the next plane
          column = 0;
          task += graph.plane() - graph.cols;
        }
      }
      warp.sync();
      // The last lane has finished column step - (height - 1).
      if (step + 1 >= height && !publish(warp, stripe, step + 2 - height, length, probe, patience)) return false;
    }
    return true;
  }

  /// Returns when the stripe above has finished more than `step` columns; false if stopped by the watchdog.
  template <warp_group Warp>
  GRIDLOOM_FN bool wait_above(Warp const& warp, std::uint32_t stripe, std::uint32_t step, std::uint32_t& above,
                              Probe& probe, watch& patience) const {
    bool stopped = false;
    if (warp.thread_rank() == 0) {
      for (unsigned attempt = 0; (above = probe.load_acquire(&progress[stripe - 1].columns)) <= step; ++attempt) {
        if (patience.stop(probe, wait_kind::neighbour, stripe - 1, above, step + 1)) {
          stopped = true;
          break;
        }
        warp.pause(attempt);
      }
    }
    above = warp.shuffle(above, 0);
    stopped = warp.any(stopped);
    warp.sync();  // hands what lane 0 acquired to the others
    return !stopped;
  }

  /// Tells the stripe below, now and then; false if stopped by the watchdog.
  template <warp_group Warp>
  GRIDLOOM_FN bool publish(Warp const& warp, std::uint32_t stripe, std::uint32_t finished, std::uint32_t length,
                           Probe& probe, watch& patience) const {
    if (finished % publish_every != 0 && finished != length) return true;
    bool stopped = false;
    if (warp.thread_rank() == 0) {
      probe.store_release(&progress[stripe].columns, finished);
      stopped = patience.stop(probe, wait_kind::nothing, stripe, finished, length);
    }
    return !warp.any(stopped);
  }
};

}  // namespace gridloom::wavefront
