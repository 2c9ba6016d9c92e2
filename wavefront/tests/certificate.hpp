#pragma once
// The order certificate. The tickets of an observed run prove that every task ran exactly once and
// that each edge u -> v was kept: u ended before v began, in the order of the ticket clock.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graphs.hpp"
#include "gridloom/taskgraph/probe.hpp"

namespace gridloom::wavefront::test {

/// Describes at most `most` errors of a run. Empty if the tickets prove that the run is right.
inline std::vector<std::string> violations(std::span<order_ticket const> tickets,
                                           std::span<edge const> edges, std::size_t most = 5) {
  std::vector<std::string> found;
  auto const say = [&](std::string text) {
    if (found.size() < most) found.push_back(std::move(text));
  };
  std::vector<char> used(2 * tickets.size(), 0);
  auto const take = [&](std::size_t task, std::uint32_t ticket) {
    if (ticket >= used.size() || used[ticket] != 0) {
      say("task " + std::to_string(task) + ": ticket " + std::to_string(ticket) +
          " was never or twice handed out");
    } else {
      used[ticket] = 1;
    }
  };
  for (std::size_t task = 0; task < tickets.size(); ++task) {
    auto const& t = tickets[task];
    if (t.times == 0) {
      say("task " + std::to_string(task) + " did not run");
    } else if (t.times > 1) {
      say("task " + std::to_string(task) + " ran " + std::to_string(t.times) + " times");
    } else {
      take(task, t.begun);
      take(task, t.ended);
      if (t.ended <= t.begun) say("task " + std::to_string(task) + " ended before it began");
    }
  }
  for (auto const& e : edges) {
    auto const& u = tickets[e.from];
    auto const& v = tickets[e.to];
    if (u.times == 0 || v.times == 0 || u.ended < v.begun) continue;
    say("edge " + std::to_string(e.from) + " -> " + std::to_string(e.to) + ": began at " +
        std::to_string(v.begun) + ", before " + std::to_string(u.ended) +
        " when its predecessor ended");
  }
  return found;
}

}  // namespace gridloom::wavefront::test
