#pragma once
// Our ways to schedule the tasks of a tiled QR, and the report's FR3 in one launch.

#include "tiled_qr/factorization.hpp"

namespace gridloom::tiled_qr::by {

extern scheduling_kind const joined_kind;
extern scheduling_kind const in_block_kind;
extern scheduling_kind const static_lists_kind;
extern scheduling_kind const ticket_kind;

/// FR3 in one launch; the first block is the scheduler.
inline constexpr scheduling joined = &joined_kind;
/// One warp of each block schedules, without a lock. On a device, 32 threads of a block execute.
inline constexpr scheduling in_block = &in_block_kind;
/// One list per block, from a simulation on the host.
inline constexpr scheduling static_lists = &static_lists_kind;
/// One list for all blocks, and a ticket for the list's next place.
inline constexpr scheduling ticket = &ticket_kind;

}  // namespace gridloom::tiled_qr::by
