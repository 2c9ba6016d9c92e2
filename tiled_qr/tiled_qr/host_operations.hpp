#pragma once
// The four operations by one thread of the host, compiled for the vector units of the processor that
// the program finds: the source is that of operations.hpp. Programs are built for any processor, and
// would otherwise use a quarter of most.

#include "tiled_qr/operations.hpp"

namespace gridloom::tiled_qr {

// Marked for both machines only so that bodies which are may name them; no kernel of a GPU does.
GRIDLOOM_FN void host_dgeqt2(tile_ref<float> a, float* taus);
GRIDLOOM_FN void host_dgeqt2(tile_ref<double> a, double* taus);
GRIDLOOM_FN void host_dtsqt2(tile_ref<float> r, tile_ref<float> a, float* taus);
GRIDLOOM_FN void host_dtsqt2(tile_ref<double> r, tile_ref<double> a, double* taus);
GRIDLOOM_FN void host_dlarfb(tile_ref<float const> v, float const* taus, tile_ref<float> a,
                             side which);
GRIDLOOM_FN void host_dlarfb(tile_ref<double const> v, double const* taus, tile_ref<double> a,
                             side which);
GRIDLOOM_FN void host_dssrfb(tile_ref<float const> v, float const* taus, tile_ref<float> top,
                             tile_ref<float> bottom, side which);
GRIDLOOM_FN void host_dssrfb(tile_ref<double const> v, double const* taus, tile_ref<double> top,
                             tile_ref<double> bottom, side which);

}  // namespace gridloom::tiled_qr
