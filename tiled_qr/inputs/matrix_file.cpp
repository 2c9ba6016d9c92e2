#include "inputs/matrix_file.hpp"

#include <new>
#include <span>
#include <string>
#include <variant>

#include "gridloom/error.hpp"
#include "gridloom/sparse/matrix_source.hpp"
#include "inputs/families.hpp"

namespace gridloom::tiled_qr {

namespace {

[[noreturn]] void refuse(std::filesystem::path const& path, std::string const& message) {
  throw usage_error(path.string() + ": " + message);
}

void require_size(std::filesystem::path const& path, std::uint64_t rows, std::uint64_t cols,
                  room_check const& require_room) {
  if (rows == 0 || cols == 0)
    refuse(path, "expected a matrix with elements, got " + std::to_string(rows) + " x " +
                     std::to_string(cols));
  if (rows > (std::uint64_t{1} << 40U) / cols)
    refuse(path, "expected at most 2^40 elements, got " + std::to_string(rows) + " x " +
                     std::to_string(cols));
  if (require_room) require_room(static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols));
}

dense_matrix make_dense(std::filesystem::path const& path, std::uint64_t rows, std::uint64_t cols,
                        room_check const& require_room) {
  require_size(path, rows, cols, require_room);
  dense_matrix made{static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols), {}};
  made.values.assign(rows * cols, 0.0);
  return made;
}

template <sparse::matrix_value Value>
dense_matrix dense_of(std::filesystem::path const& path, sparse::csr_matrix<Value> const& matrix,
                      room_check const& require_room) {
  dense_matrix made = make_dense(path, matrix.num_rows, matrix.num_cols, require_room);
  for (std::uint32_t i = 0; i < matrix.num_rows; ++i) {
    for (std::uint64_t e = matrix.row_offsets[i]; e < matrix.row_offsets[i + 1]; ++e) {
      auto const at = static_cast<std::size_t>(matrix.columns[e]) * matrix.num_rows + i;
      if constexpr (sparse::has_values<Value>) {
        made.values[at] = static_cast<double>(matrix.values[e]);
      } else {
        made.values[at] = 1;
      }
    }
  }
  require_finite(std::span<double const>(made.values), made.rows, path.string());
  return made;
}

dense_matrix by_columns(std::filesystem::path const& path, sparse::dense_rows const& rows,
                        room_check const& require_room) {
  dense_matrix made = make_dense(path, rows.rows, rows.cols, require_room);
  for (std::uint64_t i = 0; i < rows.rows; ++i) {
    for (std::uint64_t j = 0; j < rows.cols; ++j)
      made.values[j * rows.rows + i] = rows.values[i * rows.cols + j];
  }
  require_finite(std::span<double const>(made.values), made.rows, path.string());
  return made;
}

}  // namespace

dense_matrix read_dense(std::filesystem::path const& path, room_check const& require_room) {
  bool const is_text = sparse::is_market_name(path);
  if (!is_text && !sparse::is_csr_name(path))
    refuse(path, "expected a name that ends with .mtx, .mtx.gz, .h5 or .hdf5");
  try {
    if (is_text) {
      // The size is checked before the entries are read, because reading them may take long.
      auto const header = sparse::read_market_header(path);
      require_size(path, header.num_rows, header.num_cols, require_room);
    } else if (auto const rows = sparse::read_dense_rows(path, "matrix")) {
      return by_columns(path, *rows, require_room);
    }
    return std::visit([&](auto const& matrix) { return dense_of(path, matrix, require_room); },
                      sparse::read_matrix(path));
  } catch (std::bad_alloc const&) {
    refuse(path, "does not fit into memory");
  }
}

}  // namespace gridloom::tiled_qr
