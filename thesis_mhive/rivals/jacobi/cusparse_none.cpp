#include "cusparse.hpp"
#include "gridloom/error.hpp"

namespace gridloom::mhive::jacobi {

template <typename Value>
std::unique_ptr<solver> make_cusparse(system<Value> const& /*of*/,
                                      solver_options const& /*options*/) {
  throw usage_error("cusparse: expected a build with the CUDA toolkit, got one without");
}

template std::unique_ptr<solver> make_cusparse(system<float> const&, solver_options const&);
template std::unique_ptr<solver> make_cusparse(system<double> const&, solver_options const&);

}  // namespace gridloom::mhive::jacobi
