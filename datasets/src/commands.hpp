#pragma once
// The commands of gridloom-matrix. Each returns the exit code and throws usage_error for bad input.

#include <filesystem>
#include <string>

#include "arguments.hpp"
#include "gridloom/sparse/csr.hpp"

namespace gridloom::datasets {

/// The matrix from INPUT or --generate.
[[nodiscard]] sparse::any_csr take_input(arguments const& given);
[[nodiscard]] std::string input_name(arguments const& given);

/// Writes CSR as HDF5. `made_by` is stored as the provenance "made_by".
void write_output(arguments const& given, std::filesystem::path const& path,
                  sparse::any_csr const& matrix, std::string const& made_by);

/// Throws usage_error unless the ending is .h5 or .hdf5 and a file can be created there.
void check_output(std::filesystem::path const& path);

int run_info(arguments const& given);
int run_convert(arguments const& given);
int run_permute(arguments const& given);
int run_generate(arguments const& given);

}  // namespace gridloom::datasets
