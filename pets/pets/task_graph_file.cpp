#include "gridloom/error.hpp"
#include "gridloom/file/hdf5_io.hpp"
#include "pets/task_graph.hpp"

namespace gridloom::pets {
namespace {

// One time a task on each of `processors` alike.
std::vector<time_value> repeated(std::vector<time_value> const& costs, std::uint32_t processors) {
  std::vector<time_value> result;
  result.reserve(costs.size() * processors);
  for (time_value const cost : costs) result.insert(result.end(), processors, cost);
  return result;
}

std::string unit_of(H5::DataSet const& dataset, std::string const& place) {
  if (!dataset.attrExists("unit")) return "1";
  return hdf5::read_text_attribute(dataset, "unit", place);
}

task_graph read_checked(std::filesystem::path const& path, std::uint32_t processors) {
  csr_graph const edges = read_dag(path);
  H5::H5File const file = hdf5::open_for_reading(path);
  std::string const place = path.string() + ": /graph";
  H5::Group const group = hdf5::open_kind(file, path, "graph", "dag");
  std::uint64_t const bytes = std::filesystem::file_size(path);
  H5::DataSet const costs = hdf5::open_rows(group, "costs", place, bytes);
  H5::DataSet const weights = hdf5::open_column(group, "weights", place, bytes);
  auto const [rows, width] = hdf5::extent_of(costs);
  if (rows != edges.tasks() || width == 0) {
    throw usage_error(place + "/costs: expected " + std::to_string(edges.tasks()) +
                      " rows of at least one cost, got " + std::to_string(rows) + " rows of " +
                      std::to_string(width));
  }
  if (processors != 0 && width != 1 && width != processors) {
    throw usage_error("--processors: expected " + std::to_string(width) + ", as " + path.string() +
                      " has costs for, got " + std::to_string(processors));
  }
  if (width > most_processors) {
    throw usage_error(place + "/costs: expected costs for at most " +
                      std::to_string(most_processors) + " processors, got " +
                      std::to_string(width));
  }
  auto times = hdf5::read_numbers<time_value>(costs, place + "/costs");
  if (width == 1 && processors > 1) times = repeated(times, processors);
  std::vector<std::string> names;
  if (hdf5::has_link(group, "names", place)) {
    names = hdf5::read_texts(hdf5::open_column(group, "names", place, bytes), place + "/names");
  }
  task_graph graph = make_task_graph(
      edges, hdf5::read_numbers<time_value>(weights, place + "/weights"), std::move(times),
      width == 1 && processors > 1 ? processors : static_cast<std::uint32_t>(width), place,
      std::move(names));
  graph.unit = unit_of(costs, place + "/costs");
  return graph;
}

}  // namespace

task_graph read_task_graph(std::filesystem::path const& path, std::uint32_t processors) {
  return hdf5::reading(path, [&] { return read_checked(path, processors); });
}

}  // namespace gridloom::pets
