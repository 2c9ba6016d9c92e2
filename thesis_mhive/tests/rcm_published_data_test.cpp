// Tests the published arms on real matrices in the folder GRIDLOOM_DATA_DIR, on the best machine
// available. They must give the serial order, entry by entry; cuSOLVER must give a permutation.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "published_arms.hpp"
#include "rcm_support.hpp"
#include "serial_order.hpp"

namespace gridloom::mhive::rcm {

BOOST_AUTO_TEST_SUITE(rcm_published_data_test)
namespace {

device& machine() {
  static device best("auto", 0);
  return best;
}

bool is_permutation(std::vector<std::uint32_t> order) {
  std::sort(order.begin(), order.end());
  for (std::uint32_t v = 0; v < order.size(); ++v) {
    if (order[v] != v) return false;
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(arms_give_the_serial_order_of_real_matrices) {
  // The matrices have many levels, few levels, hubs, several components, and a partly stored
  // diagonal.
  for (char const* name : {"bcspwr10", "bcsstk33", "PGPgiantcompo", "hep-th", "memplus", "add32",
                           "GD97_b", "uk", "finan512", "aug3dcqp"}) {
    auto const pattern = gridloom::test::real_graph(name);
    graph_ref const of = graph_of(pattern);
    auto const wanted = order_from(of, nodes_of(find_starts(of))).cuthill_mckee;
    for (auto const& [arm_name, make] : published_arms()) {
      if (arm_name == "cusolver" && machine().is_host()) continue;
      BOOST_TEST_CONTEXT(name << ", " << arm_name) {
        auto const arm = make({machine(), of, {}, 0, 120});
        arm->copy_in();
        arm_result const result = arm->run(false);
        auto const order = arm->copy_out();
        std::printf("%-14s %-9s start %8.2f ms, order %8.2f ms, all %8.2f ms\n", name,
                    arm_name.c_str(), result.start_ms, result.order_ms, result.both_ms);
        if (arm_name == "cusolver") {
          BOOST_TEST((order.size() == of.num_rows));
          BOOST_TEST(is_permutation(order));
        } else {
          BOOST_TEST((order == wanted));
        }
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive::rcm
