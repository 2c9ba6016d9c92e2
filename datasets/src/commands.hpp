#pragma once
// What gridloom-matrix does. Every command returns the exit code and throws usage_error on bad
// input.

#include <filesystem>
#include <string>

#include "arguments.hpp"
#include "gridloom/sparse/csr.hpp"

namespace gridloom::datasets {

/// The matrix of INPUT or --generate, and how messages and provenance name it.
[[nodiscard]] sparse::any_csr take_input(arguments const& given);
[[nodiscard]] std::string input_name(arguments const& given);

/// Writes by the end of the name: .h5, .hdf5 (CSR), .mtx, .mtx.gz. `made_by` is the provenance
/// "made_by". Throws usage_error for another ending and where the matrix does not have the symmetry
/// that was asked for.
void write_output(arguments const& given, std::filesystem::path const& path,
                  sparse::any_csr const& matrix, std::string const& made_by);

/// Throws usage_error unless write_output knows the ending and can create a file there.
void check_output(std::filesystem::path const& path);

int run_info(arguments const& given);
int run_time(arguments const& given);
int run_convert(arguments const& given);
int run_permute(arguments const& given);
int run_generate(arguments const& given);

}  // namespace gridloom::datasets
