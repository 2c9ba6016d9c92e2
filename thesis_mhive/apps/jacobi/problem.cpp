#include "problem.hpp"

#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "gridloom/error.hpp"
#include "gridloom/files/text_lines.hpp"
#include "gridloom/number.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/random.hpp"
#include "gridloom/sparse/generate.hpp"
#include "gridloom/sparse/matrix_source.hpp"
#include "gridloom/sparse/transform.hpp"

namespace gridloom::mhive::jacobi {
namespace {

std::string row_text(std::string const& place, std::uint64_t row) {
  return place + ": row " + std::to_string(row) + ": ";
}

// Reads one number per line. Skips blank lines and lines that begin with #.
std::vector<double> read_numbers(std::string const& file) {
  text_lines lines(file);
  std::vector<double> numbers;
  for (std::string_view line; lines.next(line);) {
    std::string_view rest = line;
    std::string_view const word = take_word(rest);
    if (word.empty() || word.front() == '#') continue;
    double value = 0;
    if (!read_number(word, value) || !std::isfinite(value) || !take_word(rest).empty())
      lines.refuse("a number", line);
    numbers.push_back(value);
  }
  return numbers;
}

template <typename Value>
void take_right_side(system<Value>& of, std::vector<double> const& numbers) {
  if (numbers.size() != of.num_rows()) {
    throw usage_error("--rhs: expected " + std::to_string(of.num_rows()) +
                      " numbers, one per row of the matrix, got " + std::to_string(numbers.size()));
  }
  of.right_side.assign(numbers.begin(), numbers.end());
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (!std::isfinite(of.right_side[row])) {
      throw usage_error(row_text("--rhs", row) + "expected a number in the range of float, got " +
                        shown(numbers[row]));
    }
  }
}

template <typename Value>
sparse::csr_matrix<Value> converted(sparse::any_csr&& matrix, std::string const& place) {
  if (std::holds_alternative<sparse::csr_matrix<sparse::no_value>>(matrix)) {
    throw usage_error(place + ": expected a matrix with values, got a pattern");
  }
  if (auto* same = std::get_if<sparse::csr_matrix<Value>>(&matrix)) return std::move(*same);
  try {
    return std::visit([](auto const& of) { return sparse::with_values<Value>(of); }, matrix);
  } catch (std::invalid_argument const& error) {
    throw usage_error(place + ": expected values in the range of float: " + error.what());
  }
}

template <typename Value>
any_system read_as(problem_source const& source) {
  std::string const place = source.file.empty() ? "--generate" : "--matrix " + source.file;
  std::string name =
      source.file.empty() ? source.spec : std::filesystem::path{source.file}.filename().string();
  auto matrix =
      source.file.empty() ? sparse::generate(source.spec) : sparse::read_matrix(source.file);
  auto result = make_system(std::move(name), converted<Value>(std::move(matrix), place), place);
  if (source.right_side.empty()) {
    draw_right_side(result, source.seed);
  } else {
    take_right_side(result, read_numbers(source.right_side));
  }
  return result;
}

}  // namespace

template <typename Value>
system<Value> make_system(std::string name, sparse::csr_matrix<Value> matrix,
                          std::string const& place) {
  if (!matrix.is_square()) {
    throw usage_error(place + ": expected a square matrix, got one of " +
                      std::to_string(matrix.num_rows) + " x " + std::to_string(matrix.num_cols));
  }
  if (matrix.num_rows == 0) throw usage_error(place + ": expected at least one row, got none");
  if (matrix.num_entries() >> 32U != 0) {
    throw usage_error(place + ": expected fewer than 2^32 entries, got " +
                      std::to_string(matrix.num_entries()));
  }
  std::vector<Value> diagonal(matrix.num_rows);
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    bool found = false;
    for (std::uint64_t at = matrix.row_offsets[row]; at < matrix.row_offsets[row + 1]; ++at) {
      if (!std::isfinite(matrix.values[at])) {
        throw usage_error(row_text(place, row) + "expected finite values, got " +
                          shown(matrix.values[at]));
      }
      if (matrix.columns[at] != row) continue;
      found = true;
      diagonal[row] = matrix.values[at];
    }
    if (!found || diagonal[row] == Value{0}) {
      throw usage_error(row_text(place, row) +
                        "expected a number other than 0 on the diagonal, got " +
                        (found ? "0" : "no entry"));
    }
  }
  return {std::move(name), std::move(matrix), std::move(diagonal), {}, {}};
}

template <typename Value>
void draw_right_side(system<Value>& of, std::uint64_t seed) {
  random_source source{seed};
  of.known.resize(of.num_rows());
  for (double& x : of.known) x = 2 * source.unit() - 1;
  of.right_side.resize(of.num_rows());
  sparse::csr_matrix<Value> const& matrix = of.matrix;
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    double sum = 0;
    for (std::uint64_t at = matrix.row_offsets[row]; at < matrix.row_offsets[row + 1]; ++at) {
      sum += static_cast<double>(matrix.values[at]) * of.known[matrix.columns[at]];
    }
    of.right_side[row] = static_cast<Value>(sum);
  }
}

any_system read_system(problem_source const& source, std::string const& precision) {
  return precision == "float" ? read_as<float>(source) : read_as<double>(source);
}

template system<float> make_system(std::string, sparse::csr_matrix<float>, std::string const&);
template system<double> make_system(std::string, sparse::csr_matrix<double>, std::string const&);
template void draw_right_side(system<float>&, std::uint64_t);
template void draw_right_side(system<double>&, std::uint64_t);

}  // namespace gridloom::mhive::jacobi
