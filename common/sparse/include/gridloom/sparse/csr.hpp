#pragma once
// Sparse matrices in compressed sparse rows (CSR). Owners hold vectors on the host. csr_ref is a
// trivially copyable view of host or device memory, which kernels take by value. A graph is a
// matrix without values. The CSR of the transpose is the CSC of the matrix.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "gridloom/portable.hpp"

namespace gridloom::sparse {

/// Row and column numbers fit into a signed 32-bit word and leave one value for a sentinel.
inline constexpr std::uint64_t most_rows = (std::uint64_t{1} << 31U) - 2;

/// The value type of a matrix that is only a pattern.
struct no_value {
  friend bool operator==(no_value, no_value) = default;
};

template <typename Value>
concept matrix_value =
    std::same_as<Value, float> || std::same_as<Value, double> || std::same_as<Value, no_value>;

template <matrix_value Value>
inline constexpr bool has_values = !std::same_as<Value, no_value>;

/// View of a CSR matrix. `values` is null for a pattern.
template <matrix_value Value>
struct csr_ref {
  std::uint32_t num_rows = 0;
  std::uint32_t num_cols = 0;
  /// Array of num_rows + 1 offsets.
  std::uint64_t const* row_offsets = nullptr;
  /// Array of num_entries() columns.
  std::uint32_t const* columns = nullptr;
  /// Array of num_entries() values.
  Value const* values = nullptr;

  [[nodiscard]] GRIDLOOM_FN std::uint64_t row_begin(std::uint32_t row) const {
    return row_offsets[row];
  }
  [[nodiscard]] GRIDLOOM_FN std::uint64_t row_end(std::uint32_t row) const {
    return row_offsets[row + 1];
  }
  [[nodiscard]] GRIDLOOM_FN std::uint64_t num_entries() const { return row_offsets[num_rows]; }
};

static_assert(std::is_trivially_copyable_v<csr_ref<double>>);

/// Owner of a CSR matrix. All functions expect and return valid matrices (see check()): the columns
/// of a row ascend and are distinct. Stored zeros are entries.
template <matrix_value Value>
struct csr_matrix {
  using value_type = Value;

  std::uint32_t num_rows = 0;
  std::uint32_t num_cols = 0;
  /// Array of num_rows + 1 offsets, which start at 0 and never fall.
  std::vector<std::uint64_t> row_offsets{0};
  /// Array of one column per entry.
  std::vector<std::uint32_t> columns;
  /// Array of one value per entry; empty for a pattern.
  std::vector<Value> values;

  [[nodiscard]] std::uint64_t num_entries() const { return columns.size(); }
  [[nodiscard]] bool is_square() const { return num_rows == num_cols; }

  /// The columns of a row.
  [[nodiscard]] std::span<std::uint32_t const> row(std::uint32_t index) const {
    return std::span{columns}.subspan(row_offsets[index],
                                      row_offsets[index + 1] - row_offsets[index]);
  }

  /// Size of the three arrays in bytes.
  [[nodiscard]] std::uint64_t bytes() const {
    return row_offsets.size() * sizeof(std::uint64_t) + columns.size() * sizeof(std::uint32_t) +
           values.size() * sizeof(Value);
  }

  [[nodiscard]] csr_ref<Value> ref() const {
    return {num_rows, num_cols, row_offsets.data(), columns.data(),
            values.empty() ? nullptr : values.data()};
  }

  friend bool operator==(csr_matrix const&, csr_matrix const&) = default;
};

/// A matrix whose value type is known only at run time.
using any_csr = std::variant<csr_matrix<no_value>, csr_matrix<float>, csr_matrix<double>>;

}  // namespace gridloom::sparse
