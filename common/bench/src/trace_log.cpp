#include "gridloom/bench/trace_log.hpp"

#include <algorithm>

namespace gridloom::bench {

trace_log::trace_log()
    : rows_("trace",
            {{"arm", "", "name of what was traced", &row::arm},
             {"worker", "1", "worker that executed the task", &row::worker},
             {"task", "1", "number of the task", [](row const& of) { return of.event.task; }},
             {"type", "1", "task type", [](row const& of) { return of.event.type; }},
             {"begin_ns", "ns", "begin, from the arm's first",
              [](row const& of) { return of.event.begin_ns; }},
             {"end_ns", "ns", "end, from the arm's first begin",
              [](row const& of) { return of.event.end_ns; }}}) {}

std::uint64_t trace_log::add(std::string const& arm, trace_buffer& events) {
  auto traced = events.events();
  auto const first = std::min_element(
      traced.begin(), traced.end(),
      [](auto const& a, auto const& b) { return a.event.begin_ns < b.event.begin_ns; });
  std::uint64_t const zero_ns = first == traced.end() ? 0 : first->event.begin_ns;
  for (auto& [worker, event] : traced) {
    event.begin_ns -= zero_ns;
    event.end_ns -= zero_ns;
    rows_.add({arm, worker, event});
  }
  return events.dropped();
}

}  // namespace gridloom::bench
