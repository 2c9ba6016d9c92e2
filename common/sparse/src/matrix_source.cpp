#include "gridloom/sparse/matrix_source.hpp"

#include <cctype>
#include <string>
#include <string_view>

#include "gridloom/error.hpp"
#include "gridloom/sparse/csr_file.hpp"

namespace gridloom::sparse {
namespace {

// Whether a name, without a final .gz, ends with one of the endings, in upper or lower case.
template <typename... Endings>
bool ends_with(std::filesystem::path const& path, Endings... endings) {
  std::string name = path.filename().string();
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::string_view bare = name;
  if (bare.ends_with(".gz")) bare.remove_suffix(3);
  return (bare.ends_with(endings) || ...);
}

}  // namespace

bool is_csr_name(std::filesystem::path const& path) { return ends_with(path, ".h5", ".hdf5"); }

bool is_market_name(std::filesystem::path const& path) { return ends_with(path, ".mtx"); }

any_csr read_matrix(std::filesystem::path const& path, market_options const& options) {
  if (is_csr_name(path)) return read_csr(path);
  if (is_market_name(path)) {
    if (read_market_header(path).field == market_field::pattern) {
      return read_matrix_market<no_value>(path, options);
    }
    return read_matrix_market<double>(path, options);
  }
  if (ends_with(path, ".graph", ".metis", ".txt", ".edges", ".el", ".tsv", ".csv")) {
    throw usage_error(path.string() +
                      ": expected HDF5 or Matrix Market; METIS graphs and edge lists are converted "
                      "by scripts/datasets import FILE OUT.h5 (a .csv with --as edges)");
  }
  throw usage_error(path.string() + ": expected a name that ends with .h5, .hdf5, .mtx or .mtx.gz");
}

}  // namespace gridloom::sparse
