// make_library_qr for builds without CUDA.
#include "gridloom/error.hpp"
#include "rivals/library_qr.hpp"

namespace gridloom::tiled_qr {

template <class T>
std::unique_ptr<library_qr<T>> make_library_qr(device& /*machine*/, library_method /*how*/,
                                               library_batch<T> const& /*of*/) {
  throw unsupported("cuSOLVER and cuBLAS: expected a build with CUDA, got one without");
}

template std::unique_ptr<library_qr<float>> make_library_qr(device&, library_method,
                                                            library_batch<float> const&);
template std::unique_ptr<library_qr<double>> make_library_qr(device&, library_method,
                                                             library_batch<double> const&);

}  // namespace gridloom::tiled_qr
