#include "gridloom/sparse/matrix_source.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "gridloom/error.hpp"
#include "gridloom/sparse/csr_file.hpp"

namespace gridloom::sparse {
namespace {

// The file's name in lower case, without a .gz.
std::string bare_name(std::filesystem::path const& path) {
  std::string name = path.filename().string();
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return name;
}

}  // namespace

bool is_csr_name(std::filesystem::path const& path) {
  std::string const name = bare_name(path);
  return name.ends_with(".h5") || name.ends_with(".hdf5");
}

any_csr read_matrix(std::filesystem::path const& path, read_options const& options) {
  std::string const name = bare_name(path);
  auto const ends_with_any = [&](auto const&... endings) {
    return (name.ends_with(endings) || ...);
  };
  if (is_csr_name(path)) return read_csr(path);
  if (ends_with_any(".mtx")) {
    if (read_market_header(path).field == market_field::pattern) {
      return read_matrix_market<no_value>(path, options.market);
    }
    return read_matrix_market<double>(path, options.market);
  }
  if (ends_with_any(".graph", ".metis")) return read_metis(path);
  if (ends_with_any(".txt", ".edges", ".el", ".tsv", ".csv")) {
    return read_edge_list(path, options.edges);
  }
  throw usage_error(path.string() +
                    ": expected a name that ends with .h5, .hdf5, .mtx, .graph, .metis, .txt, "
                    ".edges, .el, .tsv or .csv (text also with .gz)");
}

}  // namespace gridloom::sparse
