#include <stdexcept>
#include <variant>

#include "commands.hpp"
#include "gridloom/bench/build_info.hpp"
#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/sparse/csr_file.hpp"
#include "gridloom/sparse/generate.hpp"
#include "gridloom/sparse/transform.hpp"

namespace gridloom::datasets {
namespace {

sparse::any_csr with_wanted_values(sparse::any_csr matrix, std::string const& wanted) {
  if (wanted == "keep") return matrix;
  return std::visit(
      [&](auto const& from) -> sparse::any_csr {
        if (wanted == "none") return sparse::with_values<sparse::no_value>(from);
        if (wanted == "float") return sparse::with_values<float>(from);
        return sparse::with_values<double>(from);
      },
      matrix);
}

sparse::any_csr as_wanted(arguments const& given, sparse::any_csr matrix) {
  try {
    if (given.symmetrise) {
      matrix = std::visit([](auto const& m) -> sparse::any_csr { return sparse::symmetrise(m); },
                          matrix);
    }
    return with_wanted_values(std::move(matrix), given.values);
  } catch (std::invalid_argument const& error) {
    throw usage_error(input_name(given) + ": " + error.what());
  }
}

}  // namespace

std::string input_name(arguments const& given) {
  return given.spec.empty() ? given.files.front() : given.spec;
}

sparse::any_csr take_input(arguments const& given) {
  if (!given.spec.empty()) return sparse::generate(given.spec);
  return sparse::read_matrix(given.files.front(), given.reading);
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
  std::visit([&](auto const& m) { sparse::write_csr(path, m, about); }, as_wanted(given, matrix));
}

}  // namespace gridloom::datasets
