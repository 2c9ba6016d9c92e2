#pragma once
// The four operations of operations.hpp for one host thread, compiled for several vector units. At
// run time the program chooses the version for its processor. A single version for all
// processors would reach only a quarter of the speed on most of them.

#include "tiled_qr/operations.hpp"

namespace gridloom::tiled_qr {

// Declared for both machines, because functions for both contain these calls. No GPU kernel makes
// them.
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
