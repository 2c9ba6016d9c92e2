// The stages version with individual dependencies, in a separate source so that it compiles in
// parallel.

#include "stages_solver.hpp"

namespace gridloom::mhive::jacobi {

template <typename Value>
std::unique_ptr<solver> make_stages_individual(system<Value> const& of,
                                               solver_options const& options,
                                               std::string_view scheduler) {
  return make_stages_of<Value, false>(of, options, scheduler);
}

template std::unique_ptr<solver> make_stages_individual(system<float> const&, solver_options const&,
                                                        std::string_view);
template std::unique_ptr<solver> make_stages_individual(system<double> const&,
                                                        solver_options const&, std::string_view);

}  // namespace gridloom::mhive::jacobi
