#pragma once
// LU decomposition without pivoting by cuSOLVER, the library that a user would call.

#include <cstdint>
#include <memory>

#include "gridloom/device.hpp"
#include "juggler/executor.hpp"

namespace gridloom::juggler::lud {

/// Makes an executor that factorises a matrix of `rows` × `rows` elements in place. The matrix is
/// stored by columns in the machine's memory. Matrix and machine must outlive the executor. Throws
/// unsupported if there is no GPU, run_error if a call fails.
[[nodiscard]] std::unique_ptr<executor> make_library_lu(device& machine, std::int64_t rows,
                                                        double* by_columns);

}  // namespace gridloom::juggler::lud
