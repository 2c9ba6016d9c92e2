#pragma once
// Our ways to schedule the tasks of a tiled QR, and the report's FR3 in one launch.

#include "tiled_qr/factorization.hpp"

namespace gridloom::tiled_qr {

template <class T>
std::unique_ptr<scheduler<T>> make_joined(scheduler_setup const& setup);
template <class T>
std::unique_ptr<scheduler<T>> make_in_block(scheduler_setup const& setup);
template <class T>
std::unique_ptr<scheduler<T>> make_static_lists(scheduler_setup const& setup);
template <class T>
std::unique_ptr<scheduler<T>> make_ticket(scheduler_setup const& setup);

namespace by {

inline constexpr scheduling_kind joined_kind{
    .in_float = make_joined<float>, .in_double = make_joined<double>, .has_weight = true};
inline constexpr scheduling_kind in_block_kind{.in_float = make_in_block<float>,
                                               .in_double = make_in_block<double>};
inline constexpr scheduling_kind static_lists_kind{.in_float = make_static_lists<float>,
                                                   .in_double = make_static_lists<double>,
                                                   .has_weight = true};
inline constexpr scheduling_kind ticket_kind{.in_float = make_ticket<float>,
                                             .in_double = make_ticket<double>,
                                             .has_weight_if_simulated = true};

/// FR3 in one launch; the first block is the scheduler.
inline constexpr scheduling joined = &joined_kind;
/// One warp of each block schedules, without a lock. On a device, 32 threads of a block execute.
inline constexpr scheduling in_block = &in_block_kind;
/// One list per block, from a simulation on the host.
inline constexpr scheduling static_lists = &static_lists_kind;
/// One list for all blocks, and a ticket for the list's next place.
inline constexpr scheduling ticket = &ticket_kind;

}  // namespace by
}  // namespace gridloom::tiled_qr
