#include "published/width_ordering.hpp"

namespace gridloom::mhive::rcm::detail {

std::unique_ptr<mhive_ordering> make_ordering_64(device& machine, graph_ref graph,
                                                 std::string_view scheduler,
                                                 ordering_options const& options) {
  return make_ordering<std::uint64_t>(machine, graph, scheduler, options);
}

}  // namespace gridloom::mhive::rcm::detail
