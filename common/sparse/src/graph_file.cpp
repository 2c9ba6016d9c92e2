#include "gridloom/sparse/graph_file.hpp"

#include <algorithm>

#include "gridloom/files/apart.hpp"
#include "gridloom/files/atomic_file.hpp"
#include "gridloom/files/hdf5_io.hpp"

namespace gridloom {
namespace {

// A graph file that is open in the process that reads it. The take_ functions are the other ends.
class open_graph {
 public:
  explicit open_graph(std::filesystem::path const& path)
      : file_{hdf5::open_for_reading(path)},
        group_{hdf5::open_kind(file_, path, "graph", "dag")},
        place_{path.string() + ": /graph"},
        bytes_{std::filesystem::file_size(path)} {}

  void send_graph(hdf5::sender& to) const {
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
    to.numbers<std::uint64_t>(offsets, place_ + "/row_offsets");
    to.numbers<std::uint32_t>(columns, place_ + "/columns");
  }

  void send_times(hdf5::sender& to) const {
    H5::DataSet const costs = hdf5::open_rows(group_, "costs", place_, bytes_);
    H5::DataSet const weights = column("weights");
    auto const [rows, columns] = hdf5::extent_of(costs);
    to.number(rows);
    to.number(columns);
    to.numbers<std::uint64_t>(costs, place_ + "/costs");
    to.numbers<std::uint64_t>(weights, place_ + "/weights");
    to.text(unit_of(costs, "/costs"));
    to.text(unit_of(weights, "/weights"));
    bool const named = hdf5::has_link(group_, "names", place_);
    to.texts(named ? hdf5::read_texts(column("names"), place_ + "/names")
                   : std::vector<std::string>{});
    send_machines(to);
  }

 private:
  [[nodiscard]] std::string unit_of(H5::DataSet const& dataset, char const* name) const {
    return dataset.attrExists("unit") ? hdf5::read_text_attribute(dataset, "unit", place_ + name)
                                      : "1";
  }
  void send_machines(hdf5::sender& to) const {
    bool const said = group_.attrExists("machines");
    to.number(said ? hdf5::read_count_attribute(group_, "machines", place_) : 0);
    bool const recorded = hdf5::has_link(group_, "machine_speeds", place_);
    to.number(recorded ? 1 : 0);
    if (!recorded) return;
    to.numbers<std::uint64_t>(column("machine_speeds"), place_ + "/machine_speeds");
    to.numbers<std::uint32_t>(column("ran_on"), place_ + "/ran_on");
  }
  [[nodiscard]] H5::DataSet column(char const* name) const {
    return hdf5::open_column(group_, name, place_, bytes_);
  }

  H5::H5File file_;
  H5::Group group_;
  std::string place_;
  std::uint64_t bytes_;
};

csr_graph take_graph(hdf5::receiver& from) {
  csr_graph graph;
  graph.row_offsets = from.numbers<std::uint64_t>();
  graph.columns = from.numbers<std::uint32_t>();
  return graph;
}

void take_times(hdf5::receiver& from, weighted_dag& dag) {
  dag.cost_rows = from.number();
  dag.cost_columns = from.number();
  dag.costs = from.numbers<std::uint64_t>();
  dag.weights = from.numbers<std::uint64_t>();
  dag.unit = from.text();
  dag.weight_unit = from.text();
  dag.names = from.texts();
  dag.machines = from.number();
  if (from.number() == 0) return;
  dag.machine_speeds = from.numbers<std::uint64_t>();
  dag.ran_on = from.numbers<std::uint32_t>();
}

void check_machines(weighted_dag const& dag, std::string const& place) {
  auto const& speeds = dag.machine_speeds;
  if (speeds.empty() && dag.ran_on.empty()) return;
  if (speeds.size() != dag.machines || std::ranges::find(speeds, 0U) != speeds.end()) {
    throw usage_error(place + "/machine_speeds: expected " + std::to_string(dag.machines) +
                      " speeds above 0, as the attribute machines says, got others");
  }
  auto const is_none = [&](std::uint32_t machine) { return machine >= dag.machines; };
  if (dag.ran_on.size() != dag.graph.tasks() || std::ranges::any_of(dag.ran_on, is_none)) {
    throw usage_error(place + "/ran_on: expected " + std::to_string(dag.graph.tasks()) +
                      " numbers of machines below " + std::to_string(dag.machines) +
                      ", got others");
  }
}

std::vector<std::byte> image_of(csr_graph const& graph) {
  H5::H5File file = hdf5::create_in_memory();
  H5::Group group = file.createGroup("graph");
  hdf5::write_attribute(group, "kind", "dag");
  hdf5::write_attribute(group, "n", graph.tasks());
  H5::DataSet offsets =
      hdf5::create_column(group, "row_offsets", H5::PredType::STD_U64LE, graph.row_offsets.size());
  hdf5::write_numbers(offsets, graph.row_offsets.data(), graph.row_offsets.size(),
                      H5::PredType::NATIVE_UINT64, 0);
  H5::DataSet columns =
      hdf5::create_column(group, "columns", H5::PredType::STD_U32LE, graph.columns.size());
  hdf5::write_numbers(columns, graph.columns.data(), graph.columns.size(),
                      H5::PredType::NATIVE_UINT32, 0);
  return hdf5::image_of(file);
}

}  // namespace

csr_graph read_dag(std::filesystem::path const& path) {
  return hdf5::read_apart(
      path, [&](hdf5::sender& to) { open_graph{path}.send_graph(to); },
      [&](hdf5::receiver& from) {
        csr_graph graph = take_graph(from);
        check_dag(graph, path.string());
        return graph;
      });
}

weighted_dag read_weighted_dag(std::filesystem::path const& path) {
  auto const send = [&](hdf5::sender& to) {
    open_graph const file{path};
    file.send_graph(to);
    file.send_times(to);
  };
  return hdf5::read_apart(path, send, [&](hdf5::receiver& from) {
    weighted_dag dag;
    dag.graph = take_graph(from);
    check_dag(dag.graph, path.string());
    take_times(from, dag);
    check_machines(dag, path.string() + ": /graph");
    return dag;
  });
}

void write_dag(std::filesystem::path const& path, csr_graph const& graph) {
  check_dag(graph, path.string());
  replace_file(path, hdf5::writing(path, [&] { return image_of(graph); }));
}

}  // namespace gridloom
