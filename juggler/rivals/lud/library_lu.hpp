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

// Matrix products by cuBLAS, to compare their rates with those of LU's trailing updates.

/// Makes an executor that computes a · a for a matrix of `rows` × `rows` elements, stored by
/// columns. Both arrays are in the machine's memory. Arrays and machine must outlive the executor.
/// Throws unsupported if there is no GPU, run_error if a call fails.
[[nodiscard]] std::unique_ptr<executor> make_library_product(device& machine, std::int64_t rows,
                                                             double const* a, double* product);

/// Makes an executor of the first step's trailing updates in place. They subtract the product of
/// the first `tile` columns and rows from the rest. The matrix has more than `tile` rows.
[[nodiscard]] std::unique_ptr<executor> make_library_update(device& machine, std::int64_t rows,
                                                            int tile, double* a);

}  // namespace gridloom::juggler::lud
