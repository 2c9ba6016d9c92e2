#include "pets/support/platform.hpp"

#include <algorithm>
#include <utility>

#include "gridloom/error.hpp"

namespace gridloom::pets {
namespace {

constexpr std::uint64_t million = 1'000'000;
// Largest speed. The product of two speeds, or of a speed and a million, fits 64 bits.
constexpr std::uint64_t most_machine_speed = (std::uint64_t{1} << 32U) - 1;

// Returns "8 processors" or "1 processor".
std::string counted(std::uint64_t n, std::string const& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

// Number of processors in a list with one value per pair. If there is a single value, returns
// 0, which stands for any number.
std::uint32_t side_of(std::vector<std::uint64_t> const& pairs) {
  std::uint32_t side = 0;
  if (pairs.size() > 1) {
    while (std::uint64_t{side} * side < pairs.size()) ++side;
  }
  return side;
}

std::uint32_t count_of(weighted_dag const& dag, platform const& wanted, std::string_view file) {
  std::uint64_t const width = dag.cost_columns;
  auto const listed = static_cast<std::uint32_t>(wanted.speeds.size());
  if (width > 1) {
    if (listed != 0) {
      throw usage_error("--speeds: expected none, as " + std::string(file) +
                        " has costs on each of " + counted(width, "processor"));
    }
    if (wanted.processors != 0 && wanted.processors != width) {
      throw usage_error("--processors: expected " + std::to_string(width) + ", as " +
                        std::string(file) + " has costs for, got " +
                        std::to_string(wanted.processors));
    }
    return static_cast<std::uint32_t>(width);
  }
  if (listed != 0 && wanted.processors != 0 && listed != wanted.processors) {
    throw usage_error("--speeds: expected " + std::to_string(wanted.processors) +
                      " speeds, as --processors says, got " + std::to_string(listed));
  }
  for (std::uint64_t const count : {std::uint64_t{listed}, std::uint64_t{wanted.processors},
                                    std::uint64_t{side_of(wanted.bandwidth)},
                                    std::uint64_t{side_of(wanted.latency)}, dag.machines}) {
    if (count > most_processors) {
      throw usage_error(std::string(file) + ": expected at most " +
                        std::to_string(most_processors) + " processors, got " +
                        std::to_string(count));
    }
    if (count != 0) return static_cast<std::uint32_t>(count);
  }
  return usual_processors;
}

// Whether the machines of the file become the processors.
bool takes_machines(weighted_dag const& dag, platform const& wanted) {
  return dag.cost_columns == 1 && wanted.speeds.empty() && wanted.processors == 0 &&
         side_of(wanted.bandwidth) == 0 && side_of(wanted.latency) == 0 && dag.machines != 0;
}

std::string processors_text(weighted_dag const& dag, platform const& wanted, std::uint32_t count) {
  if (dag.cost_columns > 1) return counted(count, "processor") + " by the file's costs";
  if (!wanted.speeds.empty()) return counted(count, "processor") + " by --speeds";
  if (!takes_machines(dag, wanted)) return counted(count, "processor") + " alike";
  if (count == 1) return "1 machine of the file";
  if (dag.machine_speeds.empty()) return counted(count, "machine") + " of the file, alike";
  auto const [slowest, fastest] = std::ranges::minmax(dag.machine_speeds);
  if (slowest == fastest) return counted(count, "machine") + " of the file, alike";
  return counted(count, "machine") + " of the file, " + std::to_string(slowest) + " to " +
         std::to_string(fastest) + " MHz";
}

// The costs on all processors, one row per task.
std::vector<time_value> costs_of(weighted_dag& dag, platform const& wanted, std::uint32_t count,
                                 std::string_view place) {
  if (dag.cost_columns > 1) return std::move(dag.costs);
  bool const by_machine = takes_machines(dag, wanted) && !dag.machine_speeds.empty();
  if (by_machine && std::ranges::max(dag.machine_speeds) > most_machine_speed) {
    throw usage_error(std::string(place) + "/machine_speeds: expected at most " +
                      std::to_string(most_machine_speed) + ", got more");
  }
  std::vector<time_value> result;
  result.reserve(dag.costs.size() * count);
  for (std::size_t task = 0; task < dag.costs.size(); ++task) {
    time_value const cost = dag.costs[task];
    for (std::uint32_t p = 0; p < count; ++p) {
      if (by_machine) {
        std::uint64_t const ran = dag.machine_speeds[dag.ran_on[task]];
        result.push_back(scaled_up(cost, ran, dag.machine_speeds[p]));
      } else {
        result.push_back(wanted.speeds.empty() ? cost : scaled_up(cost, million, wanted.speeds[p]));
      }
    }
  }
  return result;
}

// Returns one value per pair, given one value for all pairs or a complete list.
std::vector<std::uint64_t> by_pair(std::vector<std::uint64_t> const& given, std::uint32_t count,
                                   std::string const& option) {
  std::size_t const pairs = std::size_t{count} * count;
  if (given.size() <= 1) return std::vector<std::uint64_t>(pairs, given.empty() ? 0 : given[0]);
  if (given.size() != pairs) {
    std::string const side = std::to_string(side_of(given));
    throw usage_error(option + ": expected a row for each of " + counted(count, "processor") +
                      ", got " + side + " rows of " + side);
  }
  return given;
}

// Mean over all pairs of different processors, rounded down.
std::uint64_t mean_of(std::vector<std::uint64_t> const& pairs, std::uint32_t count) {
  std::uint64_t const n = std::uint64_t{count} * (count - 1);
  std::uint64_t whole = 0;
  std::uint64_t rest = 0;
  for (std::uint32_t p = 0; p < count; ++p) {
    for (std::uint32_t q = 0; q < count; ++q) {
      if (p == q) continue;
      whole += pairs[std::size_t{p} * count + q] / n;
      rest += pairs[std::size_t{p} * count + q] % n;
    }
  }
  return whole + rest / n;
}

time_value over(std::uint64_t bytes, std::uint64_t bandwidth, std::uint64_t latency) {
  return latency + scaled_up(bytes, million, bandwidth);
}

struct transfers {
  std::vector<time_value> weights;
  std::optional<pair_links> links;
};

// Checks that no sum of a schedule overflows, even with every edge on the slowest pair.
void check_slowest(std::vector<std::uint64_t> const& bytes, pair_links const& links,
                   std::string_view file) {
  std::uint64_t slowest = ~std::uint64_t{0};
  std::uint64_t latest = 0;
  for (std::uint32_t p = 0; p < links.num_processors; ++p) {
    for (std::uint32_t q = 0; q < links.num_processors; ++q) {
      if (p == q) continue;
      slowest = std::min(slowest, links.bandwidth[std::size_t{p} * links.num_processors + q]);
      latest = std::max(latest, links.latency[std::size_t{p} * links.num_processors + q]);
    }
  }
  time_value left = most_total / links.num_processors;
  for (std::uint64_t const size : bytes) {
    time_value const time = over(size, slowest, latest);
    if (time > left) {
      throw usage_error(std::string(file) +
                        ": expected times of data, over the slowest pair and times the "
                        "processors, that add up to at most " +
                        std::to_string(most_total) + ", got more");
    }
    left -= time;
  }
}

transfers transfers_of(weighted_dag& dag, platform const& wanted, std::uint32_t count,
                       std::string_view file) {
  if (wanted.bandwidth.empty()) {
    if (!wanted.latency.empty()) throw usage_error("--latency: goes with --bandwidth");
    bool const has_data =
        std::ranges::any_of(dag.weights, [](std::uint64_t weight) { return weight != 0; });
    if (dag.unit != dag.weight_unit && has_data) {
      throw usage_error(std::string(file) + ": costs are in " + dag.unit + ", edges in " +
                        dag.weight_unit + ": expected --bandwidth MB/s (and --latency us)");
    }
    return {std::move(dag.weights), {}};
  }
  if (dag.unit != "us" || dag.weight_unit != "byte") {
    throw usage_error("--bandwidth: expected costs in us and edges in byte, " + std::string(file) +
                      " has costs in " + dag.unit + " and edges in " + dag.weight_unit);
  }
  bool const alike = wanted.bandwidth.size() == 1 && wanted.latency.size() <= 1;
  pair_links links{count, by_pair(wanted.bandwidth, count, "--bandwidth"),
                   by_pair(wanted.latency, count, "--latency"), std::move(dag.weights)};
  transfers result;
  std::uint64_t const bandwidth = count > 1 ? mean_of(links.bandwidth, count) : 0;
  std::uint64_t const latency = count > 1 ? mean_of(links.latency, count) : 0;
  if (count > 1) check_slowest(links.bytes, links, file);
  for (std::uint64_t const size : links.bytes) {
    result.weights.push_back(count > 1 ? over(size, bandwidth, latency) : 0);
  }
  if (!alike && count > 1) result.links = std::move(links);
  return result;
}

// Returns a number of millionths as text, without trailing zeros.
std::string shown_millionths(std::uint64_t value) {
  std::string text = std::to_string(value / million);
  if (value % million == 0) return text;
  std::string digits = std::to_string(million + value % million).substr(1);
  digits.erase(digits.find_last_not_of('0') + 1);
  return text + "." + digits;
}

std::string links_text(platform const& wanted) {
  if (wanted.bandwidth.empty()) return "";
  std::string text = wanted.bandwidth.size() == 1
                         ? ", " + shown_millionths(wanted.bandwidth[0]) + " MB/s"
                         : ", bandwidth by pair";
  if (wanted.latency.size() > 1) return text + ", latency by pair";
  return text + ", latency " + (wanted.latency.empty() ? "0" : std::to_string(wanted.latency[0])) +
         " us";
}

// Reorders the bytes of edges from the order of successors, as in files, to the order of
// predecessors.
std::vector<std::uint64_t> turned(std::vector<std::uint64_t> const& bytes,
                                  task_graph const& graph) {
  std::vector<std::uint32_t> next(graph.predecessors.offsets.begin(),
                                  graph.predecessors.offsets.end() - 1);
  std::vector<std::uint64_t> result(bytes.size());
  for (std::uint32_t e = 0; e < bytes.size(); ++e) {
    result[next[graph.successors.tasks[e]]++] = bytes[e];
  }
  return result;
}

}  // namespace

time_value scaled_up(time_value value, std::uint64_t by, std::uint64_t of) {
  std::uint64_t const whole = value / of;
  if (whole != 0 && whole > most_total / by) return most_total + 1;
  std::uint64_t const rest = value % of * by;
  return std::min(whole * by + rest / of + (rest % of != 0 ? 1 : 0), most_total + 1);
}

task_graph on_platform(weighted_dag dag, platform const& wanted, std::string_view place,
                       std::string_view file) {
  std::uint32_t const count = count_of(dag, wanted, file);
  std::string const text = processors_text(dag, wanted, count) + links_text(wanted);
  std::vector<time_value> costs = costs_of(dag, wanted, count, place);
  transfers data = transfers_of(dag, wanted, count, file);
  task_graph graph = make_task_graph(dag.graph, std::move(data.weights), std::move(costs), count,
                                     place, std::move(dag.names), edges_are::checked);
  graph.unit = std::move(dag.unit);
  graph.platform_text = text;
  if (data.links) {
    data.links->bytes = turned(data.links->bytes, graph);
    graph.links = std::move(data.links);
  }
  return graph;
}

}  // namespace gridloom::pets
