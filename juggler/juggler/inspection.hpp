#pragma once
// Times the host's steps before a run: initAppContext_H, the inspection loop and buildCSR (Listing
// 5). The paper's time includes them, and its appendix A.6 prints them.

#include <cstdint>
#include <utility>

#include "gridloom/clock.hpp"
#include "juggler/app_context.hpp"

namespace gridloom::juggler {

/// Milliseconds on the host.
struct inspection_times {
  double init_ms = 0;
  double loop_ms = 0;
  double build_csr_ms = 0;
};

/// The result of an inspection.
template <class TaskData>
struct inspected {
  app_context<TaskData> context;
  inspection_times times;
};

/// Makes a context with room for this number of tasks and edges and calls `loop(context)`, which
/// adds the tasks. Then builds the graph.
template <class TaskData, class Loop>
inspected<TaskData> inspect(std::size_t tasks, std::size_t edges, range_matching matching,
                            Loop&& loop) {
  std::uint64_t const begin = now_ns();
  inspected<TaskData> made{app_context<TaskData>(tasks, edges, matching), {}};
  std::uint64_t const initialised = now_ns();
  loop(made.context);
  std::uint64_t const looped = now_ns();
  made.context.build_csr();
  auto const ms = [](std::uint64_t from, std::uint64_t to) {
    return static_cast<double>(to - from) * 1e-6;
  };
  made.times = {ms(begin, initialised), ms(initialised, looped), ms(looped, now_ns())};
  return made;
}

}  // namespace gridloom::juggler
