#define BOOST_TEST_MODULE phases
#include "mhive/phases.hpp"

#include <boost/test/unit_test.hpp>

namespace gridloom::mhive {
namespace {

template <int Index>
struct task {
  using work_item = int;
  static constexpr int worker_size = 1 << Index;
};

// Listing 4.1 and Table 4.1.
using phase_1 = phase<task<1>, task<2>>;
using phase_2 = phase<task<3>, task<4>, task<5>>;
using queue = phase_queue<phaseless<>, phase_1, phase_2>;

static_assert(queue::table() ==
              std::array{phase_row{-1, 0, 0}, phase_row{0, 0, 2}, phase_row{1, 2, 5}});
static_assert(queue::index_of<task<1>>() == 0 && queue::index_of<task<5>>() == 4);
static_assert(queue::phase_of(1) == 0 && queue::phase_of(2) == 1 && queue::phase_of(4) == 1);
static_assert(queue::largest_worker == 32);
static_assert(queue::contains<task<3>> && !queue::contains<task<6>>);

using with_phaseless = phase_queue<phaseless<task<0>, task<1>>, phase<task<2>>>;
static_assert(with_phaseless::table() == std::array{phase_row{-1, 0, 2}, phase_row{0, 2, 3}});
static_assert(with_phaseless::phase_of(0) == -1 && with_phaseless::phase_of(2) == 0);

using only_phaseless = phase_queue<phaseless<task<7>>>;
static_assert(only_phaseless::num_phases == 0 && only_phaseless::phase_of(0) == -1);

BOOST_AUTO_TEST_CASE(the_index_table_is_known_to_the_compiler) {
  BOOST_TEST(queue::table()[1].end == queue::table()[2].begin);
}

}  // namespace
}  // namespace gridloom::mhive
