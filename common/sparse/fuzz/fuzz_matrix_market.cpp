// Matrix Market. Options: '4' repeated positions are summed, '8' patterns are read. One and three
// threads must give the same, also the same message; only some inputs are read twice for that,
// because threads are slow to start under sanitizers.

#include <utility>
#include <variant>

#include "fuzz_target.hpp"
#include "gridloom/error.hpp"
#include "gridloom/sparse/matrix_market.hpp"

namespace gridloom::fuzz {
namespace {

template <sparse::matrix_value Value>
using result = std::variant<sparse::csr_matrix<Value>, std::string>;  // or why it is refused

template <sparse::matrix_value Value>
result<Value> read_with(int threads, std::filesystem::path const& path,
                        sparse::market_options options) {
  options.threads = threads;
  try {
    return sparse::read_matrix_market<Value>(path, options);
  } catch (usage_error const& error) {
    return error.what();
  }
}

template <sparse::matrix_value Value>
sparse::any_csr read_as(std::filesystem::path const& path, sparse::market_options const& options,
                        bool with_threads) {
  result<Value> one = read_with<Value>(1, path, options);
  if (with_threads && read_with<Value>(3, path, options) != one) {
    throw broken_promise("three threads give something else than one");
  }
  if (one.index() == 1) throw usage_error(std::get<1>(one));
  auto& matrix = std::get<0>(one);
  sparse::market_header const header = sparse::read_market_header(path);
  if (header.num_rows != matrix.num_rows || header.num_cols != matrix.num_cols) {
    throw broken_promise("the header has other dimensions than the matrix");
  }
  return std::move(matrix);
}

}  // namespace

outcome fuzz_one(std::span<std::uint8_t const> input) {
  if (asks_for_many_rows(input)) return outcome::refused;
  auto const [sum, pattern] = choices_of(input);
  sparse::market_options options;
  options.on_duplicate = sum ? sparse::duplicates::sum : sparse::duplicates::refuse;
  bool const threads = input.size() % 8 == 0;
  return check_reader(input, [&, as_pattern = pattern](std::filesystem::path const& path) {
    return as_pattern ? read_as<sparse::no_value>(path, options, threads)
                      : read_as<double>(path, options, threads);
  });
}

}  // namespace gridloom::fuzz
