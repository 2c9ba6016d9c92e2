#include <stdexcept>
#include <string>

#include "gridloom/sparse/transform.hpp"
#include "scatter.hpp"

namespace gridloom::sparse {

std::vector<std::uint32_t> inverse_permutation(std::span<std::uint32_t const> order) {
  if (order.size() > most_rows) {
    throw std::invalid_argument("permutation: expected at most " + std::to_string(most_rows) +
                                " indices, got " + std::to_string(order.size()));
  }
  constexpr std::uint32_t unseen = ~std::uint32_t{0};
  std::vector<std::uint32_t> inverse(order.size(), unseen);
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    std::uint32_t const index = order[k];
    if (index >= order.size() || inverse[index] != unseen) {
      throw std::invalid_argument("permutation: expected each index below " +
                                  std::to_string(order.size()) + " once, got " +
                                  std::to_string(index) + (index >= order.size() ? "" : " twice"));
    }
    inverse[index] = k;
  }
  return inverse;
}

template <matrix_value Value>
csr_matrix<Value> permute(csr_matrix<Value> const& matrix, std::span<std::uint32_t const> order) {
  if (!matrix.is_square()) {
    throw std::invalid_argument("permute: expected a square matrix, got " +
                                std::to_string(matrix.num_rows) + " x " +
                                std::to_string(matrix.num_cols));
  }
  if (order.size() != matrix.num_rows) {
    throw std::invalid_argument("permute: expected an order of " + std::to_string(matrix.num_rows) +
                                " rows, got " + std::to_string(order.size()));
  }
  std::vector<std::uint32_t> const inverse = inverse_permutation(order);
  // Transposing back sorts the columns within the rows in linear time, however long rows are.
  return transpose(scatter(
      matrix, [&](std::uint32_t k) { return order[k]; },
      [&](std::uint32_t column) { return inverse[column]; }));
}

template csr_matrix<no_value> permute(csr_matrix<no_value> const&, std::span<std::uint32_t const>);
template csr_matrix<float> permute(csr_matrix<float> const&, std::span<std::uint32_t const>);
template csr_matrix<double> permute(csr_matrix<double> const&, std::span<std::uint32_t const>);

}  // namespace gridloom::sparse
