#pragma once
// The check of CSR matrices that come from files.

#include <string_view>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::sparse {

/// Checks the lengths of the arrays; that offsets start at 0, never fall, and end at the number of
/// entries; and that the columns of each row are in range, ascending and distinct. Values are not
/// checked. Throws usage_error "place: row R: expected ..., got ..." for the first violation.
/// Linear; uses one thread.
template <matrix_value Value>
void check(csr_matrix<Value> const& matrix, std::string_view place);

}  // namespace gridloom::sparse
