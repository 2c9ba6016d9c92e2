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

/// Writes in the format of the name's ending: .h5, .hdf5 (CSR), .mtx, .mtx.gz. `made_by` is stored
/// as the provenance "made_by". Throws usage_error for another ending, and if the matrix does not
/// have the requested symmetry.
void write_output(arguments const& given, std::filesystem::path const& path,
                  sparse::any_csr const& matrix, std::string const& made_by);

/// Throws usage_error unless write_output knows the ending and can create a file there.
void check_output(std::filesystem::path const& path);

int run_info(arguments const& given);
int run_convert(arguments const& given);
int run_permute(arguments const& given);
int run_generate(arguments const& given);

}  // namespace gridloom::datasets
