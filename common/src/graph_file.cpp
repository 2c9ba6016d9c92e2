#include "gridloom/graph_file.hpp"

#include <string>

#include "atomic_file.hpp"
#include "gridloom/parse.hpp"
#include "hdf5_io.hpp"

namespace gridloom {
namespace {

template <typename Word>
std::vector<Word> read_words(H5::DataSet const& dataset, H5::PredType const& type,
                             std::string const& place) {
  std::string const expected = "uint" + std::to_string(8 * sizeof(Word));
  if (dataset.getTypeClass() != H5T_INTEGER) throw usage_error(place + ": expected " + expected);
  H5::IntType const stored = dataset.getIntType();
  // Other widths and signs would be clamped on conversion without a word.
  if (stored.getSign() != H5T_SGN_NONE || stored.getSize() != sizeof(Word)) {
    throw usage_error(place + ": expected " + expected + ", got " +
                      (stored.getSign() == H5T_SGN_NONE ? "uint" : "int") +
                      std::to_string(8 * stored.getSize()));
  }
  std::vector<Word> words(hdf5::length_of(dataset));
  if (!words.empty()) dataset.read(words.data(), type);
  return words;
}

csr_graph read_unchecked(std::filesystem::path const& path) {
  H5::H5File const file = hdf5::open_for_reading(path);
  std::string const place = path.string() + ": /graph";
  if (!hdf5::has_link(file, "graph") || file.childObjType("graph") != H5O_TYPE_GROUP) {
    throw usage_error(place + ": expected a group");
  }
  H5::Group const group = file.openGroup("graph");
  std::string const kind = hdf5::read_text_attribute(group, "kind", place);
  if (kind != "dag") {
    throw usage_error(place + ": expected the attribute kind to be \"dag\", got " +
                      in_quotes(kind));
  }
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
  return {read_words<std::uint64_t>(offsets, H5::PredType::NATIVE_UINT64, place + "/row_offsets"),
          read_words<std::uint32_t>(columns, H5::PredType::NATIVE_UINT32, place + "/columns")};
}

std::vector<std::byte> image_of(csr_graph const& graph) {
  H5::H5File file = hdf5::create_in_memory();
  H5::Group group = file.createGroup("graph");
  hdf5::write_attribute(group, "kind", "dag");
  std::uint64_t const n = graph.tasks();
  group.createAttribute("n", H5::PredType::STD_U64LE, H5::DataSpace{H5S_SCALAR})
      .write(H5::PredType::NATIVE_UINT64, &n);
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
