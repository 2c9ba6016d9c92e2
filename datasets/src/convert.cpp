#include <algorithm>
#include <filesystem>
#include <iostream>
#include <numeric>
#include <variant>

#include "commands.hpp"
#include "gridloom/bench/results.hpp"
#include "gridloom/error.hpp"
#include "gridloom/files/atomic_file.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/random.hpp"
#include "gridloom/sparse/generate.hpp"
#include "gridloom/sparse/order_file.hpp"
#include "gridloom/sparse/transform.hpp"

namespace gridloom::datasets {
namespace {

std::string file_name(std::string const& path) {
  return std::filesystem::path{path}.filename().string();
}

template <sparse::matrix_value Value>
std::vector<std::uint32_t> made_order(sparse::csr_matrix<Value> const& matrix,
                                      arguments const& given) {
  std::vector<std::uint32_t> order(matrix.num_rows);
  std::iota(order.begin(), order.end(), 0U);
  if (given.order_by == "random") {
    random_source source{given.seed};
    auto const shuffled = random_permutation(order.size(), source);
    std::copy(shuffled.begin(), shuffled.end(), order.begin());
  } else if (given.order_by == "reverse") {
    std::reverse(order.begin(), order.end());
  } else {
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return matrix.row(a).size() < matrix.row(b).size();
    });
  }
  return order;
}

// Checks that no input file is overwritten and that no file is written twice.
void check_files(arguments const& given) {
  std::filesystem::path const output = given.files.back();
  check_output(output);
  std::string const input = given.spec.empty() ? given.files.front() : "";
  require_different_files({{"INPUT", input},
                           {"OUTPUT", output},
                           {"--order", given.order},
                           {"--order-out", given.order_out}});
  if (!given.order_out.empty()) require_writable(given.order_out, "--order-out");
}

}  // namespace

int run_convert(arguments const& given) {
  check_files(given);
  write_output(given, given.files.back(), take_input(given),
               "gridloom-matrix convert " + file_name(input_name(given)));
  return exit_done;
}

int run_permute(arguments const& given) {
  if (given.order.empty() == given.order_by.empty()) {
    throw usage_error("permute: expected exactly one of --order and --by");
  }
  check_files(given);
  sparse::any_csr const input = take_input(given);
  files_together files;
  std::visit(
      [&](auto const& matrix) {
        if (!matrix.is_square()) {
          throw usage_error(input_name(given) + ": expected a square matrix, got " +
                            std::to_string(matrix.num_rows) + " x " +
                            std::to_string(matrix.num_cols));
        }
        std::vector<std::uint32_t> const order =
            given.order.empty() ? made_order(matrix, given)
                                : sparse::read_order(given.order, matrix.num_rows);
        write_output(given, given.files.back(), sparse::permute(matrix, std::span{order}),
                     "gridloom-matrix permute " + file_name(input_name(given)));
        if (!given.order_out.empty()) sparse::write_order(given.order_out, order);
      },
      input);
  files.put_in_place();
  return exit_done;
}

int run_generate(arguments const& given) {
  std::filesystem::path const output = given.files.back();
  check_output(output);
  std::string const& spec = given.files.front();
  write_output(given, output, sparse::generate(spec), "gridloom-matrix generate " + spec);
  return exit_done;
}

}  // namespace gridloom::datasets
