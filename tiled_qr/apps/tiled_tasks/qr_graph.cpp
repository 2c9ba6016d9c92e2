// A file of its own, because nvcc would also compile the visitor of dependences for the device.

#include "apps/tiled_tasks/client.hpp"
#include "tiled_qr/task_grid.hpp"

namespace gridloom::tiled_qr::general {

task_graph qr_graph(tiling const& cut) {
  std::vector<task_type> types;
  // A double task costs at most twice as much as a single one (report, II.D, point 4).
  for (int type = 0; type < 4; ++type)
    types.push_back({task_type_names[type], type < 2 ? 1.0 : 2.0});
  task_graph graph(types);
  for (std::uint32_t k = 0; k < cut.steps(); ++k) {
    for (std::uint32_t i = k; i < cut.p(); ++i) {
      for (std::uint32_t j = k; j < cut.q(); ++j) {
        task const of{k, i, j};
        task_id const added = graph.add_task(static_cast<std::uint32_t>(of.type()), of);
        for_each_dependence(of, [&](task const& before) {
          graph.add_dependency(static_cast<task_id>(number_of(cut, before)), added);
        });
      }
    }
  }
  return graph;
}

}  // namespace gridloom::tiled_qr::general
