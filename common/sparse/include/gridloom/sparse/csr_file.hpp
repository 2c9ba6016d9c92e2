#pragma once
// CSR matrices in HDF5 files, read without conversion. Layout:
//
//   /matrix               attributes kind = "csr", num_rows, num_cols (uint64)
//   /matrix/row_offsets   uint64, num_rows + 1 entries
//   /matrix/columns       uint32, one per entry, ascending and distinct within a row
//   /matrix/values        float32 or float64, one per entry; absent for a pattern
//
// Files are little-endian, with checksums and without compression. The same matrix gives the same
// bytes. Other writers (h5py) may use another byte order, chunks and compression, but no other
// number types. Further scalar text attributes of /matrix are its provenance.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::sparse {

/// Where a matrix came from: names and texts, such as {"source", "HB/1138_bus"}, which are stored
/// as attributes of /matrix.
using provenance = std::vector<std::pair<std::string, std::string>>;

/// Reads and checks a matrix with its stored value type. Values keep their bits. Throws usage_error
/// naming the file and what was expected. A file that claims more entries than it can hold is
/// refused before memory is allocated. One thread at a time (HDF5 is not thread-safe).
[[nodiscard]] any_csr read_csr(std::filesystem::path const& path);

/// Reads the provenance of a file, ordered by name.
[[nodiscard]] provenance read_provenance(std::filesystem::path const& path);

/// Checks and writes a matrix, completely or not at all. Needs memory for two more copies. Throws
/// usage_error if the matrix is not valid, and run_error if writing fails. Throws
/// std::invalid_argument if a name of the provenance is empty, reserved ("kind", "num_rows",
/// "num_cols") or given twice. Throws it also if a name or text holds a NUL. One thread at a time.
template <matrix_value Value>
void write_csr(std::filesystem::path const& path, csr_matrix<Value> const& matrix,
               provenance const& about = {});

}  // namespace gridloom::sparse
