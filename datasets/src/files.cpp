#include <stdexcept>
#include <variant>

#include "commands.hpp"
#include "gridloom/bench/build_info.hpp"
#include "gridloom/error.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/bench/results.hpp"
#include "gridloom/sparse/csr_file.hpp"
#include "gridloom/sparse/generate.hpp"
#include "gridloom/sparse/transform.hpp"

namespace gridloom::datasets {
namespace {

enum class output_format { hdf5, market, market_gzip, unknown };

output_format format_of(std::filesystem::path const& path) {
  std::string const name = path.filename().string();
  if (name.ends_with(".h5") || name.ends_with(".hdf5")) return output_format::hdf5;
  if (name.ends_with(".mtx")) return output_format::market;
  if (name.ends_with(".mtx.gz")) return output_format::market_gzip;
  return output_format::unknown;
}

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

sparse::market_style style_of(arguments const& given, output_format format,
                              std::string const& made_by) {
  sparse::market_style style;
  if (given.symmetry == "symmetric") style.symmetry = sparse::market_symmetry::symmetric;
  if (given.symmetry == "skew") style.symmetry = sparse::market_symmetry::skew;
  style.compress = format == output_format::market_gzip;
  style.comment = made_by;
  return style;
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
  if (format_of(path) == output_format::unknown) {
    throw usage_error("OUTPUT: expected a name that ends with .h5, .hdf5, .mtx or .mtx.gz, got " +
                      in_quotes(path.string()));
  }
  require_writable(path, "OUTPUT");
}

void write_output(arguments const& given, std::filesystem::path const& path,
                  sparse::any_csr const& matrix, std::string const& made_by) {
  sparse::any_csr const wanted = as_wanted(given, matrix);
  output_format const format = format_of(path);
  std::visit(
      [&](auto const& m) {
        if (format == output_format::hdf5) {
          sparse::provenance about{{"made_by", made_by}, {"commit", std::string{build_commit()}}};
          if (!given.source.empty()) about.emplace_back("source", given.source);
          return sparse::write_csr(path, m, about);
        }
        try {
          sparse::write_matrix_market(path, m, style_of(given, format, made_by));
        } catch (std::invalid_argument const& error) {
          // The message begins with the name of a function, which is dropped.
          std::string const message = error.what();
          throw usage_error("--symmetry: " + message.substr(message.find(": ") + 2));
        }
      },
      wanted);
}

}  // namespace gridloom::datasets
