#include "gridloom/sparse/graph_file.hpp"

#include <string>

#include "gridloom/file/atomic_file.hpp"
#include "gridloom/file/hdf5_io.hpp"

namespace gridloom {
namespace {

csr_graph read_unchecked(std::filesystem::path const& path) {
  H5::H5File const file = hdf5::open_for_reading(path);
  std::string const place = path.string() + ": /graph";
  H5::Group const group = hdf5::open_kind(file, path, "graph", "dag");
  std::uint64_t const n = hdf5::read_count_attribute(group, "n", place);
  if (n > most_tasks) {
    throw usage_error(place + ": expected the attribute n to be at most " +
                      std::to_string(most_tasks) + ", got " + std::to_string(n));
  }
  std::uint64_t const bytes = std::filesystem::file_size(path);
  H5::DataSet const offsets = hdf5::open_column(group, "row_offsets", place, bytes);
  H5::DataSet const columns = hdf5::open_column(group, "columns", place, bytes);
  if (hdf5::length_of(offsets) != n + 1) {
    throw usage_error(place + "/row_offsets: expected n + 1 = " + std::to_string(n + 1) +
                      " entries, got " + std::to_string(hdf5::length_of(offsets)));
  }
  return {hdf5::read_numbers<std::uint64_t>(offsets, place + "/row_offsets"),
          hdf5::read_numbers<std::uint32_t>(columns, place + "/columns")};
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
  return hdf5::reading(path, [&] {
    csr_graph graph = read_unchecked(path);
    check_dag(graph, path.string());
    return graph;
  });
}

void write_dag(std::filesystem::path const& path, csr_graph const& graph) {
  check_dag(graph, path.string());
  replace_file(path, hdf5::writing(path, [&] { return image_of(graph); }));
}

}  // namespace gridloom
