#pragma once
// The version with cuSPARSE's sparse matrix-vector product. cusparse.cpp implements it with the
// CUDA backend, cusparse_none.cpp without.

#include <memory>

#include "thesis_mhive/apps/jacobi/solver.hpp"

namespace gridloom::mhive::jacobi {

/// Makes a solver that replays a graph of several iterations. Each iteration consists of the
/// product and a kernel for the rest. Throws usage_error unless the machine is a CUDA device and
/// the build has cuSPARSE.
template <typename Value>
[[nodiscard]] std::unique_ptr<solver> make_cusparse(system<Value> const& of,
                                                    solver_options const& options);

}  // namespace gridloom::mhive::jacobi
