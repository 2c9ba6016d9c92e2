#include "gridloom/bench/floors.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

BOOST_AUTO_TEST_SUITE(floors_test)

using namespace gridloom;

BOOST_AUTO_TEST_CASE(the_host_has_all_floors) {
  device machine("host", 0);
  bench::floors const found = bench::measure_floors(machine, 60);
  for (double const value :
       {found.copy_gbs, found.read_gbs, found.launch_ns, found.signal_ns, found.atomic_ns}) {
    BOOST_TEST((std::isfinite(value) && value > 0));
  }
  run_meta meta;
  bench::set_floors(meta, found);
  for (char const* name : {"floor_copy_gbs", "floor_read_gbs", "floor_launch_ns", "floor_signal_ns",
                           "floor_atomic_ns"}) {
    BOOST_TEST(meta.get(name).has_value(), name);
  }
}

BOOST_AUTO_TEST_CASE(a_late_signal_gives_no_number) {
  device machine("host", 0);
  BOOST_TEST(std::isnan(bench::measure_floors(machine, 1e-9).signal_ns));
}

BOOST_AUTO_TEST_CASE(the_host_has_no_state_of_a_gpu) {
  device machine("host", 0);
  run_meta meta;
  set_gpu_state(meta, machine.properties());
  BOOST_TEST(meta.attributes.empty());
}

BOOST_AUTO_TEST_SUITE_END()
