#pragma once
// The version whose sparse matrix-vector product is cuSPARSE's. A leaf: cusparse.cpp where the CUDA
// backend is built in, cusparse_none.cpp elsewhere.

#include <memory>

#include "solver.hpp"

namespace gridloom::mhive::jacobi {

/// A graph of several iterations, each the product and a kernel for the rest. Throws usage_error
/// unless the machine is a CUDA device of a build with cuSPARSE.
template <typename Value>
[[nodiscard]] std::unique_ptr<solver> make_cusparse(system<Value> const& of,
                                                    solver_options const& options);

}  // namespace gridloom::mhive::jacobi
