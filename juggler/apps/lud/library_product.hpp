#pragma once
// A product of matrices by cuBLAS: the rate that the trailing updates of an LU decomposition are held
// against.

#include <cstdint>
#include <memory>

#include "gridloom/device.hpp"
#include "juggler/executor.hpp"

namespace gridloom::juggler::lud {

/// Makes a · a of a matrix of `rows` × `rows` elements by columns. Both arrays are in the machine's
/// memory, and outlive the result with it. Throws unsupported where there is no GPU, run_error where a
/// call fails.
[[nodiscard]] std::unique_ptr<executor> make_library_product(device& machine, std::int64_t rows,
                                                             double const* a, double* product);

}  // namespace gridloom::juggler::lud
