#include "juggler/graph_export.hpp"

#include <H5Cpp.h>

#include <numeric>
#include <span>
#include <sstream>

#include "gridloom/error.hpp"
#include "gridloom/files/atomic_file.hpp"

namespace gridloom::juggler {

namespace {

std::string name_of(task_dag const& dag, std::uint32_t task,
                    std::vector<std::string> const& type_names) {
  std::uint32_t const type = dag.kernel_types[task];
  return (type < type_names.size() ? type_names[type] : "task") + " " + std::to_string(task);
}

void write_ones(H5::Group const& group, char const* name, std::vector<hsize_t> const& extent) {
  hsize_t const all =
      std::accumulate(extent.begin(), extent.end(), hsize_t{1}, std::multiplies<>());
  std::vector<std::uint64_t> const ones(all, 1);
  H5::DataSpace const space(static_cast<int>(extent.size()), extent.data());
  H5::DataSet const data = group.createDataSet(name, H5::PredType::STD_U64LE, space);
  if (all != 0) data.write(ones.data(), H5::PredType::NATIVE_UINT64);
  H5::StrType const text(H5::PredType::C_S1, H5T_VARIABLE);
  data.createAttribute("unit", text, H5::DataSpace(H5S_SCALAR)).write(text, std::string("1"));
}

template <class T>
void write_numbers(H5::Group const& group, char const* name, H5::PredType const& type,
                   std::vector<T> const& numbers) {
  hsize_t const count = numbers.size();
  H5::DataSet const data = group.createDataSet(name, type, H5::DataSpace(1, &count));
  bool const is_wide = sizeof(T) == 8;
  if (count != 0)
    data.write(numbers.data(), is_wide ? H5::PredType::NATIVE_UINT64 : H5::PredType::NATIVE_UINT32);
}

std::vector<std::byte> image_of(H5::H5File const& file) {
  file.flush(H5F_SCOPE_GLOBAL);
  ssize_t const size = H5Fget_file_image(file.getId(), nullptr, 0);
  if (size < 0) throw H5::FileIException("H5Fget_file_image", "no image");
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  if (H5Fget_file_image(file.getId(), bytes.data(), bytes.size()) != size)
    throw H5::FileIException("H5Fget_file_image", "another size");
  return bytes;
}

}  // namespace

void write_graph_file(std::filesystem::path const& path, task_dag const& dag,
                      std::vector<std::string> const& type_names) {
  std::vector<std::byte> bytes;
  try {
    H5::FileAccPropList in_memory;
    in_memory.setCore(1 << 20, false);
    H5::H5File const file(path.filename().string(), H5F_ACC_TRUNC, H5::FileCreatPropList::DEFAULT,
                          in_memory);
    H5::Group const group = file.createGroup("graph");
    H5::StrType const text(H5::PredType::C_S1, H5T_VARIABLE);
    H5::DataSpace const scalar(H5S_SCALAR);
    group.createAttribute("kind", text, scalar).write(text, std::string("dag"));
    std::uint64_t const n = dag.tasks();
    group.createAttribute("n", H5::PredType::STD_U64LE, scalar)
        .write(H5::PredType::NATIVE_UINT64, &n);
    write_numbers(group, "row_offsets", H5::PredType::STD_U64LE, dag.children.row_offsets);
    write_numbers(group, "columns", H5::PredType::STD_U32LE, dag.children.columns);
    write_ones(group, "costs", {n, 1});
    write_ones(group, "weights", {dag.children.edges()});
    std::vector<std::string> names;
    for (std::uint32_t t = 0; t < n; ++t) names.push_back(name_of(dag, t, type_names));
    std::vector<char const*> pointers;
    for (std::string const& name : names) pointers.push_back(name.c_str());
    hsize_t const count = names.size();
    H5::DataSet const data = group.createDataSet("names", text, H5::DataSpace(1, &count));
    if (count != 0) data.write(pointers.data(), text);
    bytes = image_of(file);
  } catch (H5::Exception const& error) {
    throw run_error(path.string() + ": cannot write: " + error.getDetailMsg());
  }
  replace_file(path, bytes);
}

void write_graphviz(std::filesystem::path const& path, task_dag const& dag,
                    std::vector<std::string> const& type_names) {
  std::ostringstream out;
  out << "digraph tasks {\n";
  for (std::uint32_t t = 0; t < dag.tasks(); ++t) {
    out << "  t" << t << " [label=\"" << name_of(dag, t, type_names) << "\"];\n";
    for (std::uint64_t e = dag.children.row_offsets[t]; e < dag.children.row_offsets[t + 1]; ++e)
      out << "  t" << t << " -> t" << dag.children.columns[e] << ";\n";
  }
  out << "}\n";
  replace_file(path, std::as_bytes(std::span(out.view())));
}

}  // namespace gridloom::juggler
