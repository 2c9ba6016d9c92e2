#pragma once
// Options that some of the methods take. Where none of those was asked for, they would be ignored.

#include "arms.hpp"

namespace gridloom::tiled_qr {

/// After parse. Throws usage_error for an option that no chosen method takes, and for more workers
/// than the host starts at once.
void require_used(bench::program& app, request const& wanted);

}  // namespace gridloom::tiled_qr
