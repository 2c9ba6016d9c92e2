#pragma once
// Products of matrices by cuBLAS: the rates that the trailing updates of an LU decomposition are
// held against.

#include <cstdint>
#include <memory>

#include "gridloom/device.hpp"
#include "juggler/executor.hpp"

namespace gridloom::juggler::lud {

/// Makes a · a of a matrix of `rows` × `rows` elements by columns. Both arrays are in the machine's
/// memory, and outlive the result with it. Throws unsupported where there is no GPU, run_error
/// where a call fails.
[[nodiscard]] std::unique_ptr<executor> make_library_product(device& machine, std::int64_t rows,
                                                             double const* a, double* product);

/// The trailing updates of the first step in place: behind the first `tile` rows and columns of
/// such a matrix, which has more of them, their product is taken away.
[[nodiscard]] std::unique_ptr<executor> make_library_update(device& machine, std::int64_t rows,
                                                            int tile, double* a);

}  // namespace gridloom::juggler::lud
