// The stages version with phases, in a separate source so that it compiles in parallel.

#include "stages_solver.hpp"

namespace gridloom::mhive::jacobi {

template <typename Value>
std::unique_ptr<solver> make_stages_phases(system<Value> const& of, solver_options const& options,
                                           std::string_view scheduler) {
  return make_stages_of<Value, true>(of, options, scheduler);
}

template std::unique_ptr<solver> make_stages_phases(system<float> const&, solver_options const&,
                                                    std::string_view);
template std::unique_ptr<solver> make_stages_phases(system<double> const&, solver_options const&,
                                                    std::string_view);

}  // namespace gridloom::mhive::jacobi
