#include "gridloom/taskgraph/graph_file.hpp"

#include <algorithm>
#include <span>

#include "gridloom/files/hdf5_io.hpp"

namespace gridloom {
namespace {

// The group /graph of a file.
class graph_group {
 public:
  graph_group(H5::H5File const& file, std::filesystem::path const& path)
      : group_{hdf5::open_kind(file, path, "graph", "dag")},
        place_{path.string() + ": /graph"},
        bytes_{std::filesystem::file_size(path)} {}

  [[nodiscard]] csr_graph graph() const {
    std::uint64_t const n = hdf5::read_count_attribute(group_, "n", place_);
    if (n > most_tasks) {
      throw usage_error(place_ + ": expected the attribute n to be at most " +
                        std::to_string(most_tasks) + ", got " + std::to_string(n));
    }
    H5::DataSet const offsets = column("row_offsets");
    H5::DataSet const columns = column("columns");
    if (hdf5::length_of(offsets) != n + 1) {
      throw usage_error(place_ + "/row_offsets: expected n + 1 = " + std::to_string(n + 1) +
                        " entries, got " + std::to_string(hdf5::length_of(offsets)));
    }
    return {hdf5::read_numbers<std::uint64_t>(offsets, place_ + "/row_offsets"),
            hdf5::read_numbers<std::uint32_t>(columns, place_ + "/columns")};
  }

  void read_times(weighted_dag& dag) const {
    H5::DataSet const costs = hdf5::open_rows(group_, "costs", place_, bytes_);
    H5::DataSet const weights = column("weights");
    auto const [rows, columns] = hdf5::extent_of(costs);
    dag.cost_rows = rows;
    dag.cost_columns = columns;
    dag.costs = hdf5::read_numbers<std::uint64_t>(costs, place_ + "/costs");
    dag.weights = hdf5::read_numbers<std::uint64_t>(weights, place_ + "/weights");
    dag.unit = unit_of(costs, "/costs");
    dag.weight_unit = unit_of(weights, "/weights");
    if (has("names")) dag.names = hdf5::read_texts(column("names"), place_ + "/names");
    if (group_.attrExists("machines")) {
      dag.machines = hdf5::read_count_attribute(group_, "machines", place_);
    }
    if (!has("machine_speeds")) return;
    dag.machine_speeds =
        hdf5::read_numbers<std::uint64_t>(column("machine_speeds"), place_ + "/machine_speeds");
    dag.ran_on = hdf5::read_numbers<std::uint32_t>(column("ran_on"), place_ + "/ran_on");
  }

 private:
  [[nodiscard]] std::string unit_of(H5::DataSet const& dataset, char const* name) const {
    return dataset.attrExists("unit") ? hdf5::read_text_attribute(dataset, "unit", place_ + name)
                                      : "1";
  }
  [[nodiscard]] bool has(char const* name) const { return hdf5::has_link(group_, name, place_); }
  [[nodiscard]] H5::DataSet column(char const* name) const {
    return hdf5::open_column(group_, name, place_, bytes_);
  }

  H5::Group group_;
  std::string place_;
  std::uint64_t bytes_;
};

void check_machines(weighted_dag const& dag, std::string const& place) {
  auto const& speeds = dag.machine_speeds;
  if (speeds.empty() && dag.ran_on.empty()) return;
  if (speeds.size() != dag.machines || std::ranges::find(speeds, 0U) != speeds.end()) {
    throw usage_error(place + "/machine_speeds: expected " + std::to_string(dag.machines) +
                      " speeds above 0 (attribute machines), got other values");
  }
  auto const is_none = [&](std::uint32_t machine) { return machine >= dag.machines; };
  if (dag.ran_on.size() != dag.graph.tasks() || std::ranges::any_of(dag.ran_on, is_none)) {
    throw usage_error(place + "/ran_on: expected " + std::to_string(dag.graph.tasks()) +
                      " machine numbers below " + std::to_string(dag.machines) +
                      ", got other values");
  }
}

}  // namespace

csr_graph read_dag(std::filesystem::path const& path) {
  csr_graph graph = hdf5::read_file(path, [&](H5::H5File const& file) {
    return graph_group{file, path}.graph();
  });
  check_dag(graph, path.string());
  return graph;
}

weighted_dag read_weighted_dag(std::filesystem::path const& path) {
  weighted_dag dag = hdf5::read_file(path, [&](H5::H5File const& file) {
    graph_group const stored{file, path};
    weighted_dag read;
    read.graph = stored.graph();
    stored.read_times(read);
    return read;
  });
  check_dag(dag.graph, path.string());
  check_machines(dag, path.string() + ": /graph");
  return dag;
}

void write_dag(std::filesystem::path const& path, csr_graph const& graph,
               std::vector<std::string> const& names, std::string const& generator) {
  check_dag(graph, path.string());
  hdf5::write_file(path, [&](H5::H5File& file) {
    H5::Group group = hdf5::create_group(file, "graph");
    hdf5::write_attribute(group, "kind", "dag");
    hdf5::write_attribute(group, "n", graph.tasks());
    if (!generator.empty()) hdf5::write_attribute(group, "generator", generator);
    hdf5::write_numbers<std::uint64_t>(group, "row_offsets", graph.row_offsets);
    hdf5::write_numbers<std::uint32_t>(group, "columns", graph.columns);
    if (names.empty() && graph.durations.empty()) return;
    std::vector<std::uint64_t> const ones(std::max(graph.tasks(), graph.edges()), 1);
    std::span<std::uint64_t const> const all(ones);
    std::span<std::uint64_t const> times = all.first(graph.tasks());
    if (!graph.durations.empty()) times = graph.durations;
    auto const deflate = hdf5::packing::deflate;
    H5::DataSet costs = hdf5::write_numbers(group, "costs", times, deflate, 1);
    H5::DataSet weights = hdf5::write_numbers(group, "weights", all.first(graph.edges()));
    hdf5::write_attribute(costs, "unit", "1");
    hdf5::write_attribute(weights, "unit", "1");
    if (!names.empty()) hdf5::write_texts(group, "names", names);
  });
}

}  // namespace gridloom
