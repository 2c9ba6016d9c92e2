#include "juggler/graph_export.hpp"

#include <H5Cpp.h>

#include <fstream>
#include <numeric>

#include "gridloom/error.hpp"

namespace gridloom::juggler {

namespace fs = std::filesystem;

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

/// A file under another name until it is whole.
class unfinished_file {
 public:
  explicit unfinished_file(fs::path const& path) : path_(path), own_(path.string() + ".part") {}
  ~unfinished_file() {
    std::error_code ignored;
    fs::remove(own_, ignored);
  }
  unfinished_file(unfinished_file const&) = delete;
  unfinished_file& operator=(unfinished_file const&) = delete;
  [[nodiscard]] fs::path const& own() const { return own_; }
  void finish() const {
    std::error_code failed;
    fs::rename(own_, path_, failed);
    if (failed) throw run_error(path_.string() + ": cannot write: " + failed.message());
  }

 private:
  fs::path path_;
  fs::path own_;
};

}  // namespace

void write_graph_file(fs::path const& path, task_dag const& dag,
                      std::vector<std::string> const& type_names) {
  unfinished_file const file(path);
  write_dag(file.own(), dag.children);
  try {
    H5::H5File const graph(file.own().string(), H5F_ACC_RDWR);
    H5::Group const group = graph.openGroup("graph");
    write_ones(group, "costs", {dag.tasks(), 1});
    write_ones(group, "weights", {dag.children.edges()});
    std::vector<std::string> names;
    for (std::uint32_t t = 0; t < dag.tasks(); ++t) names.push_back(name_of(dag, t, type_names));
    std::vector<char const*> pointers;
    for (std::string const& name : names) pointers.push_back(name.c_str());
    hsize_t const count = names.size();
    H5::StrType const text(H5::PredType::C_S1, H5T_VARIABLE);
    H5::DataSet const data = group.createDataSet("names", text, H5::DataSpace(1, &count));
    if (count != 0) data.write(pointers.data(), text);
  } catch (H5::Exception const& error) {
    throw run_error(path.string() + ": cannot write: " + error.getDetailMsg());
  }
  file.finish();
}

void write_graphviz(fs::path const& path, task_dag const& dag,
                    std::vector<std::string> const& type_names) {
  unfinished_file const file(path);
  std::ofstream out(file.own());
  out << "digraph tasks {\n";
  for (std::uint32_t t = 0; t < dag.tasks(); ++t) {
    out << "  t" << t << " [label=\"" << name_of(dag, t, type_names) << "\"];\n";
    for (std::uint64_t e = dag.children.row_offsets[t]; e < dag.children.row_offsets[t + 1]; ++e)
      out << "  t" << t << " -> t" << dag.children.columns[e] << ";\n";
  }
  out << "}\n";
  out.close();
  if (!out) throw run_error(path.string() + ": cannot write");
  file.finish();
}

}  // namespace gridloom::juggler
