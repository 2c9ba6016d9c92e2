#pragma once
// CSR matrices as HDF5 files, read back without conversion. Layout:
//
//   /matrix               attributes kind = "csr", num_rows, num_cols (uint64)
//   /matrix/row_offsets   uint64, num_rows + 1 entries
//   /matrix/columns       uint32, one per entry, ascending and distinct within a row
//   /matrix/values        float32 or float64, one per entry; absent for a pattern
//
// Written little-endian with checksums and without compression, and the same matrix makes the same
// file, byte by byte. Other writers (h5py) may use another byte order, chunks and compression, but
// no other number types. Further scalar text attributes say where the matrix came from.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::sparse {

/// Names and texts, stored as attributes of /matrix, such as {"source", "HB/1138_bus"}.
using provenance = std::vector<std::pair<std::string, std::string>>;

/// Reads and checks a matrix with the value type that is stored; values keep their bits. Throws
/// usage_error naming the file and what was expected; a file that claims more than it holds is
/// refused before anything is allocated. One thread at a time (HDF5 is not thread-safe).
[[nodiscard]] any_csr read_csr(std::filesystem::path const& path);

/// The provenance of a file, in the order of the names.
[[nodiscard]] provenance read_provenance(std::filesystem::path const& path);

/// Checks and writes a matrix; the file is there whole or not at all. Needs room
/// for two more copies of the matrix. Throws usage_error when the matrix is not valid, std::invalid_argument when a
/// name of the provenance is empty, taken ("kind", "num_rows", "num_cols") or given twice, or when
/// a name or text holds a NUL; run_error when writing fails. One thread at a time.
template <matrix_value Value>
void write_csr(std::filesystem::path const& path, csr_matrix<Value> const& matrix,
               provenance const& about = {});

}  // namespace gridloom::sparse
