#include <variant>

#include "commands.hpp"
#include "gridloom/bench/build_info.hpp"
#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/sparse/csr_file.hpp"
#include "gridloom/sparse/generate.hpp"
#include "gridloom/sparse/matrix_source.hpp"

namespace gridloom::datasets {
std::string input_name(arguments const& given) {
  return given.spec.empty() ? given.files.front() : given.spec;
}

sparse::any_csr take_input(arguments const& given) {
  if (!given.spec.empty()) return sparse::generate(given.spec);
  return sparse::read_matrix(given.files.front());
}

void check_output(std::filesystem::path const& path) {
  if (!sparse::is_csr_name(path)) {
    throw usage_error("OUTPUT: expected a name that ends with .h5 or .hdf5, got " +
                      in_quotes(path.string()));
  }
  require_writable(path, "OUTPUT");
}

void write_output(arguments const& given, std::filesystem::path const& path,
                  sparse::any_csr const& matrix, std::string const& made_by) {
  sparse::provenance about{{"made_by", made_by}, {"commit", std::string{build_commit()}}};
  if (!given.source.empty()) about.emplace_back("source", given.source);
  std::visit([&](auto const& m) { sparse::write_csr(path, m, about); }, matrix);
}

}  // namespace gridloom::datasets
