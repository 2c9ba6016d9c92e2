// The autonomous version, in a separate source so that it compiles in parallel.

#include "fine_solver.hpp"

namespace gridloom::mhive::jacobi {

template <typename Value>
std::unique_ptr<solver> make_autonomous(system<Value> const& of, solver_options const& options,
                                        std::string_view scheduler, dependency_count count) {
  return make_fine_of<Value, fine_version::autonomous>(of, options, scheduler, count);
}

template std::unique_ptr<solver> make_autonomous(system<float> const&, solver_options const&,
                                                 std::string_view, dependency_count);
template std::unique_ptr<solver> make_autonomous(system<double> const&, solver_options const&,
                                                 std::string_view, dependency_count);

}  // namespace gridloom::mhive::jacobi
